# The report's page (docs/report.md) as sources of the library: its style and modules, and the charts, which esbuild
# bundles of archives that npm's registry has.
option(SPILLWAY_REPORT_CHARTS "Bundle the charts of reports, by esbuild" ON)

# spillway_report_page(TARGET): adds a source with the parts of the page.
function(spillway_report_page target)
  set(page "${PROJECT_SOURCE_DIR}/reports/html/page")
  set(work "${CMAKE_CURRENT_BINARY_DIR}/charts")
  file(READ "${page}/package.json" package)
  string(JSON version GET "${package}" dependencies echarts)
  find_program(NPM_PROGRAM npm)
  find_program(OPENSSL_PROGRAM openssl)
  if(SPILLWAY_REPORT_CHARTS AND OPENSSL_PROGRAM)
    set(charts "${work}/charts.js")
    add_custom_command(
      OUTPUT "${charts}"
      COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page}" "-DWORK=${work}" "-DOUTPUT=${charts}" "-DNPM=$<$<BOOL:${NPM_PROGRAM}>:${NPM_PROGRAM}>"
              "-DOPENSSL=${OPENSSL_PROGRAM}" -P "${PROJECT_SOURCE_DIR}/cmake/bundle_charts.cmake"
      DEPENDS "${page}/package.json" "${page}/package-lock.json" "${page}/charts/entry.js"
              "${PROJECT_SOURCE_DIR}/cmake/bundle_charts.cmake"
      COMMENT "Bundling the charts of reports"
      VERBATIM)
  else()
    message(STATUS "No openssl: reports will have no charts (scripts/install-packages build installs it)")
    set(charts "${work}/none.js")
    file(CONFIGURE OUTPUT "${charts}" CONTENT "" @ONLY)
  endif()
  file(GLOB modules CONFIGURE_DEPENDS "${page}/modules/*.js")
  set(parts "${CMAKE_CURRENT_BINARY_DIR}/page_parts.cpp")
  add_custom_command(
    OUTPUT "${parts}"
    COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page}" "-DCHARTS=${charts}" "-DVERSION=${version}" "-DOUTPUT=${parts}" -P
            "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
    DEPENDS "${charts}" "${page}/page.css" "${page}/modules/order.txt" ${modules}
            "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
    COMMENT "Putting the page of reports into a source"
    VERBATIM)
  target_sources(${target} PRIVATE "${parts}")
  set_source_files_properties("${parts}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
