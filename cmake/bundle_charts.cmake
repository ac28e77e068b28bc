# Bundles PAGE's charts in the folder WORK into OUTPUT, by NPM and NODE. Where that fails OUTPUT is empty: a build without
# network is a build without charts, and not a failed one.
file(MAKE_DIRECTORY "${WORK}")
file(COPY "${PAGE}/package.json" "${PAGE}/package-lock.json" "${PAGE}/charts" DESTINATION "${WORK}")
set(bundled FALSE)
execute_process(
  COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error --fetch-retries=1
          --fetch-timeout=60000
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
if(result EQUAL 0)
  execute_process(
    COMMAND "${NODE}" charts/bundle.mjs "${OUTPUT}"
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  if(result EQUAL 0 AND EXISTS "${OUTPUT}")
    set(bundled TRUE)
  endif()
endif()
if(NOT bundled)
  message(WARNING "Reports will have no charts, because npm could not bundle them:\n${said}\n"
                  "Everything else is built. Delete ${WORK} and build again once npm works.")
  file(WRITE "${OUTPUT}" "")
endif()
