// Settings that do nothing, or the opposite of what they look like: warnings with the numbers that say so.
#pragma once

#include <cstdint>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/setting_places.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::messages {
struct Cluster;   // cluster.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario {
struct Route;     // route.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::lints {

// Of the clusters and routes that the scenario's own file holds, and of those that a mesh's documents make; to be
// called when nothing else is wrong with it. Of views that one field is about the first tells. Linear in the scenario.
// Source of the rules: docs/behaviour/envoy-host-pick.md 16 to 21, envoy-before-pick.md 3 to 5.
void warn_of_settings(const messages::Scenario& file, const messages::PlacesOfViews& views, const Scenario& scenario,
                      Diagnostics& problems);

// By service: the positions of the clients some of whose requests go to it alone, in their order. Linear in the
// scenario.
using ClientsOfServices = std::vector<std::vector<std::uint32_t>>;
[[nodiscard]] ClientsOfServices clients_of_services(const Scenario& scenario);

// A cluster with the places of its settings.
struct LintedCluster {
  const messages::SettingPlaces& places;
  const Scenario& scenario;
  const ClientsOfServices& clients;
  config::ServiceIndex index;

  [[nodiscard]] const Service& service() const { return scenario.services[index.value]; }
};

// Where the fields of a cluster's own message stand.
[[nodiscard]] messages::SettingPlaces places_of(const messages::Cluster& written);

// Everything below that is about a cluster: those of a scenario's own file, and of a proxy's documents.
void warn_of_cluster(const LintedCluster& cluster, Diagnostics& problems);

// Outlier detection that never ejects (SP750), that ejects into panic (SP751), that cannot bring about failover
// (SP752), and degraded hosts that it would find by answers that are not simulated (SP763).
void warn_of_outlier_detection(const LintedCluster& cluster, Diagnostics& problems);
// Checks that find a dead host late (SP753), aggregates that nothing makes fail over (SP754), slow start between
// deploys (SP758).
void warn_of_health(const LintedCluster& cluster, Diagnostics& problems);
// Circuit breakers and retry budgets against the requests that the workload has under way (SP756, SP757), and least
// request with too few of them (SP760).
void warn_of_concurrency(const LintedCluster& cluster, Diagnostics& problems);
// Ring hash and maglev that get no hash (SP773), zone-aware routing without a local cluster (SP783).
void warn_of_balancing(const LintedCluster& cluster, Diagnostics& problems);
// Retries that meet the failed host again (SP755), hash keys that leave hosts idle (SP759).
void warn_of_routes(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems);
// The first of the two, of one route whose retry policy is written there.
void warn_of_retries(const Scenario& scenario, const Route& route, Span retry_policy, Diagnostics& problems);

// "2.5", "1 of 3".
[[nodiscard]] std::string short_number(double number);

}  // namespace spillway::scenario::lints
