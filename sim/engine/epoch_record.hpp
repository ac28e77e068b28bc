// Counts of the requests of one client entry in one epoch. An attempt is counted in row_of(target, availability).
//
// Memory: 24 bytes per target, 48 once a request was retried, and latency histograms.
#pragma once

#include <cstdint>
#include <vector>

#include "models/envoy/availability.hpp"
#include "sim/engine/latency_histogram.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::engine {

inline constexpr std::uint32_t availabilities = 3;

[[nodiscard]] constexpr std::uint32_t row_of(std::uint32_t target, envoy::Availability availability) noexcept {
  return target * availabilities + static_cast<std::uint32_t>(availability);
}

struct EpochRecord {
  std::vector<std::uint64_t> requests;  // by row, of first attempts
  std::vector<std::uint64_t> further;   // by row, of attempts beyond the first; empty if there were none
  std::uint64_t sent = 0;
  std::uint64_t finished = 0;  // of those sent: requests with an outcome
  std::uint64_t retries = 0;
  scenario::OutcomeCounts outcomes;
  LatencyHistogram latency;  // of successful responses
  LatencyHistogram errors;   // until requests failed, without the unfinished ones

  void count_attempt(std::uint32_t row, bool first) {
    if (first) {
      ++requests[row];
      return;
    }
    further.resize(requests.size(), 0);
    ++further[row];
  }
  void take_attempt_back(std::uint32_t row, bool first) { --(first ? requests : further)[row]; }
  [[nodiscard]] std::uint64_t attempts(std::size_t row) const noexcept {
    return requests[row] + (further.empty() ? 0 : further[row]);
  }
};

}  // namespace spillway::engine
