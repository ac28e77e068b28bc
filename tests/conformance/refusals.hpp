// What Envoy refuses and what stands where nothing is said, by message: one table for balancing, one for health.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace spillway::conformance {

// Why Envoy refuses a configuration; nothing if it accepts it.
using Refusal = std::optional<std::string>;
using Refusals = std::map<std::string, std::function<Refusal(const nlohmann::json&)>>;

[[nodiscard]] const Refusals& policy_refusals();
[[nodiscard]] const Refusals& health_refusals();

// Of a verbatim Cluster, its health_checks, outlier_detection and circuit_breakers alone.
[[nodiscard]] Refusal health_refusal_of_cluster(const nlohmann::json& cluster);

using Defaults = std::map<std::string, std::function<nlohmann::json()>>;

[[nodiscard]] const Defaults& policy_defaults();
[[nodiscard]] const Defaults& health_defaults();

}  // namespace spillway::conformance
