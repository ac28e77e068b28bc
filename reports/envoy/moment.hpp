// One moment of a scenario for one client's proxy and the endpoints: the health that EDS reported, and the actual
// state.
//
// Changes up to and including the moment count. What follows from time passing (checks, ejections, slow start) is the
// real Envoy's to find out.
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

// What an endpoint does with the requests that reach it.
struct Behaviour {
  bool gone = false;   // it, its node or its zone: connections are refused
  double fails = 0.0;  // this fraction of its requests
  scenario::Failure failure = scenario::Failure::status;
  std::uint32_t status = 503;
  bool fails_evenly = false;
  bool fails_checks = true;
  scenario::CheckAnswer check_answer = scenario::CheckAnswer::healthy;
  std::uint32_t check_status = 200;  // where the answer is one

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

struct HostAtMoment {
  config::HealthStatus reported = config::HealthStatus::unknown;
  std::optional<std::uint32_t> weight = {};  // none: that of the load assignment
  bool member = true;                        // of the endpoint set that the proxy was told
  Behaviour behaviour = {};
};

struct Moment {
  std::vector<std::vector<HostAtMoment>> hosts;                             // by ServiceIndex, HostIndex
  std::vector<std::vector<std::optional<std::uint32_t>>> locality_weights;  // by ServiceIndex, as in EdsHosts
  std::vector<bool> reported_over_time;  // by ServiceIndex: whether any change of the scenario tells of it
};

[[nodiscard]] Moment moment_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                               scenario::Nanoseconds at);

}  // namespace spillway::reports::envoy_export
