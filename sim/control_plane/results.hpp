// Results of the simulation of a control plane. Times count from the start of the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

// Latency of generations that changed a configuration, over the window of a Prometheus summary at that time.
struct Sample {
  std::chrono::nanoseconds at{0};
  scenario::LatencyQuantiles latency = {};  // unset before the first
  std::uint64_t observations = 0;           // in the window
};

struct Counts {
  std::uint64_t proxies = 0;        // clients of this control plane
  std::uint64_t mesh_changes = 0;   // of resources
  std::uint64_t mesh_contexts = 0;  // times that the mesh was read and hashed
  std::uint64_t generations = 0;    // configurations that were made
  std::uint64_t changed = 0;        // configurations that differed from the previous one
  std::uint64_t asked = 0;          // requested load assignments
  std::uint64_t made = 0;           // load assignments that had to be made: misses
};

// Proxies with a load assignment that another client has edited so that it is wrong for them.
struct Hazard {
  std::uint64_t proxies = 0;  // at any time
  std::uint64_t proxies_at_end = 0;
  std::uint64_t most_at_once = 0;
  std::uint64_t periods = 0;  // of one proxy each
  std::chrono::nanoseconds together{0};
  std::chrono::nanoseconds longest{0};  // of one period
};

// A summary of the figures with other seeds.
struct Draws {
  std::size_t seeds = 0;                      // that had all three quantiles
  scenario::LatencyQuantiles mean = {};       // over the seeds
  scenario::LatencyQuantiles deviation = {};  // the sample's standard deviation
};

struct SettingResults {
  std::vector<Sample> samples;   // at even intervals
  std::vector<Sample> readings;  // at the times of the setting's readings
  Sample joined = {};            // when the last instance has joined
  Counts counts = {};
  Hazard hazard = {};
  double busy = 0.0;  // fraction of the cores' time from the first to the last join
  // From the last join to the last configuration that it causes.
  std::chrono::nanoseconds settled{0};
  std::vector<scenario::LatencyQuantiles> ratios;  // of the setting's ratios: ours
  // One per reading and ratio if other seeds were simulated (draws.hpp), else empty.
  std::vector<Draws> reading_draws;
  std::vector<Draws> ratio_draws;
};

struct Results {
  std::vector<SettingResults> settings;  // as in the scenario
};

}  // namespace spillway::control_plane
