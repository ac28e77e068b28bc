#include "models/envoy/edf_scheduler.hpp"

#include <algorithm>

namespace spillway::envoy {

void EdfScheduler::build_heap() {
  std::make_heap(entries_.begin(), entries_.end(),
                 [](const Entry& left, const Entry& right) { return right.before(left); });
}

EdfScheduler EdfScheduler::seeded(std::span<const double> weights, std::uint64_t seed) {
  // Envoy's bound on the picks at the start: a tenth of the 32-bit range.
  constexpr std::uint32_t most_picks = 429496729;
  // Envoy's guard against a weight of zero; the ordinary picks below omit it.
  constexpr double guard = 1e-13;

  const std::uint32_t picks = static_cast<std::uint32_t>(seed) % most_picks;
  double sum = 0.0;
  for (const double weight : weights) {
    sum += weight + guard;
  }

  EdfScheduler schedule;
  schedule.entries_.reserve(weights.size());
  std::uint64_t made = 0;
  for (const double plain_weight : weights) {
    const double weight = plain_weight + guard;
    auto floor_picks = static_cast<std::uint32_t>((weight * picks) / sum);
    if (floor_picks > 0 && floor_picks / weight >= picks / sum) {
      --floor_picks;
    }
    schedule.now_ = std::max(schedule.now_, floor_picks / weight);
    schedule.entries_.push_back(
        {(floor_picks + 1.0) / weight, schedule.next_order_, static_cast<std::uint32_t>(schedule.next_order_)});
    ++schedule.next_order_;
    made += floor_picks;
  }
  schedule.build_heap();
  for (; made < picks && !weights.empty(); ++made) {
    schedule.pick(weights);
  }
  return schedule;
}

EdfScheduler EdfScheduler::plain(std::span<const double> weights, std::uint64_t picks) {
  EdfScheduler schedule;
  schedule.entries_.reserve(weights.size());
  for (const double weight : weights) {
    schedule.entries_.push_back({1.0 / weight, schedule.next_order_, static_cast<std::uint32_t>(schedule.next_order_)});
    ++schedule.next_order_;
  }
  schedule.build_heap();
  for (std::uint64_t made = 0; made < picks && !weights.empty(); ++made) {
    schedule.pick(weights);
  }
  return schedule;
}

}  // namespace spillway::envoy
