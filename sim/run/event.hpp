// What stands on the agenda.
#pragma once

#include <cstdint>
#include <variant>

#include "models/config/strong.hpp"
#include "models/health/outlier_detection.hpp"
#include "sim/run/agenda.hpp"

namespace spillway::run {

// The scenario's change of this position takes effect.
struct AuthoredChange {
  std::size_t change = 0;
};

// An answer completed a run of failures: the proxy decides whether to eject the host.
struct EjectionDecision {
  std::uint32_t proxy = 0;
  config::HostIndex host;
  health::Detection run = health::Detection::consecutive_5xx;
};

// A proxy's update merge window is over.
struct MergedUpdate {
  std::uint32_t proxy = 0;
};

// The proxies of a service look which of their ejected hosts may come back.
struct OutlierSweep {
  config::ServiceIndex service;
};

using Event = std::variant<AuthoredChange, EjectionDecision, MergedUpdate, OutlierSweep>;

}  // namespace spillway::run
