// The requests that a client sends, and when.
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

// Requests that are alike. Headers do not change while a scenario is played, so the route is known beforehand.
struct RequestKind {
  std::string name;  // unique in its workload: "x-user: u17"
  envoy::routes::Request request;
  double weight = 1.0;      // its part of the workload, relative to the other kinds
  std::uint32_t route = 0;  // in Scenario::routes
};

// When requests come: at random moments, evenly spaced, or at random distances of up to twice the mean one; when a
// trace says; or when users have thought about the answer before.
enum class Arrivals : std::uint8_t { poisson, periodic, uniform, trace, closed };

struct TracedArrival {
  Nanoseconds at{0};
  std::uint32_t client = 0;  // within the entry
};

struct Workload {
  config::ServiceIndex service;  // asked for straight, without a route, where there are no `requests`
  double rate = 0.0;             // requests a second of ONE client, in the first phase; may be 0
  Arrivals arrivals = Arrivals::poisson;
  std::vector<RequestKind> requests = {};  // by the scenario's routes
  double slope = 0.0;                      // by which the rate grows each second of the first phase
  // The sizes of its requests and their responses; nullopt: the endpoint's.
  std::optional<std::uint64_t> request_bytes = {};
  std::optional<std::uint64_t> response_bytes = {};
  // Arrivals::trace: every arrival, in the order of time; `rate` is the mean one.
  std::shared_ptr<const std::vector<TracedArrival>> trace = {};
  // Arrivals::closed: each of so many users of ONE client sends, waits for the answer, thinks, and sends again. `rate`
  // then only weighs the entry: one a second for each user.
  std::uint32_t users = 0;
  Nanoseconds think_time{0};                                     // the mean
  std::shared_ptr<const ServiceVariation> think_variation = {};  // null: always the same
};

}  // namespace spillway::scenario
