// What a document or a resource is: by its "@type", else by its keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::proxy {

enum class Kind : std::uint8_t {
  scenario,
  bootstrap,
  cluster_list,  // an object with a list of `clusters` and nothing else
  cluster,
  load_assignment,
  route_configuration,
  scoped_route_configuration,
  listener,
  discovery_response,
  secret,
  counters,     // what /clusters and /stats answer in JSON
  server_info,  // what /server_info answers
  kubernetes,   // an object of Kubernetes, of whatever kind
  other
};

// What a document is, by its keys.
[[nodiscard]] Kind kind_of(const documents::Node& root);

// What a message is, by its "@type" without what stands before the last slash. `other`: none of those above.
[[nodiscard]] Kind kind_of_type(std::string_view type);

// The value of a key in snake_case or in lowerCamelCase; null: there is none.
[[nodiscard]] const documents::Node* find_value(const documents::Node& object, std::string_view key);
[[nodiscard]] documents::Node* find_value(documents::Node& object, std::string_view key);

// Takes such a key out.
void erase_key(documents::Node& object, std::string_view key);

// Whether such a key is there, and true.
[[nodiscard]] bool is_true(const documents::Node& object, std::string_view key);

// The text of such a key; empty: there is none.
[[nodiscard]] std::string text_at(const documents::Node& object, std::string_view key);

// The items of a list under such a key, in their order; none: there is none.
[[nodiscard]] std::vector<const documents::Node*> items_at(const documents::Node& object, std::string_view key);

// "@type" without what stands before the last slash; empty: there is none.
[[nodiscard]] std::string type_of(const documents::Node& object);

}  // namespace spillway::proxy
