# `cmake --install` puts the program, the libraries, their headers and the package file in place.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Spillway")
install(TARGETS spillway RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS spillway_settings spillway_models spillway_documents spillway_control_planes spillway_scenario spillway_sim spillway_studies
                spillway_reports EXPORT SpillwayTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY models sim reports DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spillway" COMPONENT development
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/spillway")
# The pages where `spillway docs` finds them, whatever a system leaves out of share/doc.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DATADIR}/spillway")
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

# What the program says of itself, written by the program: manual pages and completions.
set(help_dir "${PROJECT_BINARY_DIR}/help")
set(completions "${help_dir}/spillway.bash" "${help_dir}/spillway.zsh" "${help_dir}/spillway.fish")
set(write_help "set -e; cd '${help_dir}'; rm -f spillway*.1; \"$1\" help --man > spillway.1; \
for name in $(\"$1\" help --names); do \"$1\" help --man $name > spillway-$name.1; done; \
for shell in bash zsh fish; do \"$1\" completion $shell > spillway.$shell; done")
# The program of a build with sanitizers would be run with them.
if(NOT CMAKE_CROSSCOMPILING AND NOT SPILLWAY_SANITIZE)
  add_custom_command(
    OUTPUT ${completions} "${help_dir}/spillway.1"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${help_dir}"
    COMMAND sh -c "${write_help}" write-help "$<TARGET_FILE:spillway>"
    DEPENDS spillway
    COMMENT "Writing manual pages and completions"
    VERBATIM)
  add_custom_target(help_pages ALL DEPENDS ${completions} "${help_dir}/spillway.1")
  install(DIRECTORY "${help_dir}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1")
  install(FILES "${help_dir}/spillway.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME spillway)
  install(FILES "${help_dir}/spillway.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" RENAME _spillway)
  install(FILES "${help_dir}/spillway.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME spillway.fish)
endif()

install(EXPORT SpillwayTargets NAMESPACE spillway:: DESTINATION "${package_dir}" COMPONENT development)

configure_package_config_file(cmake/SpillwayConfig.cmake.in "${PROJECT_BINARY_DIR}/SpillwayConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/SpillwayConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/SpillwayConfig.cmake" "${PROJECT_BINARY_DIR}/SpillwayConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSimGrid.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindRE2.cmake"
        DESTINATION "${package_dir}" COMPONENT development)
