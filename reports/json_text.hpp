// JSON that people can read and line tools can compare: the keys of the outermost object on lines of their own, and
// each element of their arrays.
#pragma once

#include <string>
#include <string_view>

namespace spillway::reports {

// `compact` is an object as nlohmann::json dumps it without indentation. Ends with a newline.
[[nodiscard]] std::string json_lines(std::string_view compact);

}  // namespace spillway::reports
