// The parts of the page, compiled into the program (cmake/ReportPage.cmake).
#pragma once

#include <string>
#include <string_view>

namespace spillway::reports::html {

// Return ASCII texts without a carriage return, `</script` or `</style`, so that a browser hashes exactly these bytes.
[[nodiscard]] std::string page_style();
[[nodiscard]] std::string page_script();
[[nodiscard]] std::string charts_script();  // empty if built without charts

// Returns the version of the bundled charts; empty if built without charts.
[[nodiscard]] std::string_view bundled_charts_version();

}  // namespace spillway::reports::html
