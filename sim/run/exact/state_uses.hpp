// The weight of each balancing state within an epoch.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "sim/run/eds/balancing_state.hpp"

namespace spillway::run {

class StateUses {
 public:
  struct Use {
    BalancingState state;
    double weight = 0.0;
  };

  // Adds weight to a state. O(1).
  void add(const BalancingState& state, double weight) {
    const auto [position, is_new] = positions_.try_emplace(state.get(), uses_.size());
    if (is_new) {
      uses_.push_back({state, 0.0});
    }
    uses_[position->second].weight += weight;
    total_ += weight;
  }

  [[nodiscard]] double total() const noexcept { return total_; }
  // Returns the states in the order in which they were first added.
  [[nodiscard]] const std::vector<Use>& uses() const noexcept { return uses_; }

  void clear() {
    uses_.clear();
    positions_.clear();
    total_ = 0.0;
  }

 private:
  std::vector<Use> uses_;
  std::unordered_map<const envoy::ClusterState*, std::size_t> positions_;  // never iterated: in no fixed order
  double total_ = 0.0;
};

}  // namespace spillway::run
