// Small control planes for tests: what costs nothing takes no time.
#pragma once

#include <chrono>

#include "sim/control_plane/simulate.hpp"
#include "sim/scenario/control_plane.hpp"

namespace test {

using spillway::scenario::ControlPlane;
using spillway::scenario::ControlPlaneSetting;

// `services` of `instances` that all join at the start, on a host with enough cores for all.
inline ControlPlaneSetting plane_of(std::uint32_t services, std::uint32_t instances, std::uint32_t reachable) {
  using namespace std::chrono_literals;
  ControlPlaneSetting setting;
  setting.name = "test";
  setting.cores = 64;
  setting.refresh_interval = 1s;
  setting.cache_expiration = 1s;
  setting.services = services;
  setting.instances = instances;
  setting.reachable_services = reachable;
  setting.acyclic = false;
  return setting;
}

inline spillway::control_plane::SettingResults simulated(const ControlPlaneSetting& setting,
                                                         std::chrono::nanoseconds duration = std::chrono::seconds{20}) {
  ControlPlane plane;
  plane.settings.push_back(setting);
  return spillway::control_plane::simulate(plane, duration, {.seed = 1, .interval = std::chrono::seconds{1}})
      .settings[0];
}

}  // namespace test
