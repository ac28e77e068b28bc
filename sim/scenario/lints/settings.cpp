#include "sim/scenario/lints/settings.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "models/config/each_endpoint.hpp"
#include "models/config/listed_health.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/cluster.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::lints {
namespace {

// Returns the place of a key at any depth in an object; nullopt if it is missing.
std::optional<Span> place_within(const documents::Node* object, std::string_view key) {
  for (std::size_t i = 0; object != nullptr && i < object->members.size(); ++i) {
    const documents::Member& member = object->members[i];
    if (member.key == key || member.key == grammar::lower_camel_case(key)) {
      return member.key_span;
    }
    if (const auto found = place_within(&member.value, key)) {
      return found;
    }
  }
  for (std::size_t i = 0; object != nullptr && i < object->items.size(); ++i) {
    if (const auto found = place_within(&object->items[i], key)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

messages::SettingPlaces places_of(const messages::Cluster& written) {
  const messages::Source& source = written.source;
  const messages::Source detection = source.within("outlier_detection");
  messages::SettingPlaces places{.whole = written.name.where,
                                 .outlier_detection = source.key_of("outlier_detection"),
                                 .max_ejection_percent = detection.place_of("max_ejection_percent"),
                                 .detect_degraded_hosts = detection.key_of("detect_degraded_hosts"),
                                 .lb_policy = source.place_of("lb_policy"),
                                 .zone_aware = source.within("common_lb_config").key_of("zone_aware_lb_config"),
                                 .cluster_type = written.cluster_type.key};
  if (const messages::Source typed = source.within("load_balancing_policy"); typed.object != nullptr) {
    places.lb_policy = typed.object->span;
    places.zone_aware = place_within(typed.object, "zone_aware_lb_config");
  }
  for (const messages::Source& check : source.items_of("health_checks")) {
    places.unhealthy_interval.push_back(check.place_of("unhealthy_interval").value_or(Span{}));
  }
  for (const messages::Source& thresholds : source.within("circuit_breakers").items_of("thresholds")) {
    places.thresholds.push_back(
        {thresholds.place_of("max_requests"), thresholds.key_of("retry_budget").value_or(Span{})});
  }
  return places;
}

bool lists_unhealthy(const Service& service) {
  return config::any_endpoint(service.load_assignment, [](const config::LbEndpoint& endpoint) {
    return !config::is_listed_healthy(endpoint.health_status);
  });
}

void warn_of_cluster(const LintedCluster& cluster, Diagnostics& problems) {
  warn_of_outlier_detection(cluster, problems);
  warn_of_health(cluster, problems);
  warn_of_concurrency(cluster, problems);
  warn_of_balancing(cluster, problems);
}

namespace {

// Warns of views. Of views that share a field only the first is checked, and a repeated warning is reported once.
void warn_of_views(const messages::PlacesOfViews& views, const Scenario& scenario, const ClientsOfServices& clients,
                   Diagnostics& problems) {
  const auto key = [](const Span& span) { return std::tuple(span.file, span.line, span.column); };
  using Key = decltype(key(Span{}));
  std::set<std::pair<config::ServiceIndex, Key>> seen;
  std::set<std::pair<std::string, Key>> reported;
  for (const auto& [view, places] : views) {
    const auto of = asked_for(scenario, view);
    if (!seen.emplace(of, key(places.outlier_detection.value_or(places.whole))).second) {
      continue;
    }
    Diagnostics found;
    warn_of_cluster({places, scenario, clients, view}, found);
    for (Diagnostic& problem : found) {
      // Istio's own lint at the same place has more detail.
      if (problem.code == "SP750" && std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& other) {
            return other.code == "SP672" && other.where == problem.where;
          })) {
        continue;
      }
      if (reported.emplace(problem.code, key(problem.where)).second) {
        problems.push_back(std::move(problem));
      }
    }
  }
}

}  // namespace

void warn_of_settings(const messages::Scenario& file, const messages::PlacesOfViews& views, const Scenario& scenario,
                      Diagnostics& problems) {
  if (has_errors(problems)) {
    return;
  }
  const ClientsOfServices clients = clients_of_services(scenario);
  for (const auto& field : file.clusters.value) {
    const auto found = std::find_if(scenario.services.begin(), scenario.services.end(), [&](const Service& service) {
      return !service.as_view && field->name && service.name == *field->name;
    });
    if (found == scenario.services.end()) {
      continue;
    }
    const messages::SettingPlaces places = places_of(*field);
    warn_of_cluster({places, scenario, clients, {static_cast<std::uint32_t>(found - scenario.services.begin())}},
                    problems);
  }
  warn_of_routes(file, scenario, problems);
  warn_of_views(views, scenario, clients, problems);
}

}  // namespace spillway::scenario::lints
