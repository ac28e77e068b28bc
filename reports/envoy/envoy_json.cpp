#include "reports/envoy/envoy_json.hpp"

#include <cstdint>
#include <utility>

namespace spillway::reports::envoy_export {
Json json_of(const scenario::document::Node& message) {
  using scenario::document::Kind;
  switch (message.kind) {
    case Kind::null:
      break;
    case Kind::boolean:
      return message.boolean;
    case Kind::integer:
      return message.negative ? Json(-static_cast<std::int64_t>(message.magnitude)) : Json(message.magnitude);
    case Kind::number:
      return message.number;
    case Kind::string:
      return message.text;
    case Kind::array: {
      Json array = Json::array();
      for (const auto& item : message.items) {
        array.push_back(json_of(item));
      }
      return array;
    }
    case Kind::object: {
      Json object = Json::object();
      for (const auto& member : message.members) {
        object[member.key] = json_of(member.value);
      }
      return object;
    }
  }
  return nullptr;
}

Json any_json(const std::string& type, const Json& message) {
  Json any = {{"@type", "type.googleapis.com/" + type}};
  any.update(message);
  return any;
}

Json extension_json(const std::string& name, const std::string& type, const Json& message) {
  return {{"name", name}, {"typed_config", any_json(type, message)}};
}

Json socket_address_json(const std::string& ip, std::uint32_t port) {
  return {{"socket_address", {{"address", ip}, {"port_value", port}}}};
}

}  // namespace spillway::reports::envoy_export
