// Envoy's own documents as a scenario of one proxy at one moment: for shares straight from a configuration.
//
//   auto reading = scenario::read_share_input({"config_dump.json"}, {.cluster = "backend"});
//
// Read are, in JSON or YAML: a /config_dump; a Bootstrap; Clusters, ClusterLoadAssignments, RouteConfigurations and
// Listeners, alone, in lists, in discovery responses, in snapshots, in what istioctl, egctl, kumactl and kubectl print,
// in ConfigMaps. Files, folders and .tar.gz archives of them.
//
// Of what a hand wrote every field is played, or known to have no influence on shares, or refused by name; unknown
// fields are errors. In what a program wrote they are warnings (SP232). Clusters that no request can reach are not
// looked at.
//
// The scenario has mode exact, one client (node.id, or `envoy`) and a service for each cluster that matters: the one
// asked for, an aggregate's children, and the local cluster. An endpoint's id is `address:port`. There is a zone for
// each region and zone, and a node for each locality.
#pragma once

#include <string>
#include <vector>

#include "models/envoy/proxy/options.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario {

// Of texts with the names of their files.
[[nodiscard]] Reading read_envoy_texts(Sources sources, const proxy::EnvoyOptions& options = {});

// A scenario file or Envoy's documents; which of them, their keys say.
[[nodiscard]] Reading read_share_input(const std::vector<std::string>& paths, const proxy::EnvoyOptions& options = {});

}  // namespace spillway::scenario
