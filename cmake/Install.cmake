# `cmake --install` puts the program, the libraries, their headers and the package file in place.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Spillway")
install(TARGETS spillway RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS spillway_settings spillway_models spillway_scenario spillway_sim spillway_reports EXPORT SpillwayTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY models sim reports DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spillway" FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/spillway")
install(EXPORT SpillwayTargets NAMESPACE spillway:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/SpillwayConfig.cmake.in "${PROJECT_BINARY_DIR}/SpillwayConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/SpillwayConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/SpillwayConfig.cmake" "${PROJECT_BINARY_DIR}/SpillwayConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSimGrid.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindRE2.cmake"
        DESTINATION "${package_dir}")
