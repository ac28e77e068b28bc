// Where Kuma's documents put things: zones, nodes and endpoints of the scenario, found or added.
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/meaning/context.hpp"

namespace spillway::scenario::meaning {

class KumaPlaces {
 public:
  // It must outlive this.
  explicit KumaPlaces(Context& context) : context_(context), scenario_(context.scenario) {}

  // The zone's node of its labels' hostname, else its first.
  [[nodiscard]] config::NodeIndex node_of(config::ZoneIndex zone, const kuma::Tags& tags) const;

  // With one node of its own name.
  config::ZoneIndex add_zone(const std::string& name, Span where);

  // Zones are those of the file, or if it has none those that documents name. None: SP632 or SP104 is reported.
  std::optional<config::ZoneIndex> zone_of(const std::string& name, Span where);

  config::EndpointIndex add_endpoint(const std::string& id, config::NodeIndex node);

 private:
  Context& context_;
  Scenario& scenario_;
};

// The ingresses and egresses of the documents, and those that are assumed; after the dataplanes.
void read_zone_proxies(Context& context, KumaPlaces& places);

}  // namespace spillway::scenario::meaning
