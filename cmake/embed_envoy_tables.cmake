# Writes OUTPUT, a C++ source with the tables that LIST names, one path per line. Long tables are split between two
# messages, because compilers limit the length of a string. The suffix gives each its length: to count that of all is more
# than Clang evaluates at compile time.
cmake_minimum_required(VERSION 3.25)

set(longest 60000)
file(STRINGS "${LIST}" tables)
list(SORT tables)
string(CONCAT source "#include \"models/envoy/api/api_tables.hpp\"\n\n"
                     "#include <array>\n\n"
                     "namespace spillway::api {\n\n"
                     "std::span<const std::string_view> table_texts() noexcept {\n"
                     "  using std::string_view_literals::operator\"\"sv;\n"
                     "  static constexpr auto texts = std::to_array<std::string_view>({\n")
foreach(table IN LISTS tables)
  file(READ "${table}" text)
  if(text MATCHES "[^\n -~]" OR text MATCHES "\\)table\"")
    message(FATAL_ERROR "${table}: only printable ASCII and line ends are allowed, and no `)table\"`")
  endif()
  string(LENGTH "${text}" length)
  while(length GREATER longest)
    string(SUBSTRING "${text}" 0 ${longest} part)
    string(FIND "${part}" "\n\n" end REVERSE)
    string(SUBSTRING "${text}" 0 ${end} part)
    string(APPEND source "R\"table(${part}\n)table\"sv,\n")
    string(SUBSTRING "${text}" ${end} -1 text)
    string(LENGTH "${text}" length)
  endwhile()
  string(APPEND source "R\"table(${text})table\"sv,\n")
endforeach()
string(APPEND source "  });\n  return texts;\n}\n\n}  // namespace spillway::api\n")
file(WRITE "${OUTPUT}.new" "${source}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
