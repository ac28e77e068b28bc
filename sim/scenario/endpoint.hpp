// An endpoint: a process that answers requests, or forwards them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "models/config/strong.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/load_report.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::scenario {

// A process on a node that answers requests or forwards them.
struct Endpoint {
  std::string id;  // unique in the scenario; `<service>-<n>` where the file gives a count
  config::NodeIndex node;
  Nanoseconds service_time{0};  // how long it works on a request: the mean, on a node of this speed
  // Requests a second that it can serve on a node of this speed, where a `capacity` is written: its service time is
  // that, rounded to nanoseconds.
  std::optional<double> capacity = {};
  // The ORCA report that comes with each of its answers, for client-side weights; none: it reports nothing.
  std::optional<envoy::policies::client_side_weighted_round_robin::LoadReport> load_report = {};
  std::map<std::string, std::string> tags = {};            // beside those of its node and zone
  std::shared_ptr<const ServiceVariation> variation = {};  // null: every request takes the same time
  std::optional<Servers> servers = {};                     // its own; none: the node's
  std::uint64_t request_bytes = 0;                         // of a request to it, and of its answer
  std::uint64_t response_bytes = 0;
  std::optional<double> price = {};  // of an hour, in the scenario's currency
  bool assumed = false;              // a zone ingress that no document writes
};

// How long a request keeps one core busy, on average and not rounded. [s]
[[nodiscard]] double core_seconds(const Endpoint& endpoint);

}  // namespace spillway::scenario
