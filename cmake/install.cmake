# cmake --install, and find_package(thigmo) for who uses what was installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(THIGMO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/thigmo)

target_compile_features(thigmo PUBLIC cxx_std_20)  # the public headers need it
install(TARGETS thigmo EXPORT thigmo-targets)
install(TARGETS thigmo_cli)
install(DIRECTORY include/thigmo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE THIRD_PARTY_NOTICES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT thigmo-targets NAMESPACE thigmo:: DESTINATION ${THIGMO_CMAKE_DIR})
configure_package_config_file(cmake/thigmo-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config.cmake INSTALL_DESTINATION ${THIGMO_CMAKE_DIR})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/thigmo-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/thigmo-config-version.cmake DESTINATION ${THIGMO_CMAKE_DIR})
