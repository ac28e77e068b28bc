// Paths to places in a scenario, as written on the command line.
//
//   clients[gw].workload.rate                     of the client called gw
//   services[cart].endpoints[0].count             of its first group
//   services[cart].endpoints[zone=zone-2].weight  of every group of that zone
//   services[*].endpoints[*].count                of all of them
//   policies[mesh-lb]...percentage                the one key of this name somewhere below
//   clusters[cart].common_lb_config["envoy.x"]    a key with a dot or a bracket in it
//
// A name in brackets is an element's `name`, `id`, `cluster_name`, `service` or `metadata.name`, else its position from
// 0. Of several elements of a name, such as a Service and its VirtualService, the one in which the rest of the path
// exists. For an object, it is a key. Envoy keys may be in snake_case or lowerCamelCase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::sweep {

struct PathStep {
  enum class Kind : std::uint8_t { member, element, elements_where, every_element, anywhere_below };
  Kind kind = Kind::member;
  std::string name;       // of a member, an element, or the key of a condition
  std::string value;      // of a condition
  std::size_t begin = 0;  // offset in the text [bytes]
  std::size_t length = 1;
};

using Path = std::vector<PathStep>;

// An error in a path, by itself or for a document.
struct PathProblem {
  std::string message;  // "`clients` has no element `gateway`"
  std::string label;    // "no element of this name"
  std::string help;     // "did you mean `gw`?"; may be empty
  std::size_t begin = 0;
  std::size_t length = 1;
};

[[nodiscard]] std::variant<Path, PathProblem> parse_path(std::string_view text);

// Assigns the value at every place of the path. Missing keys are added, with objects around them, and left to the
// schema; missing elements are an error. A bare number takes the unit of the text it replaces: 500 instead of 200rps
// becomes 500rps. It stays text where text was. After an error, the document must be discarded.
[[nodiscard]] std::optional<PathProblem> assign(documents::Node& root, const Path& path, const documents::Node& value);

// Returns the last key of the path: "rate".
[[nodiscard]] std::string last_key(const Path& path);

}  // namespace spillway::sweep
