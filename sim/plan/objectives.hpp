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
#include "sim/scenario/scenario.hpp"

namespace spillway::plan {

enum class Metric : std::uint8_t { utilisation, p50, p90, p99, error_share, cross_zone_share, cross_zone_cost };

// Utilisation, latency and cost grow with the requests; the others are parts of them.
[[nodiscard]] bool grows_with_rate(Metric metric);
// Whether shares say it: not latency.
[[nodiscard]] bool follows_from_shares(Metric metric);

// One number of one objective, for one service.
struct Bound {
  Metric metric = Metric::utilisation;
  config::ServiceIndex service;
  double limit = 1.0;  // fraction, seconds, or money a month
};

// Those of the scenario, a service at a time and only of services that are asked for; where it has none, that no
// endpoint is above 100 % and no request is without a host.
[[nodiscard]] std::vector<Bound> bounds_of(const scenario::Scenario& scenario);

// One bound and what became of it.
struct Margin {
  Bound bound;
  double value = 0.0;
  std::optional<config::EndpointIndex> endpoint = {};  // of a utilisation: the busiest

  [[nodiscard]] bool holds() const noexcept;
  // By how much all requests may grow until the bound is met; 0 where it is passed and less would not help, infinity
  // where more would not hurt.
  [[nodiscard]] double growth() const noexcept;
};

// Of every bound that follows from shares, in their order. A utilisation that nobody knows has no margin.
[[nodiscard]] std::vector<Margin> margins_of(const Loads& loads, const std::vector<Bound>& bounds);

// The one that allows least growth, the first of equals; nothing if there is none.
[[nodiscard]] std::optional<Margin> tightest(const std::vector<Margin>& margins);

// By how much the requests for `service` alone may grow until some bound on it or on endpoints that it shares is met.
[[nodiscard]] double growth_of_service(const scenario::Scenario& still, const Loads& loads,
                                       const std::vector<Bound>& bounds, config::ServiceIndex service);

}  // namespace spillway::plan
