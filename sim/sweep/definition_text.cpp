#include "sim/sweep/definition_text.hpp"

#include "models/documents/parse.hpp"

namespace spillway::sweep {

std::optional<documents::Node> parse_definition(const std::string& text) {
  Sources sources{{"definition.json", text}};
  Diagnostics problems;
  std::optional<documents::Node> root = documents::parse(sources, 0, problems);
  return root && root->kind == documents::Kind::object ? root : std::nullopt;
}

}  // namespace spillway::sweep
