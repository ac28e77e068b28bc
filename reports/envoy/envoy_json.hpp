// Envoy's messages in protobuf's JSON: what several of them are made of.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "models/config/locality.hpp"
#include "models/config/metadata.hpp"
#include "models/config/slow_start.hpp"

namespace spillway::reports::envoy_export {

using Json = nlohmann::ordered_json;

// "1.5s".
[[nodiscard]] Json duration_json(std::chrono::nanoseconds time);

// envoy.type.v3.Percent.
[[nodiscard]] Json percent_json(config::Percent percent);

[[nodiscard]] Json locality_json(const config::Locality& locality);

// google.protobuf.Struct, and envoy.config.core.v3.Metadata with it as what the filter "envoy.lb" reads.
[[nodiscard]] Json struct_json(const config::Struct& fields);
[[nodiscard]] Json lb_metadata_json(const config::Struct& fields);

// google.protobuf.Any: `type` without "type.googleapis.com/".
[[nodiscard]] Json any_json(const std::string& type, const Json& message = Json::object());

// envoy.config.core.v3.TypedExtensionConfig.
[[nodiscard]] Json extension_json(const std::string& name, const std::string& type, Json message = Json::object());

// envoy.config.core.v3.RuntimeDouble, under a key that no runtime layer sets.
[[nodiscard]] Json runtime_double_json(double value);

[[nodiscard]] Json socket_address_json(const std::string& ip, std::uint32_t port);

}  // namespace spillway::reports::envoy_export
