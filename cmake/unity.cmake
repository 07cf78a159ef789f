# thigmo_unity(TARGET [ALONE FILE…]): with THIGMO_UNITY the files of one folder are compiled as one, since most
# of the time goes into headers and templates that they share. Names in anonymous namespaces must then differ
# within a folder; files that cannot do that are named behind ALONE, and those with options of their own are
# alone anyway.
function(thigmo_unity target)
  cmake_parse_arguments(its "" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${THIGMO_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(REPLACE "/" "_" group "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    if(path IN_LIST its_ALONE)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()
