# Writes OUTPUT, a C++ source with PAGE's style, its modules joined to one script, and CHARTS, a script that may be empty.
# VERSION is that of the library in it.

# What a browser hashes is what stands in the file: no carriage returns, nothing that ends its element.
function(check text name)
  if(text MATCHES "[^\t\n -~]")
    message(FATAL_ERROR "${name} holds other characters than ASCII's; write them as escapes")
  endif()
  string(TOLOWER "${text}" lower)
  if(lower MATCHES "</(script|style)" OR text MATCHES "\\)page\"")
    message(FATAL_ERROR "${name} would end its element early")
  endif()
endfunction()

function(add_function name text)
  check("${text}" "${name}")
  # Compilers need not take literals of any length.
  set(piece_length 12000)
  string(LENGTH "${text}" length)
  set(source "std::string ${name}() {\n  std::string text;\n  text.reserve(${length});\n")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} ${piece_length} piece)
    string(APPEND source "  text += R\"page(${piece})page\";\n")
    math(EXPR at "${at} + ${piece_length}")
  endwhile()
  string(APPEND source "  return text;\n}\n\n")
  file(APPEND "${OUTPUT}.new" "${source}")
endfunction()

# ECMAScript modules, in an order in which each stands behind what it imports, as blocks of one script: an import takes
# what a block before has put down.
file(STRINGS "${PAGE}/modules/order.txt" order)
set(script "(() => {\n\"use strict\";\nconst modules = {};\n")
foreach(module IN LISTS order)
  file(READ "${PAGE}/modules/${module}" text)
  string(REGEX MATCHALL "\nexport (function|const) [A-Za-z0-9]+" exports "\n${text}")
  list(TRANSFORM exports REPLACE ".* " "")
  list(JOIN exports ", " exports)
  string(REGEX REPLACE "(^|\n)import ({[^}]*}) from \"./([^\"]+)\";" "\\1const \\2 = modules[\"\\3\"];" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "{\n${text}modules[\"${module}\"] = { ${exports} };\n}\n")
endforeach()
string(APPEND script "})();\n")

file(READ "${PAGE}/page.css" style)
file(READ "${CHARTS}" charts)
set(version "")
if(NOT charts STREQUAL "")
  set(version "${VERSION}")
endif()
file(WRITE "${OUTPUT}.new" "#include \"reports/html/page_parts.hpp\"\n\n"
                           "namespace spillway::reports::html {\n\n"
                           "std::string_view bundled_charts_version() {\n  return \"${version}\";\n}\n\n")
add_function(page_style "${style}")
add_function(page_script "${script}")
add_function(charts_script "${charts}")
file(APPEND "${OUTPUT}.new" "}  // namespace spillway::reports::html\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
