// What each host of a cluster should get of the picks, by its configuration and what is told of its hosts.
//
//   Prediction prediction = predict(scenario, {.status = statuses_of(observation, Moment::before)});
//   prediction.hosts.front().share;   // of the picks: all together 1
//
// A share that a run could contradict is none: hosts with the same cell have an exact share together. Requests may be
// in flight when another one comes, so that under least request only sums over hosts are exact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/config/health_status.hpp"
#include "models/config/locality.hpp"
#include "models/config/strong.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::compare {

struct PredictedHost {
  std::string cluster;  // which of an aggregate's; else the cluster itself
  std::string address;
  config::Locality locality;
  config::Priority priority;
  std::uint32_t weight = 1;
  config::HealthStatus status = config::HealthStatus::unknown;
  double share = 0.0;      // of the picks; at rest where `cell` holds more than this host
  std::uint32_t cell = 0;  // the same number for hosts whose share is exact together only
};

struct Prediction {
  std::vector<PredictedHost> hosts;  // in the order of the configuration, each address of a cluster once
  std::string basis = {};            // what was assumed
  std::string why_joint = {};        // why some hosts have an exact share together only
  double dropped = 0.0;              // of the requests: they find no host
};

// What is said of hosts instead of what the configuration says, by address.
struct EdsReport {
  std::map<std::string, config::HealthStatus> status = {};
  std::map<std::string, std::uint32_t> weights = {};
  std::optional<config::Locality> client = {};  // where the client is
  bool newcomers = false;                       // hosts came, or got well: they may have been in slow start
};

// Of the first client's requests to its first service. Linear in hosts, as exact_shares.
[[nodiscard]] Prediction predict(const scenario::Scenario& scenario, const EdsReport& reported);

// Whether picks of the cluster depend on a hash of the request, so that its keys decide.
[[nodiscard]] bool picks_by_hash(const scenario::Scenario& scenario);

// Whether picks look at requests in flight.
[[nodiscard]] bool picks_by_load(const scenario::Scenario& scenario);

// The cluster that the first client asks for first.
[[nodiscard]] const envoy::Cluster& cluster_of(const scenario::Scenario& world);

// Names of an aggregate cluster's children; empty for others.
[[nodiscard]] std::vector<std::string> children_of(const scenario::Scenario& scenario);

}  // namespace spillway::compare
