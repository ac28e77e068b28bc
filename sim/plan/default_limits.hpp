// Limits that apply by default: Envoy's 1,024 requests in flight from a proxy to a cluster, and the 15 s timeout of
// requests without a route of their own.
//
//   DefaultLimits limits(still, loads);
//   limits.growth_to(service);   // 1.6: at so many times the requests one of them comes near
//
// Shares do not show which requests these limits end. Errors are therefore measured near a limit, and not measured far
// below all limits.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/plan/loads.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class DefaultLimits {
 public:
  // Both arguments must outlive this object.
  DefaultLimits(const scenario::Scenario& still, const Loads& loads);

  // Returns the growth from which the default limits may end requests for the service. Infinity if no growth up to the
  // largest that a plan considers does. Uses an upper bound on the time of a request at the busiest endpoint, with
  // every request waiting. The in-flight count follows by Little's law. The margin for chance is half of the requests
  // in flight, or a twentieth of the timeout. O(endpoints). Source: Erlang; Allen and Cunneen.
  [[nodiscard]] double growth_to(config::ServiceIndex service) const;

 private:
  const scenario::Scenario& still_;
  const Loads& loads_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  scenario::ActualState state_;
  std::vector<double> proxies_;  // by ServiceIndex: rate [requests/s] of the busiest proxy; of all if forwarded
};

// Returns DefaultLimits::growth_to() for one service.
[[nodiscard]] inline double growth_to_default_limits(const scenario::Scenario& still, const Loads& loads,
                                                     config::ServiceIndex service) {
  return DefaultLimits(still, loads).growth_to(service);
}

}  // namespace spillway::plan
