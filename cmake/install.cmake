include(CMakePackageConfigHelpers)
set(cograph_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/cograph)

install(TARGETS cograph EXPORT cograph-targets FILE_SET HEADERS)
install(EXPORT cograph-targets NAMESPACE cograph:: DESTINATION ${cograph_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cograph-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/cograph-config.cmake cmake/cograph-boost.cmake
              ${PROJECT_BINARY_DIR}/cograph-config-version.cmake
        DESTINATION ${cograph_package_dir})
