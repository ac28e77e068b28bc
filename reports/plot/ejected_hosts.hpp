// How many hosts proxies have ejected, over time.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

struct EjectedHosts {
  run::Nanoseconds begin{0};
  run::Nanoseconds end{0};
  double hosts = 0.0;  // a mean over the proxies
};

// Of the proxies of one client, or of all that ask for the service; in stretches of at least `resolution`, of which
// each has the highest number within. None where nothing was ever ejected.
[[nodiscard]] std::vector<EjectedHosts> ejected_hosts(const scenario::Scenario& scenario, const run::Results& results,
                                                      std::optional<config::ClientEntryIndex> client,
                                                      config::ServiceIndex service, run::Nanoseconds resolution);

}  // namespace spillway::reports::plot
