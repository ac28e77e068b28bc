// Limits that end requests under load: the requests that a proxy may have in flight to a cluster (written, or Envoy's
// 1,024), and the timeouts of routes (written, or Envoy's 15 s).
//
//   LoadLimits limits(still, loads);
//   limits.growth_to(service);   // 1.6: at so many times the requests one of them comes near
//
// Shares do not show which requests these limits end. Errors are therefore measured near a limit, and not measured far
// below all limits. Limits of queues, of hosts and of gRPC requests are not among them: these are always measured.
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

class LoadLimits {
 public:
  // Both arguments must outlive this object.
  LoadLimits(const scenario::Scenario& still, const Loads& loads);

  // Returns the growth from which a limit may end requests for the service. Infinity if no growth up to the largest
  // that a plan considers does. Uses an upper bound on the time of a request at the busiest endpoint, with every
  // request waiting. The in-flight count follows by Little's law. The margin for chance is half of 1,024 or more
  // requests in flight, nineteen twentieths of fewer and of the timeout. O(endpoints). Source: Erlang; Allen and
  // Cunneen.
  [[nodiscard]] double growth_to(config::ServiceIndex service) const;

 private:
  const scenario::Scenario& still_;
  const Loads& loads_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  scenario::ActualState state_;
  std::vector<double> proxies_;  // by ServiceIndex: rate [requests/s] of the busiest proxy; of all if forwarded
  double timeout_;               // [s] the shortest of any route
};

// Returns LoadLimits::growth_to() for one service.
[[nodiscard]] inline double growth_to_load_limits(const scenario::Scenario& still, const Loads& loads,
                                                  config::ServiceIndex service) {
  return LoadLimits(still, loads).growth_to(service);
}

}  // namespace spillway::plan
