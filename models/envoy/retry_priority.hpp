// The retry plugin previous_priorities: a retry keeps away from the priorities that were tried.
//
//   PreviousPriorities retry(1);                      // update_frequency
//   retry.on_host_attempted(config::Priority{0});
//   context.priority_load = &retry.priority_load(state.priorities.availability, state.priorities.load);
//   balancer.choose(draw, context);
//
// One object serves one request. Of an aggregate cluster priorities are its levels (level_of). Hash policies do not
// ask. Panic is not judged again: total panic's loads never come out of here, but the chosen priority's panic flag
// holds. Source: docs/behaviour/envoy-before-pick.md 12; Envoy's retry/priority/previous_priorities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

class PreviousPriorities {
 public:
  // `update_frequency` is above 0: the loads change after every so many attempts.
  explicit PreviousPriorities(std::uint32_t update_frequency) : update_frequency_(update_frequency) {}

  void on_host_attempted(config::Priority priority) { attempted_.push_back(priority); }

  // The loads for the next attempt; call it once per attempt. Fewer attempts than the frequency, or no host available
  // anywhere: `original`. Once every available priority was tried, the attempts are forgotten.
  // The reference holds until the next call. Linear in the number of priorities.
  [[nodiscard]] const HealthyAndDegradedLoad& priority_load(std::span<const PriorityAvailability> availability,
                                                            const HealthyAndDegradedLoad& original);

 private:
  void exclude_attempted(std::size_t priorities);
  [[nodiscard]] std::vector<PriorityAvailability> remaining(std::span<const PriorityAvailability> availability) const;

  std::uint32_t update_frequency_;
  std::vector<config::Priority> attempted_;
  std::vector<bool> excluded_;
  HealthyAndDegradedLoad load_;
};

}  // namespace spillway::envoy
