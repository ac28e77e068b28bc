// The topology: zones, nodes, and the links between zones.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::scenario {

struct Scenario;  // scenario.hpp

// A zone: an Envoy locality (region, zone) without sub_zone.
struct Zone {
  std::string name;                               // unique: `region/zone` if zones of several regions have this name
  std::string region;                             // may be empty
  std::optional<std::string> locality_zone = {};  // Envoy's locality.zone; nullopt if equal to the name
};

// A place for endpoints and clients. A zone without nodes in the file has one node with its name.
struct Node {
  std::string name;
  config::ZoneIndex zone;
  std::string sub_zone;  // may be empty
  std::map<std::string, std::string> labels = {};
  // Cores shared by the node's endpoints that have none of their own; nullopt means no limit.
  std::optional<Servers> servers = {};
};

// A link between two different zones, in both directions. Without a link, the latency between zones is zero.
struct Link {
  config::ZoneIndex first;
  config::ZoneIndex second;
  Nanoseconds latency{0};  // mean, one way
  Nanoseconds jitter{0};   // largest deviation from the latency, either way; at most the latency
  // Limit per direction [bit/s]; nullopt means no limit. Has an effect in platform mode only.
  std::optional<double> bandwidth = {};
  double price = 0.0;  // per 10^9 bytes that cross it, in the scenario's currency
};

// Returns the link between two zones; nullopt if there is none. O(links).
[[nodiscard]] std::optional<config::LinkIndex> link_between(const Scenario& scenario, config::ZoneIndex one,
                                                            config::ZoneIndex other);

// Returns the name of a zone that occurs in several regions: `region/zone`; `/zone` without a region; only the region
// without a zone.
[[nodiscard]] std::string name_with_region(const std::string& region, const std::string& zone);

// True if the text, as written in a file, means this zone: its name, or its region and name.
[[nodiscard]] bool is_called(const Zone& zone, const std::string& text);

// Returns Envoy's locality of a node.
[[nodiscard]] config::Locality locality_of(const Scenario& scenario, config::NodeIndex node);

}  // namespace spillway::scenario
