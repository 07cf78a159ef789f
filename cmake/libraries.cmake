# The libraries, each with no more packages than it needs; docs/architecture.md shows them. Who wants physics
# links thigmo_core, who wants everything links thigmo.

# Makes a static library fit to be linked into a shared one, such as the Python module. Hidden names cannot be
# replaced from outside, so that calls between them stay direct and are inlined: without that, code that may
# be placed anywhere would be slower. Under the sanitizers no such module is built.
function(thigmo_for_modules target)
  if(NOT THIGMO_SANITIZE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

# thigmo_library(NAME FOLDERS … [EXCEPT REGEX] LINK … [ALONE FILE…]): src/<folder> of every folder. LINK is as
# for target_link_libraries, ALONE as for thigmo_unity.
function(thigmo_library name)
  cmake_parse_arguments(its "" "EXCEPT" "FOLDERS;LINK;ALONE" ${ARGN})
  list(TRANSFORM its_FOLDERS PREPEND ${CMAKE_SOURCE_DIR}/src/)
  list(TRANSFORM its_FOLDERS APPEND /*.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${its_FOLDERS})
  if(its_EXCEPT)
    list(FILTER sources EXCLUDE REGEX ${its_EXCEPT})
  endif()
  add_library(thigmo_${name} ${sources})
  add_library(thigmo::${name} ALIAS thigmo_${name})
  set_target_properties(thigmo_${name} PROPERTIES EXPORT_NAME ${name})
  thigmo_for_modules(thigmo_${name})
  target_compile_features(thigmo_${name} PUBLIC cxx_std_20)  # the public headers need it
  target_include_directories(thigmo_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_SOURCE_DIR}/src)
  # Libraries of headers alone are no business of who links what is installed.
  target_link_libraries(thigmo_${name} PRIVATE $<BUILD_INTERFACE:thigmo_options>
    $<BUILD_INTERFACE:FastFloat::fast_float> fmt::fmt ${its_LINK})
  thigmo_unity(thigmo_${name} ALONE ${its_ALONE})
  set_property(GLOBAL APPEND PROPERTY THIGMO_LIBRARIES ${name})
endfunction()

thigmo_library(core
  FOLDERS base math material plant grammar mechanics particles environment simulation mesh io/disk api
  LINK PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen>)
set_source_files_properties(src/api/world.cpp PROPERTIES
  COMPILE_DEFINITIONS THIGMO_VERSION="${PROJECT_VERSION}")
# Threads come from TBB where it is installed. One file alone is compiled differently for it, so that
# builds with and without it share all others in the compiler's cache.
if(TBB_FOUND)
  target_link_libraries(thigmo_core PRIVATE TBB::tbb)
  set_source_files_properties(src/base/parallel.cpp PROPERTIES COMPILE_DEFINITIONS THIGMO_WITH_TBB)
endif()
# The sweeps of a step, once more for processors that have AVX2 and AVX-512; chosen when the program
# runs. There a*b+c is rounded once. Instrumented they take longer to compile than a library, so that under
# the sanitizers there is only one of them, which all tests then run with.
# gcc 12 takes a vector that is filled lane by lane for uninitialized.
set_source_files_properties(src/mechanics/kernel/step_generic.cpp PROPERTIES
  COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
set(step_avx2 src/mechanics/kernel/step_avx2.cpp)
set(step_avx512 src/mechanics/kernel/step_avx512.cpp)
if(THIGMO_SANITIZE)
  set_source_files_properties(${step_avx2} ${step_avx512} PROPERTIES HEADER_FILE_ONLY ON)
  set_source_files_properties(src/mechanics/kernel/processor.cpp PROPERTIES
    COMPILE_DEFINITIONS THIGMO_GENERIC_ONLY)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${step_avx2} PROPERTIES
    COMPILE_OPTIONS "-mavx2;-mfma;-ffp-contract=fast;-fno-trapping-math;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  set_source_files_properties(${step_avx512} PROPERTIES
    COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mfma;-ffp-contract=fast;-fno-trapping-math;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
endif()

# The same for C (include/thigmo/c.h): compiled once, and in thigmo_core for who links statically as in a shared
# library for all others, which shows these functions alone.
file(GLOB c_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/c/*.cpp)
add_library(thigmo_c_objects OBJECT ${c_sources})
thigmo_for_modules(thigmo_c_objects)
target_include_directories(thigmo_c_objects PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(thigmo_c_objects PRIVATE thigmo_options fmt::fmt)
thigmo_unity(thigmo_c_objects)
target_sources(thigmo_core PRIVATE $<TARGET_OBJECTS:thigmo_c_objects>)
if(NOT THIGMO_SANITIZE)
  file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/c_exports.txt c_exports REGEX "^thigmo_")
  list(JOIN c_exports ";\n" c_exports)
  set(c_names ${CMAKE_BINARY_DIR}/c_exports.map)
  file(CONFIGURE OUTPUT ${c_names} CONTENT "{ global:\n@c_exports@;\nlocal: *; };\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/c_exports.txt)
  add_library(thigmo_c SHARED $<TARGET_OBJECTS:thigmo_c_objects>)
  add_library(thigmo::c ALIAS thigmo_c)
  set_target_properties(thigmo_c PROPERTIES EXPORT_NAME c LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${c_names})
  target_include_directories(thigmo_c INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(thigmo_c PRIVATE thigmo_core)
  target_link_options(thigmo_c PRIVATE -Wl,--version-script=${c_names} -Wl,--no-undefined)
endif()

if(THIGMO_WITH_scenario)
  thigmo_library(scenario FOLDERS scenario
    LINK PUBLIC thigmo_core PRIVATE tomlplusplus::tomlplusplus)
endif()
if(THIGMO_WITH_files)
  thigmo_library(files FOLDERS io EXCEPT /src/io/disk/
    LINK PUBLIC thigmo_core PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> PNG::PNG
    ALONE src/io/geo/plant_lines.cpp)
endif()
if(THIGMO_WITH_render)
  thigmo_library(render FOLDERS render LINK PUBLIC thigmo_core PRIVATE embree
    ALONE src/render/scene.cpp)
endif()
if(THIGMO_WITH_app)
  thigmo_library(app FOLDERS app
    LINK PUBLIC thigmo_scenario thigmo_files thigmo_render
    PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
endif()

# All that were built, as one.
get_property(THIGMO_LIBRARIES GLOBAL PROPERTY THIGMO_LIBRARIES)
add_library(thigmo INTERFACE)
add_library(thigmo::thigmo ALIAS thigmo)
foreach(library IN LISTS THIGMO_LIBRARIES)
  target_link_libraries(thigmo INTERFACE thigmo_${library})
endforeach()
