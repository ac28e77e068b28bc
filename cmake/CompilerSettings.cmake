# What every target of the house is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(SPILLWAY_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
option(SPILLWAY_SANITIZE "Build with AddressSanitizer and UndefinedBehaviourSanitizer" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Clones and work trees of one machine share what they compile.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${CCACHE_PROGRAM}")
endif()

add_library(spillway_settings INTERFACE)
add_library(spillway::settings ALIAS spillway_settings)
set_target_properties(spillway_settings PROPERTIES EXPORT_NAME settings)
target_compile_features(spillway_settings INTERFACE cxx_std_20)
# A fused multiply-add would change the doubles that Envoy computes on x86-64.
target_compile_options(spillway_settings INTERFACE -ffp-contract=off)

add_library(spillway_warnings INTERFACE)
target_compile_options(spillway_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12's optimiser warns of its own string and optional (bugs 105329, 105562 and 105651); seen, but no errors.
  target_compile_options(
    spillway_warnings INTERFACE -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=array-bounds
                                -Wno-error=restrict -Wno-error=maybe-uninitialized -Wno-error=free-nonheap-object)
endif()
if(SPILLWAY_WARNINGS_AS_ERRORS)
  target_compile_options(spillway_warnings INTERFACE -Werror)
endif()

if(SPILLWAY_SANITIZE)
  set(SPILLWAY_SANITIZE_FLAGS "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer")
  string(APPEND CMAKE_CXX_FLAGS " ${SPILLWAY_SANITIZE_FLAGS}")
endif()

# What makes a mistake in memory a crash and not a way in: a program at no fixed address, addresses of others that are
# resolved and read-only before main() begins, canaries on stacks, checked copies of the C library, and landing pads for
# indirect jumps where the processor knows them. The sanitizers find the same mistakes better; tests are compiled without
# an optimiser, which the checked copies need.
option(SPILLWAY_HARDEN "Build the program with the compiler's and linker's protections" ON)
# libstdc++'s checks of indices and iterators in the models and the engine as well, where they cost a run 6 to 15 %
# (docs/reliability.md); spillway_cold_code's libraries always have them.
option(SPILLWAY_ASSERTIONS "Build everything with _GLIBCXX_ASSERTIONS" OFF)
add_library(spillway_hardening INTERFACE)
if(SPILLWAY_HARDEN AND NOT SPILLWAY_SANITIZE AND NOT SPILLWAY_FUZZ AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckPIESupported)
  include(CheckCXXCompilerFlag)
  check_pie_supported(LANGUAGES CXX)
  target_compile_options(
    spillway_hardening INTERFACE -fstack-protector-strong
                                 "$<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  check_cxx_compiler_flag(-fcf-protection=full SPILLWAY_HAS_CET)
  if(SPILLWAY_HAS_CET)
    target_compile_options(spillway_hardening INTERFACE -fcf-protection=full)
  endif()
  target_link_options(spillway_hardening INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
if(SPILLWAY_ASSERTIONS)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# For scripts/fuzz, with clang: libraries that libFuzzer can watch, and a program for each target (tests/CMakeLists.txt).
option(SPILLWAY_FUZZ "Build the fuzzing programs, and no tests" OFF)
if(SPILLWAY_FUZZ)
  string(APPEND CMAKE_CXX_FLAGS " -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer")
endif()

# GCC spends an eighth of a compilation on collecting garbage in a heap of 128 MB. Where each job has 3 GB to itself, it
# begins at 1 GB: a unit then takes at most 1.8 GB instead of 1.3.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  math(EXPR needed "3000 * ${cores}")
  if(megabytes GREATER needed)
    add_compile_options("SHELL:--param ggc-min-heapsize=1048576")
  endif()
endif()

# Headers that nearly every source includes, compiled once per library. A precompiled header stays below 80 MB: each unit
# loads it whole, so it has no headers of the house, and neither nlohmann/json.hpp nor <functional>, which few units use.
set(SPILLWAY_COMMON_HEADERS <algorithm> <chrono> <cstdint> <map> <memory> <optional> <span> <string> <string_view> <tuple>
                            <utility> <variant> <vector>)
# Lets ccache look behind precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# spillway_unity_groups(TARGET): sources of one folder are compiled as one, so that a new file changes nothing for those
# of other folders. The folders of the pick policies are one, and so are tests of the rooms of a run and of reports: most
# of what such a unit takes to compile are its headers.
#
# A folder of the program is several units of about as many bytes. One of 125 kB takes about 10 s; with 300 kB (preset
# `default`) all of them together take a sixth less, since each unit compiles the headers of the house again.
#
# Who works in one folder names it here (-DSPILLWAY_APART="sim/plan;cli"): its sources are compiled one by one, so that a
# change takes 4 s.
set(SPILLWAY_APART "" CACHE STRING "Folders whose sources are compiled one by one")
set(SPILLWAY_UNIT_BYTES 125000 CACHE STRING "Bytes of sources that are compiled as one")
function(spillway_unity_groups target)
  get_target_property(sources ${target} SOURCES)
  set(groups)
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
    cmake_path(GET path PARENT_PATH folder)
    string(REGEX REPLACE "^(models/envoy/policies)/.*" "\\1" folder "${folder}")
    string(REGEX REPLACE "^(tests/sim/run)/(eds|exact|proxies|records|requests|traffic)$" "\\1" folder "${folder}")
    string(REGEX REPLACE "^(tests/reports)/(expectations|requests|shares|subsets|text)$" "\\1" folder "${folder}")
    if(folder IN_LIST SPILLWAY_APART)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT group IN_LIST groups)
      list(APPEND groups ${group})
      set(bytes_${group} 0)
    endif()
    list(APPEND sources_${group} "${source}")
    set(bytes 0)
    if(EXISTS "${source}")  # not yet, if it is generated
      file(SIZE "${source}" bytes)
    endif()
    math(EXPR bytes_${group} "${bytes_${group}} + ${bytes}")
  endforeach()
  foreach(group IN LISTS groups)
    set(units 1)
    if(bytes_${group} GREATER 0 AND NOT group MATCHES "^tests_")
      math(EXPR units "(${bytes_${group}} + ${SPILLWAY_UNIT_BYTES} - 1) / ${SPILLWAY_UNIT_BYTES}")
    endif()
    set(before 0)
    foreach(source IN LISTS sources_${group})
      math(EXPR unit "1 + ${before} * ${units} / (${bytes_${group}} + 1)")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${unit}")
      if(EXISTS "${source}")
        file(SIZE "${source}" bytes)
        math(EXPR before "${before} + ${bytes}")
      endif()
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# spillway_library(NAME [FOLDERS ...] [EXCEPT ...]): a static library of the sources below the calling folder, or below
# those of its folders that are named, without those below the folders in EXCEPT. Neighbours and installed users see it as
# spillway::NAME, with headers included by their path from the top of the house.
function(spillway_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "FOLDERS;EXCEPT")
  if(NOT library_FOLDERS)
    set(library_FOLDERS .)
  endif()
  list(TRANSFORM library_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${library_FOLDERS})
  foreach(folder IN LISTS library_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  add_library(spillway_${name} STATIC ${sources})
  add_library(spillway::${name} ALIAS spillway_${name})
  set_target_properties(spillway_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(
    spillway_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                            "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/spillway>")
  spillway_unity_groups(spillway_${name})
  # Nobody replaces one of these functions by another of its name, so calls between them can be inlined, as clang does.
  target_compile_options(spillway_${name} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>")
  target_precompile_headers(spillway_${name} PRIVATE ${SPILLWAY_COMMON_HEADERS})
  target_link_libraries(spillway_${name} PUBLIC spillway::settings PRIVATE "$<BUILD_INTERFACE:spillway_warnings>"
                                                                  "$<BUILD_INTERFACE:spillway_hardening>")
endfunction()

# spillway_cold_code(TARGET [LEVEL]): what it does is done once a run, so an optimiser takes more time than it saves: what -O3
# gains there is less than what it costs to compile, and with the sanitizers it takes a third of the time without any. It
# also reads what others wrote, so it has libstdc++'s checks of indices, which cost a run less than 2 %.
#
# LEVEL: -O1 if not given. -Og compiles a quarter faster and runs a third slower: for what commands decide between
# reading, simulating and printing.
function(spillway_cold_code target)
  set(level -O1)
  if(ARGC GREATER 1)
    set(level "${ARGV1}")
  endif()
  if(SPILLWAY_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${level}>")
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
endfunction()
