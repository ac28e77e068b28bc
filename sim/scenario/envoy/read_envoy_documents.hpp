// Envoy's own documents as a scenario of one proxy at one moment: for shares straight from a configuration.
//
//   auto reading = scenario::read_share_input({"bootstrap.yaml"}, {.cluster = "backend"});
//
// Read are, in JSON or YAML: a Bootstrap; an object with a list of `clusters`; a Cluster; a ClusterLoadAssignment; a
// discovery response whose `resources` are of the last two. Every field of them is played, or known to have no
// influence on shares, or refused by name; unknown fields are errors. Clusters that no request can reach are not looked
// at.
//
// The scenario has mode exact, one client (node.id, or `envoy`) and a service for each cluster that matters: the one
// asked for, an aggregate's children, and the local cluster. An endpoint's id is `address:port`. There is a zone for
// each region and zone, and a node for each locality.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario {

struct EnvoyOptions {
  std::string cluster;  // the cluster that the requests go to; needed where there are several
};

[[nodiscard]] Reading read_envoy_documents(const std::vector<std::string>& paths, const EnvoyOptions& options = {});

// The same of texts with the names of their files.
[[nodiscard]] Reading read_envoy_texts(Sources sources, const EnvoyOptions& options = {});

// A scenario file or Envoy's documents, told apart by their keys.
[[nodiscard]] Reading read_share_input(const std::vector<std::string>& paths, const EnvoyOptions& options = {});

}  // namespace spillway::scenario
