// The options for Envoy's documents: a cluster or a described request, and other facts about the proxy.
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

// A request as sent by a client.
struct RequestDescription {
  std::string listener;  // its name, "address:port" or ":port"; if empty, the one whose routes match
  std::string host;      // of :authority; if empty, only "*" matches
  std::string path = "/";
  std::string routes = {};  // the name of its RouteConfiguration; if empty, any that matches
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::string> source = {};  // "10.0.0.1:40000"; nullopt if unknown, so its hash is arbitrary
};

// Sample requests for the routes of a proxy's documents.
struct DescribedRoutes {
  std::vector<RequestDescription> requests = {};
  std::vector<std::string> passed_over = {};  // routes without a request, with the reason
};

// Returns the request as Envoy sees it.
[[nodiscard]] envoy::routes::Request request_of(const RequestDescription& description);

struct EnvoyOptions {
  std::string cluster;  // the requests' cluster; required if there are several and no request
  std::optional<RequestDescription> request = {};
  // Endpoints from a source other than the documents, e.g. /clusters, by the cluster's name. Used for clusters without
  // endpoints in the documents, and for those that resolve names.
  std::vector<config::ClusterLoadAssignment> memberships = {};
  std::map<std::string, std::vector<std::string>> resolve = {};  // addresses of names
  std::set<std::string> without = {};                            // keys removed from every message
  std::optional<config::EnvoyProfile> profile = {};              // overrides the release found in the documents
  bool checked = false;  // check every field of handwritten documents (api/check_document.hpp)
};

}  // namespace spillway::proxy
