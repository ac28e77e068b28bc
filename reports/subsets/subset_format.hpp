// The formats of subset structures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

enum class SubsetFormat { table, json, dot, mermaid };

// "table", "json", "dot", "mermaid", in this order.
[[nodiscard]] const std::vector<std::string>& subset_format_names();
[[nodiscard]] std::optional<SubsetFormat> subset_format_of(std::string_view name);

}  // namespace spillway::reports
