// Runtime values of every proxy change, as by its admin interface.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/common_lb_config.hpp"

namespace spillway::scenario {

struct RuntimeChange {
  // None: as if the key were not there.
  std::vector<std::pair<std::optional<std::uint64_t> config::Runtime::*, std::optional<std::uint64_t>>> values;
};

inline void apply(const RuntimeChange& change, config::Runtime& runtime) {
  for (const auto& [key, value] : change.values) {
    runtime.*key = value;
  }
}

}  // namespace spillway::scenario
