// Limits that hold though nobody writes them: Envoy's 1,024 requests in flight from a proxy to a cluster, and the 15 s
// after which a request without a route of its own ends.
//
//   DefaultLimits limits(still, loads);
//   limits.growth_to(service);   // 1.6: at so many times the requests one of them comes near
//
// Shares do not tell what they end, so that errors are measured where they are near; far below them nothing is.
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
  // Both must outlive this.
  DefaultLimits(const scenario::Scenario& still, const Loads& loads);

  // From how many times the requests on one of them may end requests for the service; infinity: at no number up to the
  // largest that a plan looks at. By an upper bound on the time that a request spends at the busiest of its endpoints
  // (Erlang's and Allen and Cunneen's, with every request waiting) and Little's law, with room for chance: half as many
  // in flight, or a twentieth of the time. O(endpoints).
  [[nodiscard]] double growth_to(config::ServiceIndex service) const;

 private:
  const scenario::Scenario& still_;
  const Loads& loads_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  scenario::ActualState state_;
  std::vector<double> proxies_;  // by ServiceIndex: requests a second of the proxy that sends most; of all if forwarded
};

// For one service.
[[nodiscard]] inline double growth_to_default_limits(const scenario::Scenario& still, const Loads& loads,
                                                     config::ServiceIndex service) {
  return DefaultLimits(still, loads).growth_to(service);
}

}  // namespace spillway::plan
