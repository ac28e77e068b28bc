// The two sides of zone-aware routing as cases give them, and the state of a balancer between them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/envoy/load_balancer_picks.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// The draws that a case prescribes; zeros once they are used up.
class ScriptedDraws {
 public:
  explicit ScriptedDraws(std::vector<std::uint64_t> draws) : draws_(std::move(draws)) {}
  ScriptedDraws(const json& input, const char* field) : draws_(input.value(field, std::vector<std::uint64_t>())) {}

  std::uint64_t operator()() {
    const std::uint64_t draw = used_ < draws_.size() ? draws_[used_] : 0;
    ++used_;
    return draw;
  }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::vector<std::uint64_t> draws_;
  std::size_t used_ = 0;
};

// Priority 0 of either side: localities in the order given, the first the local one if has_local.
[[nodiscard]] envoy::PrioritySet zone_hosts(const json& side);

// One priority of localities with weight, total, healthy, degraded, excluded.
[[nodiscard]] envoy::PrioritySet weighted_hosts(const json& input);

[[nodiscard]] std::shared_ptr<const envoy::ClusterState> zone_state(const json& input);

}  // namespace spillway::conformance
