// What is asked of Envoy's documents: a cluster or a described request, and what else is known of the proxy.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

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

// What Envoy sees of it.
[[nodiscard]] envoy::routes::Request request_of(const RequestDescription& description);

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

}  // namespace spillway::proxy
