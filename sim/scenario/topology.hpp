// Where endpoints and clients run: zones, nodes, and the links between zones.
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

// An Envoy locality without its sub_zone: (region, zone).
struct Zone {
  std::string name;    // unique: `region/zone` where the scenario has zones of this name in several regions
  std::string region;  // may be empty
  std::optional<std::string> locality_zone = {};  // Envoy's locality.zone; none: the name
};

// Where endpoints and clients run. A zone without nodes in the file has one of its own name.
struct Node {
  std::string name;
  config::ZoneIndex zone;
  std::string sub_zone;  // may be empty
  std::map<std::string, std::string> labels = {};
  // The cores that those of its endpoints share which have none of their own; none: without limit.
  std::optional<Servers> servers = {};
};

// Between two different zones, both ways. Zones without a link have no latency between them.
struct Link {
  config::ZoneIndex first;
  config::ZoneIndex second;
  Nanoseconds latency{0};  // one way: the mean
  Nanoseconds jitter{0};   // by which a request may take less or more each way; at most the latency
  // Bits a second, each way for itself; none: without limit. Limits in platform mode alone.
  std::optional<double> bandwidth = {};
  double price = 0.0;  // of 10^9 bytes that cross it, in the scenario's currency
};

// The link that joins two zones, if there is one. Linear in links.
[[nodiscard]] std::optional<config::LinkIndex> link_between(const Scenario& scenario, config::ZoneIndex one,
                                                            config::ZoneIndex other);

// The name of a zone that shares its own with zones of other regions: `region/zone`, `/zone` without a region, and the
// region alone without a zone.
[[nodiscard]] std::string name_with_region(const std::string& region, const std::string& zone);

// True if a text of the file means this zone: its name, or its region and name.
[[nodiscard]] bool is_called(const Zone& zone, const std::string& text);

// Envoy's locality of what runs on a node.
[[nodiscard]] config::Locality locality_of(const Scenario& scenario, config::NodeIndex node);

}  // namespace spillway::scenario
