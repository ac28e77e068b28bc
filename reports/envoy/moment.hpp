// The state of a scenario at one time, for one client's proxy and the endpoints: the health that EDS reported, and the
// actual state.
//
// Changes up to and including that time are applied. The real Envoy detects by itself what follows as time passes
// (checks, ejections, slow start).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scenario/change.hpp"

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

// The behaviour of an endpoint towards requests that reach it.
struct Behaviour {
  bool gone = false;   // connections are refused: the endpoint, its node or its zone has failed
  double fails = 0.0;  // fraction of its requests that fail
  scenario::Failure failure = scenario::Failure::status;
  std::uint32_t status = 503;
  bool fails_evenly = false;
  bool fails_checks = true;
  scenario::CheckAnswer check_answer = scenario::CheckAnswer::healthy;
  std::uint32_t check_status = 200;  // if it responds

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

struct HostAtMoment {
  config::HealthStatus reported = config::HealthStatus::unknown;
  std::optional<std::uint32_t> weight = {};  // nullopt if it is that of the load assignment
  bool member = true;                        // of the endpoint set that EDS reported
  Behaviour behaviour = {};
};

struct Moment {
  std::vector<std::vector<HostAtMoment>> hosts;                             // by ServiceIndex, HostIndex
  std::vector<std::vector<std::optional<std::uint32_t>>> locality_weights;  // by ServiceIndex, as in EdsHosts
  std::vector<bool> reported_over_time;  // by ServiceIndex: true if any change reports it
};

[[nodiscard]] Moment moment_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                               scenario::Nanoseconds at);

}  // namespace spillway::reports::envoy_export
