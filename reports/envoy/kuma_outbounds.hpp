// The outbound listeners of a client under Kuma's documents, as the exported bootstrap has them and as Kuma sends them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

// Returns the clusters of the listeners in use, whether or not a request of the client uses them.
[[nodiscard]] std::vector<config::ServiceIndex> kuma_clusters(const scenario::ClientEntry& client);

// Returns the client's listeners as Kuma writes them, each at an address of its own, to the exported clusters. nullopt
// if the client has none, or if routes of the scenario itself change what they do.
[[nodiscard]] std::optional<std::vector<Json>> kuma_listeners_json(const scenario::Scenario& scenario,
                                                                   const scenario::ClientEntry& client,
                                                                   std::uint32_t port);

// Returns where the outbound at a position of the client's outbounds listens: 127.0.0.1, 127.0.0.2, ...
[[nodiscard]] std::string address_of_outbound(std::size_t position);

// Lists of the messages that Kuma sends to the client's proxy for the listeners in use.
struct KumaConfiguration {
  Json listeners = Json::array();
  Json clusters = Json::array();
  Json load_assignments = Json::array();
};
[[nodiscard]] KumaConfiguration kuma_configuration(const scenario::Scenario& scenario,
                                                   const scenario::ClientEntry& client);

// Returns the clusters of these listeners by the names that Kuma gives them.
[[nodiscard]] std::map<std::string, config::ServiceIndex> kuma_cluster_names(const scenario::ClientEntry& client);

}  // namespace spillway::reports::envoy_export
