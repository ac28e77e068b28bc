// Computes quantiles of latency over time from the outcome of each request.
//
//   LatencyTimeline timeline(scenario, interval);
//   options.trace = [&](const run::TracedRequest& request) { timeline.add(request); };
//
// A request counts at the time it was sent, if it succeeded. Quantiles are within 1 % of the true order statistic.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/engine/latency_histogram.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {

class LatencyTimeline {
 public:
  // Starts empty; the last stretch ends with the run. Precondition: `interval` is above 0.
  LatencyTimeline(const scenario::Scenario& scenario, scenario::Nanoseconds interval)
      : duration_(scenario.duration), interval_(interval) {}

  void add(const run::TracedRequest& request);

  // Stretches by client and service, in the order of clients and services.
  using Key = std::pair<config::ClientEntryIndex, config::ServiceIndex>;
  struct Stretch {
    scenario::Nanoseconds begin{0};
    scenario::Nanoseconds end{0};
    engine::LatencyHistogram latency;
  };
  [[nodiscard]] const std::map<Key, std::vector<Stretch>>& stretches() const { return stretches_; }
  [[nodiscard]] scenario::Nanoseconds interval() const { return interval_; }

 private:
  scenario::Nanoseconds duration_;
  scenario::Nanoseconds interval_;
  std::map<Key, std::vector<Stretch>> stretches_;
};

}  // namespace spillway::reports::plot
