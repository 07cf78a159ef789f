# The target thigmo_headers compiles every header alone, so that none leans on what its includers
# happen to include before it.
set(folders src include cli validation bench)
list(TRANSFORM folders APPEND /*.h OUTPUT_VARIABLE patterns)
list(TRANSFORM patterns PREPEND ${CMAKE_SOURCE_DIR}/)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${patterns})

set(sources)
foreach(header IN LISTS headers)
  set(source ${CMAKE_BINARY_DIR}/headers/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n" @ONLY)
  list(APPEND sources ${source})
endforeach()

add_library(thigmo_headers OBJECT EXCLUDE_FROM_ALL ${sources})
target_compile_options(thigmo_headers PRIVATE -O0)
target_include_directories(thigmo_headers PRIVATE
  ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(thigmo_headers PRIVATE thigmo_options fmt::fmt FastFloat::fast_float TBB::tbb
  tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json embree PNG::PNG CLI11::CLI11
  Eigen3::Eigen)
