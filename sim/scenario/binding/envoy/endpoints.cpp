#include "sim/scenario/binding/envoy/endpoints.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "models/config/each_endpoint.hpp"
#include "models/config/listed_health.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/cluster_config.hpp"
#include "models/envoy/proxy/cluster_refusals.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/drop_overload.hpp"
#include "models/envoy/proxy/locality_lints.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/routes/address.hpp"
#include "sim/scenario/binding/envoy/places.hpp"
#include "sim/scenario/binding/envoy/read_cluster.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

bool looks_names_up(const std::string& type) {
  return type == "STRICT_DNS" || type == "LOGICAL_DNS";
}

// Returns "backend.example" of "backend.example:80".
std::string host_of(const std::string& address) {
  return address.substr(0, address.find_last_of(':'));
}

bool is_name(const config::LbEndpoint& endpoint) {
  return !envoy::routes::parse_ip_address(endpoint.address) && endpoint.address.find(':') != std::string::npos &&
         !endpoint.address.starts_with("envoy://");
}

bool has_names(const config::ClusterLoadAssignment& assignment) {
  return config::any_endpoint(assignment, is_name);
}

// Removes repeated addresses: an EDS cluster keeps an address once, where it is listed first
// (docs/behaviour/envoy-before-pick.md 1.1).
void drop_repeated(config::ClusterLoadAssignment& assignment) {
  std::set<std::string> seen;
  for (auto& entry : assignment.endpoints) {
    std::erase_if(entry.lb_endpoints, [&](const auto& endpoint) { return !seen.insert(endpoint.address).second; });
  }
}

bool has_unhealthy(const config::ClusterLoadAssignment& assignment) {
  return std::any_of(assignment.endpoints.begin(), assignment.endpoints.end(), [](const auto& entry) {
    return std::any_of(entry.lb_endpoints.begin(), entry.lb_endpoints.end(),
                       [](const auto& host) { return host.health_status == config::HealthStatus::unhealthy; });
  });
}

// Restores DRAINING, which a dump prints as UNHEALTHY, from the cluster's own configuration in the documents.
void take_draining(const std::vector<config::LocalityLbEndpoints>& configured, config::ClusterLoadAssignment& live) {
  std::set<std::string> draining;
  for (const config::LocalityLbEndpoints& entry : configured) {
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      if (endpoint.health_status == config::HealthStatus::draining) {
        draining.insert(endpoint.address);
      }
    }
  }
  config::for_each_endpoint(live, [&](config::HostIndex, config::LbEndpoint& endpoint) {
    if (endpoint.health_status == config::HealthStatus::unhealthy && draining.contains(endpoint.address)) {
      endpoint.health_status = config::HealthStatus::draining;
    }
  });
}

std::map<std::string, config::HealthStatus> health_of(const config::ClusterLoadAssignment& assignment) {
  std::map<std::string, config::HealthStatus> health;
  config::for_each_endpoint(assignment, [&](config::HostIndex, const config::LbEndpoint& endpoint) {
    health.emplace(endpoint.address, config::listed_health(endpoint.health_status));
  });
  return health;
}

// Warns of health in /clusters for a cluster whose load assignment is in the documents.
void warn_of_unused_health(const ReadCluster& cluster, const config::ClusterLoadAssignment& used,
                           const config::ClusterLoadAssignment& reported, Diagnostics& problems) {
  const auto health = health_of(used);
  std::size_t others = 0;
  std::string first;
  for (const auto& [address, status] : health_of(reported)) {
    const auto own = health.find(address);
    if (own != health.end() && own->second != status) {
      first = others++ == 0 ? address : first;
    }
  }
  if (others == 0) {
    return;
  }
  const std::string more = others > 1 ? " and " + std::to_string(others - 1) + " more" : "";
  problems
      .warning("SP237", cluster.where, "health in /clusters that is not used", "there `{}`{}{} another health",
               {first, more, others > 1 ? " have" : " has"})
      .note("the cluster has a load assignment in the documents, whose health is used")
      .help("write `health_status` of its endpoints in the load assignment");
}

Span place_of_type(const ReadCluster& cluster) {
  return cluster.written.type.present ? cluster.written.type.where : cluster.written.cluster_type.key;
}

}  // namespace

