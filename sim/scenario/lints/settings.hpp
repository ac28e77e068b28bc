// Lints for settings with no effect, or the opposite effect, with the numbers that show it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/setting_places.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::messages {
struct Cluster;   // cluster.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario::lints {

// Adds warnings about clusters and routes of the scenario's own file, and about those derived from a mesh's documents.
// If several views share a field, only the first is reported. Precondition: there are no errors. Linear in the
// scenario. Source: docs/behaviour/envoy-host-pick.md 16 to 21, envoy-before-pick.md 3 to 5.
void warn_of_settings(const messages::Scenario& file, const messages::PlacesOfViews& views, const Scenario& scenario,
                      Diagnostics& problems);

// Returns, by service, the positions of the clients that have requests which go only to it, in order. Linear in the
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

// Returns the places of the fields of a cluster's own message.
[[nodiscard]] messages::SettingPlaces places_of(const messages::Cluster& written);

// Adds all warnings below that concern a cluster of a scenario's own file or of a proxy's documents.
void warn_of_cluster(const LintedCluster& cluster, Diagnostics& problems);

// Warns of outlier detection that never ejects (SP750), ejects into panic (SP751), or cannot cause failover (SP752).
// Also warns of degraded hosts that it would detect only by responses that are not simulated (SP763).
void warn_of_outlier_detection(const LintedCluster& cluster, Diagnostics& problems);
// Warns of checks that detect a dead host late (SP753), aggregates that never fail over (SP754), and slow start between
// deploys (SP758).
void warn_of_health(const LintedCluster& cluster, Diagnostics& problems);
// Warns of circuit breakers and retry budgets that do not fit the requests in flight (SP756, SP757), and of least
// request with too few of them (SP760).
void warn_of_concurrency(const LintedCluster& cluster, Diagnostics& problems);
// Warns of ring hash and maglev without a hash (SP773), and of zone-aware routing without a local cluster (SP783).
void warn_of_balancing(const LintedCluster& cluster, Diagnostics& problems);
// Warns of retries that meet the failed host again (SP755), and of hash keys that leave hosts idle (SP759).
void warn_of_routes(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems);
// Adds the first of the two, for one route whose retry policy is written at `retry_policy`.
void warn_of_retries(const Scenario& scenario, std::uint32_t route, Span retry_policy, Diagnostics& problems);

// True if the load assignment reports a host that is not healthy.
[[nodiscard]] bool lists_unhealthy(const Service& service);

// Formats a number for a warning: "2.5", "1 of 3".
[[nodiscard]] std::string short_number(double number);

}  // namespace spillway::scenario::lints
