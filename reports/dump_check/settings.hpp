// A cluster's settings as a list of names and values, for comparing two clusters.
//
//   settings_of(cluster).at("outlier_detection.consecutive_5xx");   // "5"
#pragma once

#include <map>
#include <string>

#include "models/documents/forward.hpp"
#include "models/envoy/forward.hpp"

namespace spillway::reports::held {

// Settings by Envoy's field names, defaults included. A missing block has no entry; a block without fields is "set".
using Settings = std::map<std::string, std::string>;

[[nodiscard]] Settings settings_of(const envoy::Cluster& cluster);

// Returns settings of a Cluster in a proxy's documents that a DestinationRule sets and no share depends on: connection
// timeouts and limits.
[[nodiscard]] Settings connection_settings_of(const documents::Node& cluster);

// Returns "1.5 s" for "1.500s"; returns the text unchanged if it is not a time.
[[nodiscard]] std::string time_text(const std::string& written);

}  // namespace spillway::reports::held
