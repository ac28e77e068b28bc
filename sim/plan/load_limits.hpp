// Limits that end requests under load: the requests that a proxy may have in flight to a cluster (written, or Envoy's
// 1,024), and the timeouts of routes (written, or Envoy's 15 s).
//
//   LoadLimits limits(still, loads);
//   limits.growth_to(service);   // 1.6: at so many times the requests one of them comes near
//
// Shares do not show which requests these limits end. Errors are therefore measured near a limit, and not measured far
// below all limits. Limits of queues and of hosts are not among them: these are always measured. Timeouts that gRPC
// requests bring are refused when a scenario is read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/plan/loads.hpp"
#include "sim/run/exact/stay_bound.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/serving.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {

struct Bound;  // objectives.hpp

class LoadLimits {
 public:
  // The limits of one service's requests.
  struct Limit {
    double in_flight = 0.0;    // of one proxy
    double connections = 0.0;  // likewise: further requests wait for one
    double timeout = 0.0;      // [s] that remain after the longest time on links
  };

  // An endpoint that gets requests for the service.
  struct Server {
    double seconds = 0.0;      // per request, with nothing else running
    double longest = 0.0;      // [s] likewise, except with negligible probability
    double variability = 1.0;  // half of one plus the squared coefficient of variation; at least 1
    double utilisation = 0.0;
    scenario::Servers cores = {};
    run::Work work = {};  // of its cores; empty if they are unlimited
  };

  // Both arguments must outlive this object.
  LoadLimits(const scenario::Scenario& still, const Loads& loads);

  // Returns the growth from which a limit may end requests for the service. Infinity if no growth up to the largest
  // that a plan considers does. The number of requests in flight follows by Little's law from an upper bound of their
  // mean time at the busiest endpoint, with every request waiting; the margin for chance is half of 1,024 or more
  // requests in flight, and nineteen twentieths of fewer. The time of a request is compared with the timeouts of the
  // routes to the service by a bound that one in 10^10 requests exceeds, of Poisson arrivals (run::longest_stay), with
  // the wait for one of `max_connections`. O(endpoints). Source: Erlang; Allen and Cunneen; Kingman 1970.
  [[nodiscard]] double growth_to(config::ServiceIndex service) const;

 private:
  [[nodiscard]] std::vector<Server> servers_of(config::ServiceIndex service) const;

  const scenario::Scenario& still_;
  const Loads& loads_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  scenario::ActualState state_;
  std::vector<double> proxies_;  // by ServiceIndex: rate [requests/s] of the busiest proxy; of all if forwarded
  std::vector<Limit> limits_;    // by ServiceIndex
  std::vector<run::Work> work_;  // by number of a queue
};

// Returns, by ServiceIndex, LoadLimits::growth_to for each service with a bound on errors.
[[nodiscard]] std::map<std::uint32_t, double> load_fails_from(const scenario::Scenario& still, const Loads& loads,
                                                              const std::vector<Bound>& bounds);

}  // namespace spillway::plan
