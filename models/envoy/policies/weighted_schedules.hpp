// The weighted schedules of one client: one per list whose hosts differ in weight (Envoy's EdfLoadBalancerBase).
//
// All start from the client's one seed, and start there again if their priority changes. Source:
// docs/behaviour/envoy-host-pick.md 5, versions-before-pick.md 3.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/host_sources.hpp"

namespace spillway::envoy::policies {

class WeightedSchedules {
 public:
  // The treatment of lists of at least two hosts with equal weights, which need a schedule only for slow start.
  enum class EqualWeights : std::uint8_t {
    no_schedule,
    keep_schedule,  // lists of unchanged priorities keep their schedule if they have one
    schedule,       // lists of changed priorities get a schedule
  };

  explicit WeightedSchedules(std::uint64_t seed) : seed_(seed) {}

  // Builds the schedules of the priorities whose `changed` is true; `weights(source)` gives the weights of a
  // list's hosts.
  template <class Weights>
  void rebuild(const HostSources& sources, const std::vector<bool>& changed, Weights weights,
               EqualWeights equal = EqualWeights::no_schedule) {
    if (!sources.any_weighted() && equal == EqualWeights::no_schedule) {
      schedules_.clear();
      return;
    }
    std::vector<EdfScheduler> rebuilt(sources.size());
    for (std::uint32_t priority = 0; priority < sources.priorities(); ++priority) {
      const std::uint32_t begin = sources.begin_of(priority).value;
      for (std::uint32_t source = begin; source < sources.end_of(priority).value; ++source) {
        const bool weighted = sources.weighted({source});
        if (!weighted && equal == EqualWeights::no_schedule) {
          continue;
        }
        if (!changed[priority] && !schedules_.empty()) {
          rebuilt[source] = std::move(schedules_[begins_[priority] + (source - begin)]);
        }
        const bool wanted =
            weighted || (equal == EqualWeights::schedule && changed[priority] && sources.hosts({source}).size() >= 2);
        if (wanted && rebuilt[source].empty()) {
          rebuilt[source] = start(weights(SourceIndex{source}), sources.profile());
        }
      }
    }
    schedules_ = std::move(rebuilt);
    begins_.clear();
    for (std::uint32_t priority = 0; priority < sources.priorities(); ++priority) {
      begins_.push_back(sources.begin_of(priority).value);
    }
  }

  // Returns the list's schedule; null if it needs none.
  [[nodiscard]] EdfScheduler* find(SourceIndex source) noexcept {
    if (schedules_.empty() || schedules_[source.value].empty()) {
      return nullptr;
    }
    return &schedules_[source.value];
  }

  // True if no list has a schedule.
  [[nodiscard]] bool empty() const noexcept { return schedules_.empty(); }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

 private:
  [[nodiscard]] EdfScheduler start(std::span<const double> weights, config::EnvoyProfile profile) const {
    return config::before(profile, 30) ? EdfScheduler::plain(weights, seed_ % weights.size())
                                       : EdfScheduler::seeded(weights, seed_);
  }

  std::uint64_t seed_;
  std::vector<EdfScheduler> schedules_;  // by SourceIndex; empty if no list has one
  std::vector<std::uint32_t> begins_;    // first index in schedules_ of each priority
};

}  // namespace spillway::envoy::policies
