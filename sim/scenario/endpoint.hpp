// An endpoint: a process that responds to requests or forwards them.
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

// A process on a node that responds to requests or forwards them.
struct Endpoint {
  std::string id;  // unique in the scenario; `<service>-<n>` if the file has a count
  config::NodeIndex node;
  Nanoseconds service_time{0};  // mean time per request on a node of this speed
  // Requests per second that it can serve on a node of this speed, if `capacity` is written. The service time follows
  // from it, rounded to nanoseconds.
  std::optional<double> capacity = {};
  // The ORCA report sent with each response, for client-side weights; nullopt if it sends none.
  std::optional<envoy::policies::client_side_weighted_round_robin::LoadReport> load_report = {};
  std::map<std::string, std::string> tags = {};            // in addition to those of its node and zone
  std::shared_ptr<const ServiceVariation> variation = {};  // null if every request takes the same time
  std::optional<Servers> servers = {};                     // its own cores; nullopt if it uses the node's
  std::uint64_t request_bytes = 0;                         // of each request and each response [bytes]
  std::uint64_t response_bytes = 0;
  std::optional<double> price = {};  // per hour, in the scenario's currency
  bool assumed = false;              // a zone ingress that no document defines
};

// Returns the mean time for which a request keeps one core busy, not rounded [s].
[[nodiscard]] double core_seconds(const Endpoint& endpoint);

}  // namespace spillway::scenario
