#include "reports/plot/picture.hpp"

#include <algorithm>

namespace spillway::reports::plot {

const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> names{"share", "load", "latency", "topology", "plan"};
  return names;
}

std::optional<Kind> kind_of(std::string_view name) {
  const auto found = std::find(kind_names().begin(), kind_names().end(), name);
  return found == kind_names().end() ? std::nullopt : std::optional(static_cast<Kind>(found - kind_names().begin()));
}

std::string_view name_of(Kind kind) {
  return kind_names()[static_cast<std::size_t>(kind)];
}

Program program_of(Kind kind) {
  return kind == Kind::topology ? Program::graphviz : Program::gnuplot;
}

}  // namespace spillway::reports::plot
