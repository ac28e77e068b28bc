#include "sim/control_plane/latency_summary.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::control_plane {

namespace {

constexpr std::chrono::nanoseconds stream_duration = std::chrono::minutes{2};
constexpr std::int64_t streams = 5;

double quantile(const std::vector<double>& sorted, double fraction) {
  const double rank = std::ceil(fraction * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

std::pair<LatencySummary::Iterator, LatencySummary::Iterator> LatencySummary::window(Nanoseconds at) const {
  const auto before = [](const Observation& observation, Nanoseconds time) { return observation.first < time; };
  const auto end = std::upper_bound(observations_.begin(), observations_.end(), at,
                                    [](Nanoseconds time, const Observation& other) { return time < other.first; });
  if (end == observations_.begin()) {
    return {end, end};
  }
  const Nanoseconds first = observations_.front().first;
  const std::int64_t emptied = (at - first) / stream_duration;
  // The stream that is now read was last emptied when the previous one was last read.
  const Nanoseconds begin = emptied < streams ? first : first + (emptied - streams + 1) * stream_duration;
  return {std::lower_bound(observations_.begin(), end, begin, before), end};
}

std::size_t LatencySummary::count(Nanoseconds at) const {
  const auto [begin, end] = window(at);
  return static_cast<std::size_t>(end - begin);
}

scenario::LatencyQuantiles LatencySummary::quantiles(Nanoseconds at) const {
  const auto [begin, end] = window(at);
  if (begin == end) {
    return {};
  }
  std::vector<double> sorted;
  for (auto observation = begin; observation != end; ++observation) {
    sorted.push_back(observation->second);
  }
  std::sort(sorted.begin(), sorted.end());
  constexpr double nine_tenths = 0.9;
  constexpr double ninety_nine = 0.99;
  return {quantile(sorted, 0.5), quantile(sorted, nine_tenths), quantile(sorted, ninety_nine)};
}

}  // namespace spillway::control_plane
