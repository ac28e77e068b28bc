// A control plane that examines its proxies and makes their configurations, played event by event.
//
//   Results results = simulate(*scenario.control_plane, scenario.duration, {.seed = 1, .interval = 10s});
//   results.settings[0].samples.back().latency.p99;   // seconds
//
// What happens, from Kuma's control plane:
// - Each proxy is examined at the ticks of a ticker of its own, which starts when it joins. A tick that falls into an
//   examination is kept and comes right after it; further ones are lost.
// - An examination asks for the mesh's context. One that is younger than the expiration time serves; else the first who
//   asks makes it and the others wait. The context has the mesh's hash of the moment when its making began.
// - A proxy that has a configuration of this hash is left alone. Else its configuration is made anew, whoever the
//   change was about; it has changed if it is the first, if the endpoints of a service that it asks for have, or if a
//   policy for all has.
// - Making contexts and configurations is work of one core at most each; more of them than there are cores share these
//   evenly. The latency of a generation counts from the tick to the end of the work, in whole milliseconds, as Kuma's
//   metric xds_generation with result="changed" has it.
// A proxy that needs nothing costs nothing: who is up to date is looked at again when the mesh has changed.
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
