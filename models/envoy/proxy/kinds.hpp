// Determines the kind of a document or a resource: by its "@type", else by its keys.
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
  cluster_list,  // an object with only a list of `clusters`
  cluster,
  load_assignment,
  route_configuration,
  scoped_route_configuration,
  listener,
  discovery_response,
  secret,
  counters,     // JSON output of /clusters and /stats
  server_info,  // output of /server_info
  kubernetes,   // any object of Kubernetes
  other
};

// Returns a document's kind, by its keys.
[[nodiscard]] Kind kind_of(const documents::Node& root);

// Returns a message's kind, by its "@type" after the last slash; `other` if it is none of these.
[[nodiscard]] Kind kind_of_type(std::string_view type);

// Returns the message type of a resource of this kind; empty if the kind is not a resource.
[[nodiscard]] std::string_view message_of(Kind kind);

// Returns the snake_case of a key in lowerCamelCase; other keys stay as they are.
[[nodiscard]] std::string in_snake_case(std::string_view key);

// Returns the value of a key, in snake_case or lowerCamelCase; null if there is none.
[[nodiscard]] const documents::Node* find_value(const documents::Node& object, std::string_view key);
[[nodiscard]] documents::Node* find_value(documents::Node& object, std::string_view key);

// Removes a key, in snake_case or lowerCamelCase.
void erase_key(documents::Node& object, std::string_view key);

// True if the key exists, in either spelling, and its value is true.
[[nodiscard]] bool is_true(const documents::Node& object, std::string_view key);

// Returns the text of the key, in either spelling; empty if there is none.
[[nodiscard]] std::string text_at(const documents::Node& object, std::string_view key);

// Returns the items of the list under the key, in either spelling, in order; empty if there is none.
[[nodiscard]] std::vector<const documents::Node*> items_at(const documents::Node& object, std::string_view key);

// Returns "@type" after the last slash; empty if there is none.
[[nodiscard]] std::string type_of(const documents::Node& object);

}  // namespace spillway::proxy
