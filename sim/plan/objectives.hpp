// How far loads are from what a scenario's objectives allow.
//
//   std::vector<Bound> bounds = plan::bounds_of(scenario);
//   Margin margin = plan::tightest(still, loads, bounds);
//   margin.holds();            // value <= limit
//   margin.growth();           // 1.2: at 1.2 times the requests it would just hold
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/loads.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

enum class Metric : std::uint8_t {
  utilisation,
  p50,
  p90,
  p99,
  error_share,
  cross_zone_share,
  cross_zone_cost,
  link_utilisation,  // of the bandwidth of the busiest link that requests for the service cross; no objective names it
};

// Utilisation, latency and cost grow with the requests; the others are parts of them.
[[nodiscard]] bool grows_with_rate(Metric metric);
// Whether shares say it: not latency.
[[nodiscard]] bool follows_from_shares(Metric metric);

// One number of one objective, for one service.
struct Bound {
  Metric metric = Metric::utilisation;
  config::ServiceIndex service;
  double limit = 1.0;    // fraction, seconds, or money a month
  bool assumed = false;  // not the scenario's
  // Of a utilisation of endless queues (endless_queues()): it must stay below the limit, at which they grow without
  // end.
  bool below = false;
};

// Those of the scenario, a service at a time and only of services that are asked for; where it has none, what a careful
// engineer would assume: no endpoint above 80 %, no failed request. No failed request is assumed too for a service of
// which the scenario bounds neither errors nor latency: endpoints have less to do, and less crosses zones, the more
// requests fail. For a service without an objective of utilisation, that its endless queues stay below 100 %, whatever
// a simulation of limited length shows. In platform mode no link can carry more than its bandwidth.
[[nodiscard]] std::vector<Bound> bounds_of(const scenario::Scenario& scenario);

// Of all requests the part that may be late: 0.01 of a p99. None: no bound of latency.
[[nodiscard]] std::optional<double> may_be_late(Metric metric);

// With what bounds of latency say of errors, where shares are all that is known: a request that fails is late.
[[nodiscard]] std::vector<Bound> with_errors_of_latency(std::vector<Bound> bounds);

enum class Judgement : std::uint8_t { holds, open, fails };

// One bound and what became of it.
struct Margin {
  Bound bound;
  double value = 0.0;
  // Of a utilisation: the busiest. Where requests were counted, `value` is the mean of each replication's busiest one.
  std::optional<config::EndpointIndex> endpoint = {};
  double half_width = 0.0;  // of the value's 95 % interval, where requests were counted; 0: the value is exact
  // Of a share of failed requests that does not hold: the growth, below 1, at which no endpoint has more to do than
  // allowed, where only such overload makes requests fail. 0: fewer requests would fail as well.
  double eased_at = 0.0;

  // Open where the limit lies within the interval. Where none may fail and none did, it holds.
  [[nodiscard]] Judgement judgement() const noexcept;
  [[nodiscard]] bool holds() const noexcept { return judgement() == Judgement::holds; }
  // By how much all requests may grow until the bound is met, by the upper end of the interval; 0 where it does not
  // hold and less would not help, infinity where more would not hurt. Where it must stay below its limit, 2 % less than
  // meets the limit, or 1 where that holds already.
  [[nodiscard]] double growth() const noexcept;
  // Of a value that grows with the requests: by how much they may grow until it is at its limit.
  [[nodiscard]] double growth_to_limit() const noexcept;
};

// Of every bound that follows from shares, in their order. A utilisation that is not known has no margin.
[[nodiscard]] std::vector<Margin> margins_of(const Loads& loads, const std::vector<Bound>& bounds);

// The worst of all margins; holds where there are none.
[[nodiscard]] Judgement judge(const std::vector<Margin>& margins);

// Of these bounds the utilisations that no one can tell: requests are answered, and of no endpoint that answers them
// the cores or the capacity are known.
[[nodiscard]] std::vector<Bound> unknown_bounds(const Loads& loads, const std::vector<Bound>& bounds);

// The one that allows least growth, the first of equals; nothing if there is none.
[[nodiscard]] std::optional<Margin> tightest(const std::vector<Margin>& margins);

// How far the requests for one service alone may grow.
class ServiceGrowth {
 public:
  // All must outlive this. O(bounds x endpoints).
  ServiceGrowth(const scenario::Scenario& still, const Loads& loads, const std::vector<Bound>& bounds);

  // Until some bound on the service, or on endpoints that it shares, is met. O(endpoints).
  [[nodiscard]] double of(config::ServiceIndex service) const;

 private:
  const Loads& loads_;
  const std::vector<Bound>& bounds_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  // By EndpointIndex: the lowest utilisation that a bound allows of a service which sends requests there.
  std::vector<double> limits_;
};

}  // namespace spillway::plan