void EndpointReader::read(const ReadCluster& cluster, Service& service) {
  const config::ClusterLoadAssignment* const reported = membership(service.name);
  if (!read_from(cluster, reported, service) && reported != nullptr) {
    warn_of_unused_health(cluster, service.load_assignment, *reported, problems_);
  }
}

bool EndpointReader::read_from(const ReadCluster& cluster, const config::ClusterLoadAssignment* reported,
                               Service& service) {
  const messages::WholeCluster& written = cluster.written;
  const bool eds = cluster.type == "EDS";
  const std::string service_name = written.eds_cluster_config->service_name.value_or("");
  const proxy::Resource* const apart = index_.load_assignment(service_name.empty() ? service.name : service_name);
  const bool within = written.load_assignment.present && !(eds && written.load_assignment->endpoints.empty());
  if (apart != nullptr && (eds || !within || apart->live)) {
    if (written.load_assignment.present && !apart->live) {
      problems_
          .warning("SP211", written.load_assignment.key, "a load assignment that Envoy ignores",
                   "this EDS cluster takes its ClusterLoadAssignment document")
          .note("of an EDS cluster Envoy reads the ClusterLoadAssignment that EDS sends, its policy included");
    }
    WholeLoadAssignment assignment;
    proxy::read_resource(*apart, assignment, "the load assignment", problems_);
    read_written(assignment, cluster, apart->live, service);
    if (apart->live && within) {
      take_draining(written.load_assignment->endpoints, service.load_assignment);
      read_policy(written.load_assignment->policy, cluster.type, service.load_assignment);
    } else if (apart->live && has_unhealthy(service.load_assignment)) {
      scenario_.assumptions.push_back(
          "the unhealthy hosts of " + in_ticks(service.name) +
          " may be draining, ejected or failed ones: a dump prints all as UNHEALTHY, and has neither "
          "weighted_priority_health nor drop_overloads");
    }
  } else if (reported != nullptr && (!within || looks_names_up(cluster.type))) {
    service.load_assignment.endpoints = reported->endpoints;
    if (written.load_assignment.present) {
      read_policy(written.load_assignment->policy, cluster.type, service.load_assignment);
    }
    proxy::LocalityPlaces places;
    places.weighting = proxy::weighting_place(written, service.cluster);
    proxy::warn_of_missing_weights(service.cluster, service.load_assignment, places, problems_);
    add_hosts(service);
    return true;
  } else if (within) {
    read_written(*written.load_assignment, cluster, false, service);
  } else if (eds) {
    problems_
        .error("SP136", cluster.where, "a cluster without its load assignment",
               "no ClusterLoadAssignment of `{}` among the documents", {service.name})
        .help(
            "give the file with its ClusterLoadAssignment too, the output of curl ADMIN/config_dump?include_eds, or "
            "the output of /clusters with it");
  }
  return false;
}

const config::ClusterLoadAssignment* EndpointReader::membership(const std::string& cluster) const {
  const auto found = std::find_if(options_.memberships.begin(), options_.memberships.end(),
                                  [&](const auto& membership) { return membership.cluster_name == cluster; });
  return found == options_.memberships.end() ? nullptr : &*found;
}

void EndpointReader::read_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                                 const std::string& type, config::ClusterLoadAssignment& assignment) {
  proxy::take_policy(policy, assignment, problems_);
  if (!policy.endpoint_stale_after) {
    return;
  }
  const Span where = policy.source.place_of("endpoint_stale_after").value_or(Span{});
  problems_.push_back(
      type == "EDS" ? warning("SP215", where, "a load assignment that goes stale",
                              "after this time without a new one the cluster has no endpoints")
                          .note("shares are those before; a scenario with `load_assignments` simulates the time after")
                    : warning("SP216", where, "`endpoint_stale_after` without effect", "no cluster of type EDS")
                          .note("Envoy reads it only in clusters of type EDS"));
}

