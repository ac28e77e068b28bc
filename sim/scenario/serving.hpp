// The serving of requests by endpoints: service times, and the number of requests served at a time.
//
// Plain data, part of scenario.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::scenario {

// The distributions of service times.
enum class ServiceDistribution : std::uint8_t { constant, exponential, lognormal, gamma, hyperexponential, empirical };

// The variation of the service times of one endpoint; the endpoint has their mean.
struct ServiceVariation {
  ServiceDistribution distribution = ServiceDistribution::constant;
  // Standard deviation over mean, for lognormal, gamma and hyperexponential (there at least 1).
  double coefficient_of_variation = 1.0;
  // The measured values of the empirical distribution, each with its relative weight. At least one.
  struct Measured {
    std::chrono::nanoseconds time{0};
    double weight = 1.0;
  };
  std::vector<Measured> measured = {};
};

// The order in which a server works on its requests.
enum class Discipline : std::uint8_t {
  fifo,               // each core serves the request that has waited longest
  processor_sharing,  // all are served at once: n requests on c cores get c / n of a core each, at most one
};

// A server with a limited number of cores. Without one, any number of requests is served at once.
struct Servers {
  std::uint32_t cores = 1;
  // The number of requests that may wait for a core; nullopt means no limit. Under processor sharing: the number above
  // `cores` that may be present.
  std::optional<std::uint32_t> queue = {};
  Discipline discipline = Discipline::fifo;
};

}  // namespace spillway::scenario
