# cmake --install, and find_package(thigmo [COMPONENTS core …]) for who uses what was installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(THIGMO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/thigmo)

# One description for each library, so that who wants one need not have the packages of the others.
foreach(library IN LISTS THIGMO_LIBRARIES)
  install(TARGETS thigmo_${library} EXPORT thigmo-${library}-targets)
  install(EXPORT thigmo-${library}-targets NAMESPACE thigmo:: DESTINATION ${THIGMO_CMAKE_DIR})
endforeach()
# For C: no part of thigmo::thigmo, which has its functions in the core.
if(TARGET thigmo_c)
  install(TARGETS thigmo_c EXPORT thigmo-c-targets)
  install(EXPORT thigmo-c-targets NAMESPACE thigmo:: DESTINATION ${THIGMO_CMAKE_DIR})
endif()
if(THIGMO_WITH_cli)
  install(TARGETS thigmo_cli)
endif()
install(DIRECTORY include/thigmo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE THIRD_PARTY_NOTICES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/thigmo-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config.cmake INSTALL_DESTINATION ${THIGMO_CMAKE_DIR})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/thigmo-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config-version.cmake DESTINATION ${THIGMO_CMAKE_DIR})
