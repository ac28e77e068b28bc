#include <algorithm>

#include "sim/scenario/meaning/cluster_config.hpp"
#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/drop_overload.hpp"
#include "sim/scenario/meaning/locality_lints.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;

// The service that a message is about, unless another one of its kind was there already.
std::optional<std::uint32_t> take_service(Context& context, const Field<std::string>& name, const char* kind,
                                          std::vector<std::optional<Span>>& taken) {
  const auto service = context.services.resolve(name, context.problems);
  if (!service) {
    return std::nullopt;
  }
  if (taken[*service]) {
    context.problems.push_back(with_note(error("SP101", "a second " + std::string(kind) + " " + in_ticks(*name),
                                               name.where, "this service has one already"),
                                         "the first one is in " + place(*taken[*service])));
    return std::nullopt;
  }
  taken[*service] = name.where;
  return service;
}

// Subsets learned of locality weights in Envoy 1.8 (docs/behaviour/versions-host-pick.md 3).
void refuse_weights_of_subsets(Context& context, const Field<written::Cluster>& field, const envoy::Cluster& cluster) {
  const bool weighted =
      std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier);
  if (context.scenario.profile.envoy == config::EnvoyProfile::seed && weighted &&
      std::holds_alternative<envoy::policies::subset::Config>(cluster.lb_policy)) {
    const auto legacy = field->source.within("common_lb_config").key_of("locality_weighted_lb_config");
    Diagnostic problem = error("SP143", "locality weights with subsets under profile seed",
                               legacy.value_or(field->load_balancing_policy.key), "Envoy 1.6 cannot combine the two");
    problem.helps.emplace_back("write `profile: { envoy: current }` to see what today's Envoy does");
    context.problems.push_back(std::move(problem));
  }
}

void read_cluster(Context& context, const Field<written::Cluster>& field, std::vector<std::optional<Span>>& taken) {
  const auto index = take_service(context, field->name, "cluster", taken);
  ClusterConfig config = read_cluster_config(*field, context.problems);
  for (const auto& child : config.children) {
    const auto found = context.services.resolve(child, context.problems);
    if (found && found == index) {
      context.problems.push_back(error("SP103", "an aggregate cluster of itself", child.where, "must be another one"));
    }
  }
  if (config.hosts_by_request && !config.cluster.original_dst) {
    context.problems.push_back(error("SP302", "a dynamic forward proxy is not supported in a scenario",
                                     *config.hosts_by_request, "each request names its own host"));
  }
  if (!index) {
    return;
  }
  Service& service = context.scenario.services[*index];
  if (config.aggregate && !service.hosts.empty()) {
    context.problems.push_back(error("SP128", "an aggregate cluster with endpoints", field->cluster_type.key,
                                     in_ticks(service.name) + " has endpoints of its own"));
  }
  refuse_weights_of_subsets(context, field, config.cluster);
  service.cluster = std::move(config.cluster);
}

// A service needs endpoints, unless other clusters lend it theirs.
void check_endpoints(Context& context) {
  for (std::size_t i = 0; i < context.file.services.value.size() && i < context.scenario.services.size(); ++i) {
    const auto& field = context.file.services.value[i];
    const bool is_aggregate =
        std::any_of(context.file.clusters.value.begin(), context.file.clusters.value.end(), [&](const auto& cluster) {
          return lacks_endpoints(*cluster) && (!cluster->name || *cluster->name == field->name.value_or(""));
        });
    if (field && !field->endpoints.present && !is_aggregate &&
        context.file.clusters.present == context.file.clusters.given) {
      context.problems.push_back(with_help(error("SP128", "a service without endpoints",
                                                 field->name ? field->name.where : field.where, "has no endpoint"),
                                           "write `endpoints`, or make it an aggregate in `clusters` by cluster_type"));
    }
  }
}

// A part that is left out may be anything, and so may one that could not be read.
bool matches(const written::Source& locality, const char* part, const std::string& written, const std::string& its) {
  const document::Member* const said = locality.member(part);
  return said == nullptr || said->value.kind != document::Kind::string || written == its;
}

