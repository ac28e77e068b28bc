// The retry plugin previous_priorities: a retry avoids the priorities already tried.
//
//   PreviousPriorities retry(1);                      // update_frequency
//   retry.on_host_attempted(config::Priority{0});
//   context.priority_load = &retry.priority_load(state.priorities.availability, state.priorities.load);
//   balancer.choose(draw, context);
//
// One object serves one request. In an aggregate cluster, priorities are its levels (level_of). Hash policies ignore
// it. Panic is not re-evaluated: the result never contains total panic's loads, but the chosen priority's panic flag
// applies.
// Source: docs/behaviour/envoy-before-pick.md 12; Envoy's retry/priority/previous_priorities.
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
  // The loads change after every `update_frequency` attempts. Precondition: update_frequency > 0.
  explicit PreviousPriorities(std::uint32_t update_frequency) : update_frequency_(update_frequency) {}

  void on_host_attempted(config::Priority priority) { attempted_.push_back(priority); }

  // Returns the loads for the next attempt; to be called once per attempt. Returns `original` after fewer attempts than
  // the frequency, or if no host is available anywhere. Once every available priority was tried, the attempts are
  // forgotten. The reference is valid until the next call. Linear in the number of priorities.
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
