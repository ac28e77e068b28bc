// Converts a document to a value of nlohmann::json.
#pragma once

#include <nlohmann/json.hpp>

#include "models/documents/node.hpp"

namespace spillway::documents {

// Converts a node. `Json` is nlohmann::ordered_json, whose members keep the order of the document, or nlohmann::json.
template <class Json = nlohmann::ordered_json>
[[nodiscard]] Json json_of(const Node& node) {
  switch (node.kind) {
    case Kind::null:
      break;
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
      return node.negative ? Json(-static_cast<std::int64_t>(node.magnitude)) : Json(node.magnitude);
    case Kind::number:
      return node.number;
    case Kind::string:
      return node.text;
    case Kind::array: {
      Json array = Json::array();
      for (const Node& item : node.items) {
        array.push_back(json_of<Json>(item));
      }
      return array;
    }
    case Kind::object: {
      Json object = Json::object();
      for (const Member& member : node.members) {
        object[member.key] = json_of<Json>(member.value);
      }
      return object;
    }
  }
  return nullptr;
}

}  // namespace spillway::documents
