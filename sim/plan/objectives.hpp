// Distances of loads from what a scenario's objectives allow.
//
//   std::vector<Bound> bounds = plan::bounds_of(scenario);
//   Margin margin = plan::tightest(still, loads, bounds);
//   margin.holds();            // value <= limit
//   margin.growth();           // 1.2: at 1.2 times the requests it would just hold
#pragma once

#include <optional>
#include <vector>

#include "sim/plan/loads.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/study/metric.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {

using study::Metric;

// True for utilisation, latency and costs of traffic, which grow with the requests.
[[nodiscard]] constexpr bool grows_with_rate(Metric metric) {
  return study::facts(metric).grows;
}
// Returns the share of all requests that may be late: 0.01 for a p99; nullopt if not a latency.
[[nodiscard]] constexpr std::optional<double> may_be_late(Metric metric) {
  return study::facts(metric).late;
}
// True if shares determine the metric: all but latency.
[[nodiscard]] constexpr bool follows_from_shares(Metric metric) {
  return !may_be_late(metric);
}

// One limit of one objective, for one service.
struct Bound {
  Metric metric = Metric::utilisation;
  config::ServiceIndex service;
  double limit = 1.0;    // fraction, seconds, or money per month
  bool assumed = false;  // not in the scenario
  // For a utilisation of endless queues (endless_queues()): it must stay below the limit, where the queues would grow
  // without end.
  bool below = false;
};

// Returns the scenario's bounds, service by service, for requested services only. By default no endpoint may be above
// 80 % and no request may fail. A service with neither error nor latency bounds also gets the bound of no failed
// request: failed requests reduce load and cross-zone traffic. A service without a utilisation objective must keep its
// endless queues below 100 %, regardless of a simulation of limited length. In platform mode, no link may carry more
// than its bandwidth.
[[nodiscard]] std::vector<Bound> bounds_of(const scenario::Scenario& scenario);

// Returns the latency whose objective implies this bound on errors, by with_errors_of_latency(); nullopt if none does.
[[nodiscard]] std::optional<Metric> implied_latency(const Bound& bound);

// Adds the error bounds implied by latency bounds, for use with shares only: a failed request is late.
[[nodiscard]] std::vector<Bound> with_errors_of_latency(std::vector<Bound> bounds);

// A bound and its measured value.
struct Margin {
  Bound bound;
  double value = 0.0;
  // For a utilisation: the busiest endpoint. For counted requests, `value` is the mean of each replication's busiest
  // one.
  std::optional<config::EndpointIndex> endpoint = {};
  double half_width = 0.0;  // of the 95 % interval, for counted requests; 0 if the value is exact
  // For a failed share of failed requests caused only by overload: the growth below 1 at which no endpoint is
  // overloaded. 0 if fewer requests would fail as well.
  double eased_at = 0.0;

  // Returns open if the limit is inside the interval. With a limit of zero failures, no observed failure holds.
  [[nodiscard]] study::Verdict judgement() const noexcept;
  [[nodiscard]] bool holds() const noexcept { return judgement() == study::Verdict::met; }
  // Returns the growth of all requests at which the bound is met exactly, by the interval's upper end. 0 if the bound
  // fails and fewer requests would not help; infinity if more would not hurt. If the value must stay below its limit,
  // returns 2 % less, or 1 if the bound holds now.
  [[nodiscard]] double growth() const noexcept;
  // For values that grow with the requests: returns the growth at which the value is at its limit.
  [[nodiscard]] double growth_to_limit() const noexcept;
};

// Returns the margins of all bounds that follow from shares, in order. An unknown utilisation has no margin.
[[nodiscard]] std::vector<Margin> margins_of(const Loads& loads, const std::vector<Bound>& bounds);

// Returns the worst of all margins; holds if there are none.
[[nodiscard]] study::Verdict judge(const std::vector<Margin>& margins);

// Returns the utilisation bounds that cannot be determined: requests are answered, but no answering endpoint has known
// cores or capacity.
[[nodiscard]] std::vector<Bound> unknown_bounds(const Loads& loads, const std::vector<Bound>& bounds);

// Returns the margin that allows least growth, the first of equals; nullopt if there is none.
[[nodiscard]] std::optional<Margin> tightest(const std::vector<Margin>& margins);

// The possible growth of the requests for one service, with the others constant.
class ServiceGrowth {
 public:
  // Lifetime: all arguments must outlive this object. O(bounds x endpoints).
  ServiceGrowth(const scenario::Scenario& still, const Loads& loads, const std::vector<Bound>& bounds);

  // Returns the growth until a bound on the service, or on endpoints that it shares, is met. O(endpoints of the
  // service and of its queues).
  [[nodiscard]] double of(config::ServiceIndex service) const;

 private:
  const Loads& loads_;
  const std::vector<Bound>& bounds_;
  std::vector<std::optional<ServerQueue>> server_queues_;
  std::vector<std::vector<std::uint32_t>> served_by_ = {};  // by number of a server queue: its endpoints
  // By EndpointIndex: the lowest utilisation limit of all services that send requests there.
  std::vector<double> limits_;
};

}  // namespace spillway::plan
