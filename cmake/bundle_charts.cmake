# Bundles PAGE's charts in the folder WORK into OUTPUT: the packages that PAGE's lock file names, and the one program of
# esbuild that bundles them, come as archives from npm's registry, and are taken only if they are the locked ones, byte by
# byte (OPENSSL adds them up). Neither npm nor Node.js is needed; NPM, where there is one, is asked for what it keeps when
# the registry does not answer. Where that fails too OUTPUT is empty: a build without network is a build without charts,
# and not a failed one. SPILLWAY_NPM_REGISTRY in the environment names another registry.
set(packages echarts zrender tslib @esbuild/linux-x64)
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(TRANSFORM packages REPLACE "linux-x64" "linux-arm64")
endif()
if(CMAKE_HOST_SYSTEM_NAME STREQUAL "Darwin")
  list(TRANSFORM packages REPLACE "linux" "darwin")
endif()
list(GET packages 3 esbuild)
# What each asks to be kept. Apache's text is in every distribution of this program.
set(kept_echarts NOTICE licenses/LICENSE-d3)
set(kept_zrender LICENSE)
set(kept_tslib LICENSE.txt)

set(registry "$ENV{SPILLWAY_NPM_REGISTRY}")
if(NOT registry)
  set(registry "https://registry.npmjs.org")
endif()

file(MAKE_DIRECTORY "${WORK}")
file(COPY "${PAGE}/package.json" "${PAGE}/package-lock.json" "${PAGE}/charts" DESTINATION "${WORK}")
file(READ "${PAGE}/package-lock.json" lock)
set(why "")

# fetch(PACKAGE): into WORK/node_modules; sets `why` where it cannot be had.
function(fetch package)
  string(JSON version GET "${lock}" packages "node_modules/${package}" version)
  string(JSON integrity GET "${lock}" packages "node_modules/${package}" integrity)
  string(REGEX REPLACE ".*/" "" name "${package}")
  set(archive "${WORK}/${name}-${version}.tgz")
  file(DOWNLOAD "${registry}/${package}/-/${name}-${version}.tgz" "${archive}" STATUS status INACTIVITY_TIMEOUT 60)
  list(GET status 0 failure)
  list(GET status 1 words)
  set(sum "")
  if(NOT failure)
    execute_process(
      COMMAND "${OPENSSL}" dgst -sha512 -binary "${archive}"
      COMMAND "${OPENSSL}" base64 -A
      OUTPUT_VARIABLE sum)
    set(words "what it gave is not the package of package-lock.json")
  endif()
  if("sha512-${sum}" STREQUAL integrity)
    set(unpacked "${WORK}/unpacked/${name}")
    file(REMOVE_RECURSE "${unpacked}" "${WORK}/node_modules/${package}")
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${unpacked}")
    cmake_path(GET package PARENT_PATH scope)
    file(MAKE_DIRECTORY "${WORK}/node_modules/${scope}")
    file(RENAME "${unpacked}/package" "${WORK}/node_modules/${package}")
  else()
    set(why "${package} ${version} cannot be had from ${registry}: ${words}" PARENT_SCOPE)
  endif()
  file(REMOVE "${archive}")
endfunction()

foreach(package IN LISTS packages)
  if(NOT why)
    fetch("${package}")
  endif()
endforeach()
if(why AND NPM)
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error --fetch-retries=1
            --fetch-timeout=60000
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  if(result EQUAL 0)
    set(why "")
  endif()
endif()

set(notices "")
foreach(package echarts zrender tslib)
  string(JSON version GET "${lock}" packages "node_modules/${package}" version)
  string(JSON license GET "${lock}" packages "node_modules/${package}" license)
  string(APPEND notices "${package} ${version}, ${license}\n\n")
  foreach(file IN LISTS kept_${package})
    if(EXISTS "${WORK}/node_modules/${package}/${file}")
      file(READ "${WORK}/node_modules/${package}/${file}" text)
      string(STRIP "${text}" text)
      string(APPEND notices "${text}\n\n")
    endif()
  endforeach()
endforeach()
string(REPLACE "*/" "* /" notices "${notices}")
string(REGEX REPLACE "[^ -~\n]" "?" notices "${notices}")
string(STRIP "${notices}" notices)

# One script of ASCII, with the notices that must travel with it in front.
if(NOT why)
  execute_process(
    COMMAND "${WORK}/node_modules/${esbuild}/bin/esbuild" charts/entry.js --bundle --minify --format=iife --target=es2020
            --charset=ascii --legal-comments=none "--outfile=${WORK}/bundle.js" --log-level=error
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  if(NOT result EQUAL 0)
    set(why "esbuild could not bundle them: ${result} ${said}")
  endif()
endif()
if(why)
  message(WARNING "Reports will have no charts. ${why}\n"
                  "Everything else is built. Delete ${WORK} and build again once that is mended.")
  file(WRITE "${OUTPUT}" "")
else()
  file(READ "${WORK}/bundle.js" bundle)
  file(WRITE "${OUTPUT}" "/*\n${notices}\n*/\n${bundle}")
endif()
