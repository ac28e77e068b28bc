// Places of a scenario by their path, as a command line writes them.
//
//   clients[gw].workload.rate                     of the client called gw
//   services[cart].endpoints[0].count             of its first group
//   services[cart].endpoints[zone=zone-2].weight  of every group of that zone
//   services[*].endpoints[*].count                of all of them
//   policies[mesh-lb]...percentage                the one key of this name somewhere below
//   clusters[cart].common_lb_config["envoy.x"]    a key with a dot or a bracket in it
//
// What stands in brackets is an element's `name`, `id`, `cluster_name`, `service` or `metadata.name`, else its position
// from 0; of an object it is a key. Keys of Envoy's may be written in snake_case or lowerCamelCase.
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
  std::size_t begin = 0;  // where it stands in the text, in bytes
  std::size_t length = 1;
};

using Path = std::vector<PathStep>;

// What is wrong with a path, in itself or for a document.
struct PathProblem {
  std::string message;  // "`clients` has no element `gateway`"
  std::string label;    // "no element of this name"
  std::string help;     // "did you mean `gw`?"; may be empty
  std::size_t begin = 0;
  std::size_t length = 1;
};

[[nodiscard]] std::variant<Path, PathProblem> parse_path(std::string_view text);

// Puts the value at every place of the path. Keys that are not there yet are added, with objects around them, for the
// schema to judge; elements must be there. A bare number takes the unit of the text that it replaces: 500 instead of
// 200rps is 500rps, and stays text where text was. After a problem the document is to be thrown away.
[[nodiscard]] std::optional<PathProblem> assign(documents::Node& root, const Path& path,
                                                const documents::Node& value);

// The last key of the path: "rate".
[[nodiscard]] std::string last_key(const Path& path);

}  // namespace spillway::sweep
