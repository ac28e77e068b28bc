// Predicted shares of a cluster's picks by host, from its configuration and the reported state of its hosts.
//
//   Prediction prediction = predict(scenario, {.status = {{"10.0.0.1:80", config::HealthStatus::unhealthy}}});
//   prediction.hosts.front().share;   // of the picks: all together 1
//
// Shares that a run could contradict are not given: hosts of the same cell have only their sum exact. Requests may be
// in flight when another one arrives, so under least request only sums over hosts are exact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/health_status.hpp"
#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::compare {

struct PredictedHost {
  std::string cluster;  // the member of an aggregate; else the cluster itself
  std::string address;
  config::Locality locality;
  config::Priority priority;
  std::uint32_t weight = 1;
  config::HealthStatus status = config::HealthStatus::unknown;
  double share = 0.0;      // of the picks; that of an idle system if `cell` has more than one host
  std::uint32_t cell = 0;  // equal for hosts whose share is exact only together
};

struct Prediction {
  std::vector<PredictedHost> hosts;  // in the order of the configuration, each address of a cluster once
  std::string basis = {};            // assumptions
  std::string why_joint = {};        // reason why some hosts have only an exact sum
  double dropped = 0.0;              // fraction of the requests that find no host
};

// State of hosts that replaces the configuration's, by address.
struct EdsReport {
  std::map<std::string, config::HealthStatus> status = {};
  std::map<std::string, std::uint32_t> weights = {};
  std::optional<config::Locality> client = {};  // locality of the client
  bool newcomers = false;                       // hosts were added or became healthy: they may have been in slow start
};

// Predicts the first client's requests to its first service. O(hosts), like exact_shares.
[[nodiscard]] Prediction predict(const scenario::Scenario& scenario, const EdsReport& reported);

// True if picks of the cluster depend on a hash of the request, and so on its keys.
[[nodiscard]] bool picks_by_hash(const scenario::Scenario& scenario);

// True if picks depend on requests in flight.
[[nodiscard]] bool picks_by_load(const scenario::Scenario& scenario);

// Returns the cluster that the first client requests first.
[[nodiscard]] const envoy::Cluster& cluster_of(const scenario::Scenario& world);

// Returns the names of an aggregate cluster's children; empty for others.
[[nodiscard]] std::vector<std::string> children_of(const scenario::Scenario& scenario);

}  // namespace spillway::compare
