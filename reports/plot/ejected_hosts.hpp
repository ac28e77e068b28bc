// Counts the hosts that proxies have ejected, over time.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

struct EjectedHosts {
  run::Nanoseconds begin{0};
  run::Nanoseconds end{0};
  double hosts = 0.0;  // mean over the proxies
};

// Returns the ejected hosts of one client's proxies, or of all proxies that request the service. Each stretch lasts at
// least `resolution` and has the highest number within it. Empty if no host was ever ejected.
[[nodiscard]] std::vector<EjectedHosts> ejected_hosts(const scenario::Scenario& scenario, const run::Results& results,
                                                      std::optional<config::ClientEntryIndex> client,
                                                      config::ServiceIndex service, run::Nanoseconds resolution);

}  // namespace spillway::reports::plot
