// The requests of a client, and their times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/routes/request.hpp"
#include "sim/scenario/nanoseconds.hpp"

namespace spillway::scenario {

struct ServiceVariation;  // serving.hpp

// Requests with the same headers. Headers do not change during a run, so the route is determined in advance.
struct RequestKind {
  std::string name;  // unique in its workload: "x-user: u17"
  envoy::routes::Request request;
  double weight = 1.0;      // weight relative to the other kinds
  std::uint32_t route = 0;  // index in Scenario::routes
};

// The arrival process: random (Poisson), evenly spaced, at uniformly random intervals of up to twice the mean, at the
// times of a trace, or by users who think after each response.
enum class Arrivals : std::uint8_t { poisson, periodic, uniform, trace, closed };

struct TracedArrival {
  Nanoseconds at{0};
  std::uint32_t client = 0;  // index within the entry
};

struct Workload {
  config::ServiceIndex service;  // requested directly, without a route, if `requests` is empty
  double rate = 0.0;             // requests per second of ONE client in the first phase; may be 0
  Arrivals arrivals = Arrivals::poisson;
  std::vector<RequestKind> requests = {};  // kinds of requests that use the scenario's routes
  double slope = 0.0;                      // growth of the rate per second in the first phase
  // Sizes of its requests and responses [bytes]; nullopt means the endpoint's.
  std::optional<std::uint64_t> request_bytes = {};
  std::optional<std::uint64_t> response_bytes = {};
  // For Arrivals::trace: all arrivals by time; `rate` is their mean.
  std::shared_ptr<const std::vector<TracedArrival>> trace = {};
  // For Arrivals::closed: each of this many users of ONE client sends a request, waits for the response, thinks, and
  // repeats. `rate` is then only the entry's weight: one per second and user.
  std::uint32_t users = 0;
  Nanoseconds think_time{0};                                     // mean
  std::shared_ptr<const ServiceVariation> think_variation = {};  // null if always the same
};

}  // namespace spillway::scenario
