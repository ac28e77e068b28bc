// Queues without an end: what a simulation as long as the scenario does not show.
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

// By EndpointIndex: true if requests wait there for cores, and neither a written `queue` nor a written `max_requests`
// of its clusters keeps the wait below a fiftieth of `seconds`. Envoy's default of 1,024 requests counts as no bound:
// it was not chosen to shed load. O(endpoints), plus O(clients) if any breaker is written.
[[nodiscard]] std::vector<bool> endless_queues(const scenario::Scenario& still, double seconds);

// Up to how many times the requests every endless queue reaches its long-run length within a tenth of the scenario's
// duration; infinite if there is no such queue. The time it takes is 2 (1 + c^2) s / (k (1 - u)^2) for k cores with
// utilisation u and service times of mean s and coefficient of variation c: M/G/1's relaxation time near saturation.
[[nodiscard]] double settled_growth(const scenario::Scenario& still, const Loads& loads);

}  // namespace spillway::plan
