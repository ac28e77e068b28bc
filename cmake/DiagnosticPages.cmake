# The pages of docs/diagnostics/ as a source of the library, so that the program needs no files at run time.

# spillway_diagnostic_pages(TARGET): adds a source with the texts of the pages.
function(spillway_diagnostic_pages target)
  file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/diagnostics/*.md")
  # A dependency that changes if a page is removed, which the times of the other pages do not show.
  set(list "${CMAKE_CURRENT_BINARY_DIR}/diagnostic_pages.txt")
  list(JOIN pages "\n" names)
  file(CONFIGURE OUTPUT "${list}" CONTENT "${names}\n" @ONLY)
  set(texts "${CMAKE_CURRENT_BINARY_DIR}/diagnostic_page_texts.cpp")
  add_custom_command(
    OUTPUT "${texts}"
    COMMAND "${CMAKE_COMMAND}" "-DLIST=${list}" "-DOUTPUT=${texts}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_diagnostics.cmake"
    DEPENDS "${list}" ${pages} "${PROJECT_SOURCE_DIR}/cmake/embed_diagnostics.cmake"
    COMMENT "Putting the pages of diagnostics into a source"
    VERBATIM)
  target_sources(${target} PRIVATE "${texts}")
  set_source_files_properties("${texts}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
