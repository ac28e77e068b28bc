// Where the requests of a client go, given the load assignment and the settings that Kuma has made for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/envoy/cluster_state.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/load_assignment.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// Envoy's state of the cluster. `unhealthy`: one an endpoint of the list; `panic_threshold` in percent.
[[nodiscard]] std::shared_ptr<const envoy::ClusterState> kuma_cluster_state(const kuma::LoadAssignment& assignment,
                                                                            const kuma::ClusterSettings& settings,
                                                                            std::span<const kuma::Endpoint> endpoints,
                                                                            const std::vector<bool>& unhealthy,
                                                                            double panic_threshold);

// The part of the requests by endpoint text, exactly; of a hash balancer the limit of a large table over many keys.
[[nodiscard]] std::map<std::string, double> kuma_shares(const envoy::ClusterState& state,
                                                        const kuma::LoadAssignment& assignment,
                                                        const kuma::ClusterSettings& settings,
                                                        std::span<const kuma::Endpoint> endpoints);

// Holds the shares against what Kuma's own end-to-end tests saw (`e2e`): counts about plus or minus, who was seen.
void check_end_to_end(const std::map<std::string, double>& shares, Check& check);

}  // namespace spillway::conformance
