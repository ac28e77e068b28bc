#include <algorithm>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/proxy/cluster_config.hpp"
#include "models/envoy/proxy/drop_overload.hpp"
#include "models/envoy/proxy/locality_lints.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

// Returns the service that a message is about, unless another message of its kind already has it.
std::optional<std::uint32_t> take_service(const Services& so_far, const Field<std::string>& name, const char* kind,
                                          std::vector<std::optional<Span>>& taken) {
  const auto service = so_far.services.resolve(name, so_far.problems);
  if (!service) {
    return std::nullopt;
  }
  if (taken[*service]) {
    so_far.problems.error("SP101", name.where, "a second {} `{}`", "this service has one already", {kind, *name})
        .note("the first one is in {}", {place(*taken[*service])});
    return std::nullopt;
  }
  taken[*service] = name.where;
  return service;
}

// Refuses locality weights with subsets in profile seed: they work together since Envoy 1.8
// (docs/behaviour/versions-host-pick.md 3).
void refuse_weights_of_subsets(const Header& so_far, const Field<messages::Cluster>& field,
                               const envoy::Cluster& cluster) {
  const bool weighted =
      std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier);
  if (so_far.scenario.profile.envoy == config::EnvoyProfile::seed && weighted &&
      std::holds_alternative<envoy::policies::subset::Config>(cluster.lb_policy)) {
    const auto legacy = field->source.within("common_lb_config").key_of("locality_weighted_lb_config");
    so_far.problems
        .error("SP143", legacy.value_or(field->load_balancing_policy.key),
               "locality weights with subsets under profile seed", "Envoy 1.6 cannot combine the two")
        .help("write `profile: { envoy: current }` to see what today's Envoy does");
  }
}

void read_cluster(Clusters& so_far, const Field<messages::Cluster>& field, std::vector<std::optional<Span>>& taken) {
  const auto index = take_service(so_far, field->name, "cluster", taken);
  proxy::ClusterConfig config = proxy::read_cluster_config(*field, so_far.problems);
  if (!config.request_policies.empty()) {
    so_far.problems.error("SP301", config.request_policies.where,
                          "policies of a cluster are not supported yet in a scenario",
                          "write `hash_policy` and `retry_policy` in the route");
  }
  for (const auto& child : config.children) {
    const auto found = so_far.services.resolve(child, so_far.problems);
    if (found && found == index) {
      so_far.problems.error("SP103", child.where, "an aggregate cluster of itself", "must be another one");
    }
  }
  if (config.hosts_by_request && !config.cluster.original_dst) {
    so_far.problems.error("SP302", *config.hosts_by_request, "a dynamic forward proxy is not supported in a scenario",
                          "each request names its own host");
  }
  if (!index) {
    return;
  }
  Service& service = so_far.scenario.services[*index];
  if (config.aggregate && !service.hosts.empty()) {
    so_far.problems.error("SP128", field->cluster_type.key, "an aggregate cluster with endpoints",
                          "`{}` has endpoints of its own", {service.name});
  }
  refuse_weights_of_subsets(so_far, field, config.cluster);
  service.cluster = std::move(config.cluster);
}

// Checks that each service has endpoints, unless other clusters provide them.
void check_endpoints(const Header& so_far) {
  for (std::size_t i = 0; i < so_far.file.services.value.size() && i < so_far.scenario.services.size(); ++i) {
    const auto& field = so_far.file.services.value[i];
    const bool is_aggregate =
        std::any_of(so_far.file.clusters.value.begin(), so_far.file.clusters.value.end(), [&](const auto& cluster) {
          return proxy::lacks_endpoints(*cluster) && (!cluster->name || *cluster->name == field->name.value_or(""));
        });
    if (field && !field->endpoints.present && !is_aggregate &&
        so_far.file.clusters.present == so_far.file.clusters.given) {
      so_far.problems
          .error("SP128", field->name ? field->name.where : field.where, "a service without endpoints",
                 "has no endpoint")
          .help("write `endpoints`, or make it an aggregate in `clusters` by cluster_type");
    }
  }
}

// True if the part matches. A part that is left out, or could not be read, matches anything.
bool matches(const messages::Source& locality, const char* part, const std::string& written, const std::string& its) {
  const documents::Member* const said = locality.member(part);
  return said == nullptr || said->value.kind != documents::Kind::string || written == its;
}

void read_locality_weight(const Services& so_far, Service& service,
                          const Field<messages::Described<messages::LocalityWeight>>& field) {
  const config::Locality& locality = field->locality;
  const messages::Source source = field->source.within("locality");
  const Field<std::string> zone = source.text("zone", locality.zone);
  if (zone && !source.member("region") && so_far.zones.is_ambiguous(*zone)) {
    static_cast<void>(so_far.zones.resolve(zone, so_far.problems));
    return;
  }
  bool found = false;
  for (config::LocalityLbEndpoints& endpoints : service.load_assignment.endpoints) {
    if (endpoints.priority == field->priority &&
        matches(source, "region", locality.region, endpoints.locality.region) &&
        matches(source, "zone", locality.zone, endpoints.locality.zone) &&
        matches(source, "sub_zone", locality.sub_zone, endpoints.locality.sub_zone)) {
      found = true;
      if (field->load_balancing_weight) {
        endpoints.load_balancing_weight = field->load_balancing_weight;
      }
    }
  }
  if (!found && !so_far.endpoints.incomplete() && !so_far.zones.incomplete()) {
    so_far.problems
        .error("SP132", zone ? zone.where : field.where, "a locality without endpoints",
               "no endpoint of `{}` at priority {} is in it", {service.name, field->priority.value})
        .note("{}", {so_far.zones.note()});
  }
}

