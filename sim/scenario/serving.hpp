// How endpoints serve requests: how long each takes, and how many are served at a time.
//
// Plain data, part of scenario.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::scenario {

// The laws that service times are drawn from.
enum class ServiceDistribution : std::uint8_t { constant, exponential, lognormal, gamma, hyperexponential, empirical };

// How the service times of one endpoint differ from each other; their mean stands in the endpoint.
struct ServiceVariation {
  ServiceDistribution distribution = ServiceDistribution::constant;
  // Standard deviation over mean, of lognormal, gamma and hyperexponential (there at least 1).
  double coefficient_of_variation = 1.0;
  // Of the empirical law: what was measured, each as likely as its weight says. At least one.
  struct Measured {
    std::chrono::nanoseconds time{0};
    double weight = 1.0;
  };
  std::vector<Measured> measured = {};
};

// In which order a station works on its requests.
enum class Discipline : std::uint8_t {
  fifo,               // each core takes the request that has waited longest
  processor_sharing,  // all are worked on at once: n requests at c cores have c / n of a core each, at most one
};

// A station with a limited number of cores. Without one, any number of requests is served at once.
struct Servers {
  std::uint32_t cores = 1;
  // How many may wait for a core; none: any number. Under processor sharing: how many more than cores may be there.
  std::optional<std::uint32_t> queue = {};
  Discipline discipline = Discipline::fifo;
};

}  // namespace spillway::scenario
