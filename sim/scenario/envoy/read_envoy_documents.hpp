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

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario {

// One request, as a client sends it.
struct RequestDescription {
  std::string listener;  // its name, or "address:port" or ":port"; empty: the one whose routes take the request
  std::string host;      // of :authority; empty: "*" matches it alone
  std::string path = "/";
  std::string routes = {};  // the name of the RouteConfiguration that it goes by; empty: whichever takes it
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::string> source = {};  // "10.0.0.1:40000"; none: not known, so that a hash of it may be any
};

// Requests that stand for the routes of a proxy's documents.
struct DescribedRoutes {
  std::vector<RequestDescription> requests = {};
  std::vector<std::string> passed_over = {};  // routes without one, with the reason
};

struct EnvoyOptions {
  std::string cluster;  // the cluster that the requests go to; needed where there are several and no request
  std::optional<RequestDescription> request = {};
  // Endpoints from another source than the documents, such as /clusters, by the cluster's name. They count for a
  // cluster whose documents have none, and for one that looks names up.
  std::vector<config::ClusterLoadAssignment> memberships = {};
  std::map<std::string, std::vector<std::string>> resolve = {};  // addresses of names
  std::set<std::string> without = {};                            // keys that are left out of every message
  std::optional<config::EnvoyProfile> profile = {};              // instead of the release that the documents tell
};

// Of texts with the names of their files.
[[nodiscard]] Reading read_envoy_texts(Sources sources, const EnvoyOptions& options = {});

// A scenario file or Envoy's documents; which of them, their keys say.
[[nodiscard]] Reading read_share_input(const std::vector<std::string>& paths, const EnvoyOptions& options = {});

}  // namespace spillway::scenario