// Refuses another factor under profile seed: the page of 1.6 has 1.4 in its code (docs/profiles.md). It is configurable
// since 1.8.
void refuse_factor_of_the_seed(const Header& so_far, const messages::LoadAssignment& written,
                               const config::ClusterLoadAssignment& assignment) {
  constexpr std::uint32_t hard_coded = 140;
  if (so_far.scenario.profile.envoy == config::EnvoyProfile::seed && assignment.overprovisioning_factor != hard_coded) {
    so_far.problems
        .error("SP168", written.policy->source.place_of("overprovisioning_factor").value_or(written.policy.where),
               "an overprovisioning factor under profile seed", "the documents of Envoy 1.6 hard-code 140")
        .help("leave it out, or write `profile: { envoy: current }` to see what today's Envoy does");
  }
}

void read_load_assignment(Clusters& so_far, const messages::LoadAssignment& written,
                          std::vector<std::optional<Span>>& taken) {
  const auto index = take_service(so_far, written.cluster_name, "load assignment", taken);
  if (!index) {
    return;
  }
  Service& service = so_far.scenario.services[*index];
  proxy::take_policy(*written.policy, service.load_assignment, so_far.problems);
  refuse_factor_of_the_seed(so_far, written, service.load_assignment);
  for (const auto& endpoints : *written.endpoints) {
    read_locality_weight(so_far, service, endpoints);
  }
}

void check_weight_sums(const Header& so_far, const std::vector<std::optional<Span>>& clusters) {
  for (std::size_t i = 0; i < so_far.scenario.services.size() && i < clusters.size(); ++i) {
    const Service& service = so_far.scenario.services[i];
    if (clusters[i]) {
      proxy::refuse_weight_sums(service.cluster, service.load_assignment, *clusters[i], so_far.problems);
      proxy::warn_of_equal_keys(service.cluster, service.load_assignment, *clusters[i], so_far.problems);
    }
  }
}

proxy::LocalityPlaces places_of(const Services& so_far, std::uint32_t service) {
  proxy::LocalityPlaces places;
  const auto is_its = [&](const Field<std::string>& name) { return name && so_far.services.find(*name) == service; };
  for (const auto& cluster : so_far.file.clusters.value) {
    if (is_its(cluster->name)) {
      places.typed_policy = cluster->load_balancing_policy.present;
      places.weighting = proxy::weighting_place(*cluster, so_far.scenario.services[service].cluster);
    }
  }
  for (const auto& assignment : so_far.file.load_assignments.value) {
    if (is_its(assignment->cluster_name) && !assignment->endpoints->empty()) {
      places.weight = assignment->endpoints->front()->source.place_of("load_balancing_weight").value_or(Span{});
    }
  }
  for (const auto& group : so_far.file.services.value[service]->endpoints.value) {
    if (group->priority) {
      places.priorities.emplace(config::Priority{static_cast<std::uint32_t>(*group->priority)}, group->priority.where);
    }
  }
  return places;
}

// Warns of idle localities. Skipped for Kuma documents, which give each class of clients its own load assignment.
void warn_of_idle_localities(const Clusters& so_far) {
  if (!so_far.documents.empty() || has_errors(so_far.problems)) {
    return;
  }
  for (std::uint32_t service = 0; service < so_far.file.services.value.size(); ++service) {
    const Service& of = so_far.scenario.services[service];
    proxy::warn_of_idle_localities(of.cluster, of.load_assignment, places_of(so_far, service), so_far.problems);
  }
}

void read_local_cluster(Clusters& so_far) {
  const auto index = so_far.services.resolve(so_far.file.local_cluster, so_far.problems);
  if (!index) {
    return;
  }
  const auto& localities = so_far.scenario.services[*index].load_assignment.endpoints;
  if (std::any_of(localities.begin(), localities.end(), [](const auto& entry) { return entry.priority.value != 0; })) {
    so_far.problems
        .error("SP129", so_far.file.local_cluster.where, "a local cluster with several priorities",
               "has endpoints beyond priority 0")
        .note("Envoy refuses it");
  }
  so_far.scenario.local_cluster = config::ServiceIndex{*index};
}

}  // namespace

Clusters read_clusters(Endpoints endpoints) {
  Clusters so_far{std::move(endpoints)};
  std::vector<std::optional<Span>> clusters(so_far.services.count());
  for (const auto& field : so_far.file.clusters.value) {
    read_cluster(so_far, field, clusters);
  }
  std::vector<std::optional<Span>> assignments(so_far.services.count());
  for (const auto& field : so_far.file.load_assignments.value) {
    read_load_assignment(so_far, *field, assignments);
  }
  check_endpoints(so_far);
  check_weight_sums(so_far, clusters);
  read_local_cluster(so_far);
  warn_of_idle_localities(so_far);
  return so_far;
}

}  // namespace spillway::scenario::binding
