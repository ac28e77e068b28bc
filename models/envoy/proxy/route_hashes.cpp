#include "models/envoy/proxy/route_hashes.hpp"

#include "models/documents/diagnostic.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/route_tables.hpp"

namespace spillway::proxy {

using documents::Node;

RouteHashes::RouteHashes(const Documents& documents, const Index& index) : known_(!documents.listeners_discovered) {
  const RequestDescription any;
  Diagnostics ignored;  // documents without listeners and routes
  for (const Entrance& entrance : entrances(documents, index, any, request_of(any), ignored)) {
    known_ = known_ && entrance.missing.empty() &&
             (entrance.manager == nullptr || find_value(*entrance.manager, "scoped_routes") == nullptr);
    if (entrance.tcp_proxy != nullptr) {
      add_action(*entrance.tcp_proxy);
    }
    for (const Node* const configuration : entrance.routes) {
      add_routes(*configuration);
    }
  }
}

void RouteHashes::add_routes(const Node& configuration) {
  known_ = known_ && find_value(configuration, "vhds") == nullptr;
  for (const Node* const host : items_at(configuration, "virtual_hosts")) {
    for (const Node* const route : routes_of(*host)) {
      if (const Node* const action = find_value(*route, "route")) {
        add_action(*action);
      }
    }
  }
}

void RouteHashes::add_action(const Node& action) {
  const bool hashed = !items_at(action, "hash_policy").empty();
  std::set<std::string>& names = hashed ? hashed_ : unhashed_;
  if (const Node* const cluster = find_value(action, "cluster")) {
    names.insert(cluster->text);
  } else if (const Node* const weighted = find_value(action, "weighted_clusters")) {
    for (const Node* const part : items_at(*weighted, "clusters")) {
      names.insert(text_at(*part, "name"));
    }
  } else if (hashed) {
    known_ = false;  // a header or a plugin names the cluster of each request
  }
}

bool RouteHashes::none_for(const std::string& cluster) const {
  return known_ && unhashed_.contains(cluster) && !hashed_.contains(cluster);
}

}  // namespace spillway::proxy
