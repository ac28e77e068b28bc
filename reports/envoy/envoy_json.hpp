// Envoy's messages in protobuf's JSON: what several of them are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/documents/node_json.hpp"
#include "models/envoy/api/described.hpp"
#include "models/envoy/api/metadata.hpp"

namespace spillway::reports::envoy_export {

using Json = nlohmann::ordered_json;

// A message, as its description writes it.
template <class T>
[[nodiscard]] Json message_json(const T& message) {
  return json_of(messages::write_message(message));
}

// envoy.config.core.v3.Metadata with this as what the filter "envoy.lb" reads.
[[nodiscard]] inline Json lb_metadata_json(const config::Struct& fields) {
  return json_of(messages::LbMetadata{}.write(fields));
}

// google.protobuf.Any: `type` without "type.googleapis.com/".
[[nodiscard]] Json any_json(const std::string& type, const Json& message = Json::object());

// envoy.config.core.v3.TypedExtensionConfig.
[[nodiscard]] Json extension_json(const std::string& name, const std::string& type,
                                  const Json& message = Json::object());

[[nodiscard]] Json socket_address_json(const std::string& ip, std::uint32_t port);

}  // namespace spillway::reports::envoy_export
