// What came out of playing a control plane. Times count from the start of the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

// Latency of the generations that changed a configuration, over the window that a Prometheus summary has then.
struct Sample {
  std::chrono::nanoseconds at{0};
  scenario::LatencyQuantiles latency = {};  // nothing before the first
  std::uint64_t observations = 0;           // in the window
};

struct Counts {
  std::uint64_t proxies = 0;        // clients of this control plane
  std::uint64_t mesh_changes = 0;   // of resources
  std::uint64_t mesh_contexts = 0;  // times that the mesh was read and hashed
  std::uint64_t generations = 0;    // configurations that were made
  std::uint64_t changed = 0;        // those that were other than before
  std::uint64_t asked = 0;          // load assignments
  std::uint64_t made = 0;           // those that had to be made: misses
};

// Proxies that hold a load assignment which another client has edited away from theirs.
struct Hazard {
  std::uint64_t proxies = 0;  // at any time
  std::uint64_t proxies_at_end = 0;
  std::uint64_t most_at_once = 0;
  std::uint64_t periods = 0;  // of one proxy each
  std::chrono::nanoseconds together{0};
  std::chrono::nanoseconds longest{0};  // of one period
};

// What the same figures are with other seeds.
struct Draws {
  std::size_t seeds = 0;                      // that had all three
  scenario::LatencyQuantiles mean = {};       // over those
  scenario::LatencyQuantiles deviation = {};  // of one of them: the sample's standard deviation
};

struct SettingResults {
  std::vector<Sample> samples;   // at even intervals
  std::vector<Sample> readings;  // at the moments of the setting's readings
  Sample joined = {};            // when the last instance has joined
  Counts counts = {};
  Hazard hazard = {};
  double busy = 0.0;  // fraction of the cores' time from the first to the last that joins
  // From the last that joins to the last configuration that follows from it.
  std::chrono::nanoseconds settled{0};
  std::vector<scenario::LatencyQuantiles> ratios;  // of the setting's ratios: ours
  // As many as readings and ratios, where other seeds were played (draws.hpp), else none.
  std::vector<Draws> reading_draws;
  std::vector<Draws> ratio_draws;
};

struct Results {
  std::vector<SettingResults> settings;  // as in the scenario
};

}  // namespace spillway::control_plane
