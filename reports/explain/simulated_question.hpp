// The proxy, the service and the time that a simulation for an explanation is about.
#pragma once

#include <cstdint>
#include <optional>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::reports::explain {

struct SimulatedQuestion {
  config::ClientEntryIndex client = {};
  std::uint32_t instance = 0;  // of the entry's clients, from 0
  config::ServiceIndex service = {};
  run::Nanoseconds at{0};
  std::optional<std::uint64_t> seed = {};
};

}  // namespace spillway::reports::explain