void EndpointReader::read_written(const WholeLoadAssignment& written, const ReadCluster& cluster, bool live,
                                  Service& service) {
  if (!live) {
    proxy::refuse_addresses(cluster.type, written.source, cluster.where, problems_);
  }
  warn_of_ignored(written.source);
  config::ClusterLoadAssignment& assignment = service.load_assignment;
  read_policy(written.policy, cluster.type, assignment);
  proxy::LocalityPlaces places;
  places.weighting = proxy::weighting_place(cluster.written, service.cluster);
  places.typed_policy = cluster.written.load_balancing_policy.present;
  assignment.endpoints = written.endpoints;
  const std::vector<messages::Source> sources = written.source.items_of("endpoints");
  for (std::size_t i = 0; i < assignment.endpoints.size(); ++i) {
    config::LocalityLbEndpoints& entry = assignment.endpoints[i];
    places.priorities.emplace(entry.priority, sources[i].place_of("priority").value_or(sources[i].object->span));
    read_locality_weight(sources[i], entry, places.weight);
  }
  if (cluster.type == "EDS") {
    drop_repeated(assignment);
  } else if (looks_names_up(cluster.type)) {
    resolve_names(cluster, assignment);
  }
  proxy::warn_of_idle_localities(service.cluster, assignment, places, problems_);
  add_hosts(service);
}

void EndpointReader::resolve_names(const ReadCluster& cluster, config::ClusterLoadAssignment& assignment) {
  for (auto& entry : assignment.endpoints) {
    std::vector<config::LbEndpoint> resolved;
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      const std::string name = host_of(endpoint.address);
      const auto known = options_.resolve.find(name);
      if (known == options_.resolve.end()) {
        resolved.push_back(endpoint);
        continue;
      }
      // LOGICAL_DNS has one host, whichever address comes first.
      const std::size_t hosts = cluster.type == "LOGICAL_DNS" ? 1 : known->second.size();
      for (std::size_t i = 0; i < hosts; ++i) {
        config::LbEndpoint host = endpoint;
        const std::string& ip = known->second[i];
        host.address = (ip.find(':') == std::string::npos ? ip : "[" + ip + "]") + endpoint.address.substr(name.size());
        host.hostname = host.hostname.empty() ? name : host.hostname;
        resolved.push_back(std::move(host));
      }
    }
    entry.lb_endpoints = std::move(resolved);
  }
  if (cluster.type == "STRICT_DNS" && has_names(assignment)) {
    problems_
        .warning("SP204", place_of_type(cluster), "names that are resolved later", "each name is counted as one host")
        .help("--resolve NAME=ADDRESS,... sets their addresses");
  }
}

// Warns of endpoints that Envoy accepts and never uses (tried on Envoy 1.40).
void EndpointReader::warn_of_ignored(const messages::Source& assignment) {
  const auto warn = [&](const messages::Source& message, const char* field) {
    if (const auto where = message.key_of(field)) {
      problems_.warning("SP225", *where, "endpoints that Envoy ignores", "they make no hosts")
          .note("Envoy takes its hosts from `lb_endpoints` with an `endpoint` in each entry, and from nowhere else");
    }
  };
  warn(assignment, "named_endpoints");
  for (const messages::Source& entry : assignment.items_of("endpoints")) {
    warn(entry, "load_balancer_endpoints");
  }
}

// Reads an entry's weight. Envoy applies it to the entry's `locality`, which may be the empty one.
void EndpointReader::read_locality_weight(const messages::Source& written, config::LocalityLbEndpoints& entry,
                                          std::optional<Span>& first_weight) {
  if (!entry.load_balancing_weight) {
    return;
  }
  const std::optional<Span> where = written.place_of("load_balancing_weight");
  if (!written.member("locality")) {
    problems_
        .warning("SP208", *where, "weights of localities without effect", "the weight of an entry without a `locality`")
        .help("write `locality: {}` beside it");
    entry.load_balancing_weight.reset();
    return;
  }
  first_weight = first_weight ? first_weight : where;
}

void EndpointReader::add_hosts(Service& service) {
  for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    const config::NodeIndex node = places_.node_of(entry.locality);
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(scenario_.endpoints.size())}});
      scenario_.endpoints.push_back({endpoint.address, node, Nanoseconds{0}});
    }
  }
}

}  // namespace spillway::scenario::envoy_binding
