# Puts the tests of SOURCE and what npm brings for them into WORK.
file(MAKE_DIRECTORY "${WORK}")
file(GLOB files "${SOURCE}/*.mjs" "${SOURCE}/package*.json")
file(COPY ${files} DESTINATION "${WORK}")
execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
                WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm ci failed")
endif()
