# The tables of models/envoy/api/tables/, and field_effects.txt, as a source of the library, so that the program needs no files at run time.

# spillway_envoy_tables(TARGET): adds a source with the texts of the tables.
function(spillway_envoy_tables target)
  file(GLOB tables CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/models/envoy/api/tables/*.txt"
    "${PROJECT_SOURCE_DIR}/models/envoy/api/field_effects.txt")
  # A dependency that changes if a table is removed, which the times of the other tables do not show.
  set(list "${CMAKE_CURRENT_BINARY_DIR}/envoy_tables.txt")
  list(JOIN tables "\n" names)
  file(CONFIGURE OUTPUT "${list}" CONTENT "${names}\n" @ONLY)
  set(texts "${CMAKE_CURRENT_BINARY_DIR}/envoy_table_texts.cpp")
  add_custom_command(
    OUTPUT "${texts}"
    COMMAND "${CMAKE_COMMAND}" "-DLIST=${list}" "-DOUTPUT=${texts}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_envoy_tables.cmake"
    DEPENDS "${list}" ${tables} "${PROJECT_SOURCE_DIR}/cmake/embed_envoy_tables.cmake"
    COMMENT "Putting the tables of Envoy's API into a source"
    VERBATIM)
  target_sources(${target} PRIVATE "${texts}")
  set_source_files_properties("${texts}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
