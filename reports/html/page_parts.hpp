// The parts of the page, put into the program while it is built (cmake/ReportPage.cmake).
#pragma once

#include <string>
#include <string_view>

namespace spillway::reports::html {

// Texts of ASCII without a carriage return, without `</script` and `</style`: what a browser hashes is what stands
// here.
[[nodiscard]] std::string page_style();
[[nodiscard]] std::string page_script();
[[nodiscard]] std::string charts_script();  // empty: built without charts

// Empty as they are.
[[nodiscard]] std::string_view bundled_charts_version();

}  // namespace spillway::reports::html
