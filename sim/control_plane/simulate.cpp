#include "sim/control_plane/simulate.hpp"

#include "sim/control_plane/simulator.hpp"

namespace spillway::control_plane {

namespace {

using scenario::ControlPlane;
using scenario::ControlPlaneSetting;
using scenario::LatencyQuantiles;
using Nanoseconds = std::chrono::nanoseconds;

Sample sample_of(const LatencySummary& latency, Nanoseconds at) {
  return {at, latency.quantiles(at), latency.count(at)};
}

std::optional<double> divided(const std::optional<double>& left, const std::optional<double>& right) {
  return left && right && *right > 0.0 ? std::optional(*left / *right) : std::nullopt;
}

}  // namespace

Results simulate(const ControlPlane& plane, Nanoseconds duration, const Options& options) {
  Results results;
  std::vector<LatencySummary> summaries;
  const auto settings = static_cast<double>(plane.settings.size());
  for (const ControlPlaneSetting& setting : plane.settings) {
    Simulator simulator(setting, options.seed);
    simulator.simulate(duration, [&](Nanoseconds reached) {
      if (options.progress) {
        const double part = static_cast<double>(reached.count()) / static_cast<double>(duration.count());
        options.progress((static_cast<double>(summaries.size()) + part) / settings);
      }
    });
    SettingResults simulated = simulator.results();
    for (Nanoseconds at = options.interval; at <= duration; at += options.interval) {
      simulated.samples.push_back(sample_of(simulator.latency(), at));
    }
    for (const scenario::LatencyReading& reading : setting.readings) {
      simulated.readings.push_back(sample_of(simulator.latency(), reading.at));
    }
    simulated.joined = sample_of(simulator.latency(), setting.join.to);
    results.settings.push_back(std::move(simulated));
    summaries.push_back(simulator.latency());
  }
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    for (const scenario::LatencyRatio& ratio : plane.settings[position].ratios) {
      const LatencyQuantiles own = summaries[position].quantiles(ratio.at);
      const LatencyQuantiles other = summaries[ratio.other].quantiles(ratio.other_at);
      results.settings[position].ratios.push_back(
          {divided(own.p50, other.p50), divided(own.p90, other.p90), divided(own.p99, other.p99)});
    }
  }
  return results;
}

}  // namespace spillway::control_plane
