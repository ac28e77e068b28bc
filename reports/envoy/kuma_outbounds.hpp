// The outbound listeners of a client under Kuma's documents, as routes of the exported bootstrap and as Kuma sends
// them.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

// Returns the clusters that the listeners in use lead to, whether or not a request of the client takes them.
[[nodiscard]] std::vector<config::ServiceIndex> kuma_clusters(const scenario::ClientEntry& client);

// Returns the routes of the client's only listener, with their matches, to the exported clusters. nullopt if the client
// uses no listener of HTTP, or several listeners.
[[nodiscard]] std::optional<Json> kuma_routes_json(const scenario::Scenario& scenario,
                                                   const scenario::ClientEntry& client);

// Returns {"listeners": [...], "clusters": [...], "load_assignments": [...]} as Kuma sends them to the client's proxy.
// nullopt if the client uses no listener of Kuma's.
[[nodiscard]] std::optional<Json> kuma_configuration_json(const scenario::Scenario& scenario,
                                                          const scenario::ClientEntry& client);

}  // namespace spillway::reports::envoy_export
