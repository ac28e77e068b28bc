// Reads Envoy's own documents as a scenario of one proxy at one time: for shares straight from a configuration.
//
//   auto reading = scenario::read_share_input({"config_dump.json"}, {.cluster = "backend"});
//
// Accepted inputs, in JSON or YAML: a /config_dump; a Bootstrap; Clusters, ClusterLoadAssignments, RouteConfigurations
// and Listeners, alone, in lists, in discovery responses, in snapshots, in the output of istioctl, egctl, kumactl and
// kubectl, in ConfigMaps. Files, folders and .tar.gz archives are accepted.
//
// In documents written by hand, every field is simulated, known not to affect shares, or refused by name; unknown
// fields are errors. In documents written by a program, unknown fields are warnings (SP232). Clusters that no request
// can reach are skipped.
//
// The scenario has mode exact and one client (node.id, or `envoy`). It has a service for each cluster that matters: the
// requested one, an aggregate's children, and the local cluster. An endpoint's id is `address:port`. There is one zone
// per region and zone, and one node per locality.
#pragma once

#include <string>
#include <vector>

#include "models/envoy/proxy/options.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario {

// Reads texts; each source has the name of its file.
[[nodiscard]] Reading read_envoy_texts(Sources sources, const proxy::EnvoyOptions& options = {});

// Reads a scenario file or Envoy's documents; their keys decide which.
[[nodiscard]] Reading read_share_input(const std::vector<std::string>& paths, const proxy::EnvoyOptions& options = {});

}  // namespace spillway::scenario
