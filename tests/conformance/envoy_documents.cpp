#include "tests/conformance/envoy_documents.hpp"

#include <stdexcept>
#include <utility>

#include "models/envoy/api/endpoints.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/proxy/cluster_config.hpp"
#include "models/envoy/proxy/drop_overload.hpp"
#include "sim/scenario/binding/routes.hpp"
#include "tests/conformance/messages.hpp"

namespace spillway::conformance {

namespace {

// What a message whose fields stand with their places says; `problems`: of whatever it is asked for next, too.
template <class Written>
Written read_written(const documents::Node& node, Diagnostics& problems) {
  Written message;
  static_cast<void>(grammar::Record<Written>{}.read(node, message, "the message", problems));
  return message;
}

void require_taken(const Diagnostics& problems, const json& object) {
  if (const auto refused = refusal_among(problems, object)) {
    throw_refused(*refused, object);
  }
}

EnvoyCluster read_whole_cluster(const json& object, Diagnostics& problems) {
  const documents::Node node = node_of(object);
  const auto cluster = read_written<messages::WholeCluster>(node, problems);
  const bool own_endpoints = cluster.load_assignment.present;
  EnvoyCluster result{proxy::read_cluster_config(cluster, problems, own_endpoints).cluster, {}};
  result.load_assignment.cluster_name = cluster.load_assignment->cluster_name;
  result.load_assignment.endpoints = cluster.load_assignment->endpoints;
  proxy::take_policy(cluster.load_assignment->policy, result.load_assignment, problems);
  proxy::refuse_weight_sums(result.cluster, result.load_assignment, {}, problems);
  return result;
}

scenario::Route read_whole_route(const json& object, Diagnostics& problems) {
  const documents::Node node = node_of(object);
  const auto route = read_written<messages::Route>(node, problems);
  return scenario::binding::read_route(route, [](const auto&) { return config::ServiceIndex{0}; }, problems);
}

}  // namespace

config::Locality read_locality(const json& locality) {
  return locality.is_null() ? config::Locality{} : read_message<config::Locality>(locality);
}

config::Runtime read_runtime(const json& layer) {
  config::Runtime runtime;
  if (layer.is_null()) {
    return runtime;
  }
  for (const auto& [name, value] : layer.items()) {
    bool known = false;
    for (const config::RuntimeKey& key : config::runtime_keys) {
      if (key.name == name) {
        known = true;
        runtime.*key.value = value.get<std::uint64_t>();
      }
    }
    if (!known) {
      throw std::invalid_argument("unknown runtime key " + name);
    }
  }
  return runtime;
}

EnvoyCluster read_cluster(const json& object) {
  Diagnostics problems;
  EnvoyCluster cluster = read_whole_cluster(object, problems);
  require_taken(problems, object);
  return cluster;
}

scenario::Route read_route(const json& object) {
  Diagnostics problems;
  scenario::Route route = read_whole_route(object, problems);
  require_taken(problems, object);
  return route;
}

config::Refusal refusal_of_documents(const json& clusters, const json& routes) {
  Diagnostics problems;
  for (const json& cluster : clusters) {
    static_cast<void>(read_whole_cluster(cluster, problems));
  }
  for (const json& route : routes) {
    static_cast<void>(read_whole_route(route, problems));
  }
  return refusal_among(problems, clusters);
}

}  // namespace spillway::conformance
