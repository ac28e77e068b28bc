// Unbounded queues: effects that a simulation of the scenario's length does not show.
//
//   endless_queues(still, 60.0)[endpoint];   // true: at 100 % utilisation its queue grows for longer than 60 s
//   settled_growth(still, loads);            // 1.5: at more times the requests they still change when it ends
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

struct Loads;  // loads.hpp

// Returns, by EndpointIndex, true if requests wait there for cores without an effective limit. A written `queue` or
// `max_requests` of its clusters is a limit if it keeps the wait below a fiftieth of `seconds` [s]. Envoy's default of
// 1,024 requests does not count, because it was not chosen to shed load. O(endpoints), plus O(clients) if any breaker
// is written.
[[nodiscard]] std::vector<bool> endless_queues(const scenario::Scenario& still, double seconds);

// Returns, by ServiceIndex as clients ask for them, true if requests wait for a connection without an effective limit:
// over HTTP/1.1, with a written `max_connections` of a cluster behind the service, in `thresholds` or
// `per_host_thresholds`. A written `max_pending_requests` is a limit if it keeps the wait below a fiftieth of `seconds`
// [s].
[[nodiscard]] std::vector<bool> endless_pools(const scenario::Scenario& still, double seconds);

// Sets the mean part of the busiest proxy's connections that carry a request, of services with endless pools, by
// Little's law: requests per second times the mean service time, for max_connections connections, or for one to each
// endpoint from each worker if these are more. With `per_host_thresholds`, of the connections to the busiest endpoint.
// Behind an aggregate cluster, and to one endpoint, it is the mean over all proxies. The time on links and in queues is
// not counted. For all three reasons more may be in use, not fewer.
void set_connection_utilisation(const scenario::Scenario& still, double seconds, Loads& loads);

// Returns the growth up to which every endless queue reaches its long-run length within a tenth of the scenario's
// duration; infinity if there is no such queue. The relaxation time is 2 (1 + c^2) s / (k (1 - u)^2) for k cores with
// utilisation u. Service times have mean s and coefficient of variation c. Source: relaxation time of M/G/1 near
// saturation.
[[nodiscard]] double settled_growth(const scenario::Scenario& still, const Loads& loads);

}  // namespace spillway::plan
