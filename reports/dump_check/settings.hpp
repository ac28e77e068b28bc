// A cluster's settings as a list of names and values, so that two clusters can be held side by side.
//
//   settings_of(cluster).at("outlier_detection.consecutive_5xx");   // "5"
#pragma once

#include <map>
#include <string>

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::reports::held {

// By Envoy's names of fields, defaults included. A block that is not there is not in it, one without fields is "set".
using Settings = std::map<std::string, std::string>;

[[nodiscard]] Settings settings_of(const envoy::Cluster& cluster);

// Of a Cluster as a proxy's documents have it: what no share depends on and a DestinationRule says all the same:
// timeouts of connections and limits of their use.
[[nodiscard]] Settings connection_settings_of(const documents::Node& cluster);

// "1.5 s" of "1.500s"; as it stands where it is no time.
[[nodiscard]] std::string time_text(const std::string& written);

}  // namespace spillway::reports::held
