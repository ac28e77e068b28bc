# Writes OUTPUT, a C++ source with the texts of the pages that LIST names, one path per line. Each page begins with the
# code that its file is named after.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${LIST}" pages)
list(SORT pages)
string(CONCAT source "#include \"models/documents/diagnostic_pages.hpp\"\n\n"
                     "#include <array>\n\n"
                     "namespace spillway::documents {\n\n"
                     "std::span<const std::string_view> diagnostic_page_texts() noexcept {\n"
                     "  static constexpr auto texts = std::to_array<std::string_view>({\n")
foreach(page IN LISTS pages)
  cmake_path(GET page STEM code)
  file(READ "${page}" text)
  if(NOT code MATCHES "^SP[0-9][0-9][0-9]$" OR NOT text MATCHES "^# ${code}: ")
    message(FATAL_ERROR "${page}: the file is SPnnn.md, and its first line `# SPnnn: TITLE` with the same code")
  endif()
  if(text MATCHES "[^\n -~]" OR text MATCHES "\\)page\"")
    message(FATAL_ERROR "${page}: only printable ASCII and line ends are allowed, and no `)page\"`")
  endif()
  string(APPEND source "R\"page(${text})page\",\n")
endforeach()
string(APPEND source "  });\n  return texts;\n}\n\n}  // namespace spillway::documents\n")
file(WRITE "${OUTPUT}.new" "${source}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