void read_locality_weight(Context& context, Service& service,
                          const Field<written::Described<written::LocalityWeight>>& field) {
  const config::Locality& locality = field->locality;
  const written::Source source = field->source.within("locality");
  const Field<std::string> zone = source.text("zone", locality.zone);
  if (zone && !source.member("region") && context.zones.is_ambiguous(*zone)) {
    static_cast<void>(context.zones.resolve(zone, context.problems));
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
  if (!found && !context.endpoints.incomplete() && !context.zones.incomplete()) {
    Diagnostic problem = error("SP132", "a locality without endpoints", zone ? zone.where : field.where,
                               "no endpoint of " + in_ticks(service.name) + " at priority " +
                                   std::to_string(field->priority.value) + " is in it");
    problem.notes.push_back(context.zones.note());
    context.problems.push_back(std::move(problem));
  }
}

void read_load_assignment(Context& context, const written::LoadAssignment& written,
                          std::vector<std::optional<Span>>& taken) {
  const auto index = take_service(context, written.cluster_name, "load assignment", taken);
  if (!index) {
    return;
  }
  Service& service = context.scenario.services[*index];
  take_policy(*written.policy, service.load_assignment, context.problems);
  for (const auto& endpoints : *written.endpoints) {
    read_locality_weight(context, service, endpoints);
  }
}

void check_weight_sums(Context& context, const std::vector<std::optional<Span>>& clusters) {
  for (std::size_t i = 0; i < context.scenario.services.size() && i < clusters.size(); ++i) {
    const Service& service = context.scenario.services[i];
    if (clusters[i]) {
      refuse_weight_sums(service.cluster, service.load_assignment, *clusters[i], context.problems);
      warn_of_equal_keys(service.cluster, service.load_assignment, *clusters[i], context.problems);
    }
  }
}

LocalityPlaces places_of(const Context& context, std::uint32_t service) {
  LocalityPlaces places;
  const auto is_its = [&](const Field<std::string>& name) { return name && context.services.find(*name) == service; };
  for (const auto& cluster : context.file.clusters.value) {
    if (is_its(cluster->name)) {
      places.typed_policy = cluster->load_balancing_policy.present;
      places.weighting = weighting_place(*cluster, context.scenario.services[service].cluster);
    }
  }
  for (const auto& assignment : context.file.load_assignments.value) {
    if (is_its(assignment->cluster_name) && !assignment->endpoints->empty()) {
      places.weight = assignment->endpoints->front()->source.place_of("load_balancing_weight").value_or(Span{});
    }
  }
  for (const auto& group : context.file.services.value[service]->endpoints.value) {
    if (group->priority) {
      places.priorities.emplace(config::Priority{static_cast<std::uint32_t>(*group->priority)}, group->priority.where);
    }
  }
  return places;
}

// Documents of Kuma give each class of clients a load assignment of its own.
void warn_of_idle_localities(Context& context) {
  if (!context.documents.empty() || has_errors(context.problems)) {
    return;
  }
  for (std::uint32_t service = 0; service < context.file.services.value.size(); ++service) {
    const Service& of = context.scenario.services[service];
    warn_of_idle_localities(of.cluster, of.load_assignment, places_of(context, service), context.problems);
  }
}

void read_local_cluster(Context& context) {
  const auto index = context.services.resolve(context.file.local_cluster, context.problems);
  if (!index) {
    return;
  }
  const auto& localities = context.scenario.services[*index].load_assignment.endpoints;
  if (std::any_of(localities.begin(), localities.end(), [](const auto& entry) { return entry.priority.value != 0; })) {
    context.problems.push_back(with_note(error("SP129", "a local cluster with several priorities",
                                               context.file.local_cluster.where, "has endpoints beyond priority 0"),
                                         "Envoy refuses it"));
  }
  context.scenario.local_cluster = config::ServiceIndex{*index};
}

}  // namespace

void read_clusters(Context& context) {
  std::vector<std::optional<Span>> clusters(context.services.count());
  for (const auto& field : context.file.clusters.value) {
    read_cluster(context, field, clusters);
  }
  std::vector<std::optional<Span>> assignments(context.services.count());
  for (const auto& field : context.file.load_assignments.value) {
    read_load_assignment(context, *field, assignments);
  }
  check_endpoints(context);
  check_weight_sums(context, clusters);
  read_local_cluster(context);
  warn_of_idle_localities(context);
}

}  // namespace spillway::scenario::meaning
