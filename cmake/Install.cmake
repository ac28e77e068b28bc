# `cmake --install` puts the program, the libraries, their headers and the package file in place.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Spillway")
install(TARGETS spillway RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS spillway_settings spillway_models spillway_scenario spillway_sim spillway_reports EXPORT SpillwayTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY models sim reports DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spillway" COMPONENT development
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/spillway")
# The pages where `spillway docs` finds them, whatever a system leaves out of share/doc.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DATADIR}/spillway")
install(FILES README.md CHANGELOG.md LICENSE SECURITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# What the program says of itself, written by the program: manual pages and completions.
set(help_dir "${PROJECT_BINARY_DIR}/help")
set(manual_pages "${help_dir}/spillway.1")
set(help_commands COMMAND spillway help --man > "${help_dir}/spillway.1")
foreach(command run share check tables diff compare plan explain subsets plot export import validate schema)
  list(APPEND manual_pages "${help_dir}/spillway-${command}.1")
  list(APPEND help_commands COMMAND spillway help --man ${command} > "${help_dir}/spillway-${command}.1")
endforeach()
set(completions)
foreach(shell bash zsh fish)
  list(APPEND completions "${help_dir}/spillway.${shell}")
  list(APPEND help_commands COMMAND spillway completion ${shell} > "${help_dir}/spillway.${shell}")
endforeach()
# The program of a build with sanitizers would be run with them.
if(NOT CMAKE_CROSSCOMPILING AND NOT SPILLWAY_SANITIZE)
  add_custom_command(
    OUTPUT ${manual_pages} ${completions}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${help_dir}" ${help_commands}
    DEPENDS spillway
    COMMENT "Writing manual pages and completions"
    VERBATIM)
  add_custom_target(help_pages ALL DEPENDS ${manual_pages} ${completions})
  install(FILES ${manual_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
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
