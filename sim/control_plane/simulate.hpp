// Simulates a control plane that examines its proxies and makes their configurations, event by event.
//
//   Results results = simulate(*scenario.control_plane, scenario.duration, {.seed = 1, .interval = 10s});
//   results.settings[0].samples.back().latency.p99;   // seconds
//
// The rules are those of Kuma's control plane:
// - Each proxy is examined at the ticks of its own ticker, which starts when it joins. One tick during an examination
// is kept and comes right after it; further ones are lost.
// - An examination requests the mesh's context. A context younger than the expiration time is reused. Otherwise the
// first request makes it and others wait. The context has the mesh's hash of the time when its making began.
// - A proxy with a configuration of this hash is skipped. Otherwise its configuration is made again, whatever the
// change was about. It has changed if it is the first one, or if a policy for all proxies or the endpoints of a service
// that it uses have changed.
// - Making a context or configuration is work of at most one core. If there are more of them than cores, they share
// these evenly. The latency of a generation counts from the tick to the end of the work, in whole milliseconds, like
// Kuma's metric xds_generation with result="changed".
// Up-to-date proxies cost nothing: they are examined again only when the mesh has changed.
//
// Source: Kuma's xds/sync, util/watchdog, xds/cache/mesh and once; docs/control-plane.md. Deterministic.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "sim/control_plane/results.hpp"

namespace spillway::control_plane {

struct Options {
  std::uint64_t seed = 1;
  std::chrono::nanoseconds interval{0};            // of the samples; above 0
  std::function<void(double done)> progress = {};  // from 0 to 1
};

[[nodiscard]] Results simulate(const scenario::ControlPlane& plane, std::chrono::nanoseconds duration,
                               const Options& options);

}  // namespace spillway::control_plane
