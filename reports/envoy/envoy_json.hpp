// Helpers that write Envoy's messages in protobuf's JSON.
#pragma once

#include <string>

#include "models/documents/json_writer.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/metadata.hpp"

namespace spillway::reports::envoy_export {

using Json = documents::JsonText;

// Returns a message as JSON, as its description writes it.
template <class T>
[[nodiscard]] Json message_json(const T& message) {
  return Json::of(messages::write_message(message));
}

// Returns a google.protobuf.Any; `type` lacks "type.googleapis.com/".
[[nodiscard]] Json any_json(const std::string& type, const Json& message = Json::object());

// Returns an envoy.config.core.v3.TypedExtensionConfig.
[[nodiscard]] Json extension_json(const std::string& name, const std::string& type,
                                  const Json& message = Json::object());

[[nodiscard]] Json socket_address_json(const std::string& ip, std::uint32_t port);

}  // namespace spillway::reports::envoy_export
