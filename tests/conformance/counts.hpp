// Reads the numbers that cases give instead of endpoints, and writes what the models make of them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/envoy/priority_load.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// "current" (also where nothing is said) or "legacy_2018".
inline config::EnvoyProfile profile_of(const json& input) {
  const std::string name = input.value("profile", std::string("current"));
  if (name == "current") {
    return config::EnvoyProfile::current;
  }
  if (name == "legacy_2018" || name == "seed") {
    return config::EnvoyProfile::seed;
  }
  throw std::invalid_argument("unknown profile " + name);
}

inline envoy::HostCounts host_counts(const json& object) {
  envoy::HostCounts counts;
  counts.all = object.at("total").get<std::uint64_t>();
  counts.healthy = object.value("healthy", std::uint64_t{0});
  counts.degraded = object.value("degraded", std::uint64_t{0});
  counts.excluded = object.value("excluded", std::uint64_t{0});
  return counts;
}

// A priority object; its `weights` turn weighted_priority_health on.
inline envoy::PriorityCounts priority_counts(const json& object) {
  envoy::PriorityCounts counts;
  counts.hosts = host_counts(object);
  if (object.contains("weights") && !object.at("weights").is_null()) {
    counts.weights = host_counts(object.at("weights"));
  }
  counts.overprovisioning_factor = object.value("overprovisioning_factor", std::uint64_t{140});
  return counts;
}

inline std::vector<envoy::PriorityCounts> all_priority_counts(const json& array) {
  std::vector<envoy::PriorityCounts> result;
  for (const json& object : array) {
    result.push_back(priority_counts(object));
  }
  return result;
}

inline std::uint64_t threshold_of(const json& input) {
  return input.value("panic_threshold", std::uint64_t{50});
}

inline std::string text(envoy::Availability availability) {
  switch (availability) {
    case envoy::Availability::healthy:
      return "healthy";
    case envoy::Availability::degraded:
      return "degraded";
    case envoy::Availability::all:
      break;
  }
  return "all";
}

// Checks availabilities, loads and panic by the names that most kinds use.
void check_state(const envoy::PriorityState& state, Check& check);

// The op "loads" of the kinds priority_load, panic and degraded.
void replay_loads(const json& input, Check& check);

}  // namespace spillway::conformance
