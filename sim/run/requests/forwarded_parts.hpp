// What zone proxies make of the requests that they get: which part goes on to each endpoint behind them.
//
//   const auto parts = forwarded_parts({scenario, flows, traffic, upstreams}, targets);
//   ExactMean mean(targets, parts);
#pragma once

#include <vector>

#include "sim/run/told/upstreams.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

// Who asks whom for what, and what the proxies have been told.
struct Balancing {
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  const Upstreams& upstreams;
};

// By target: its part of what its host gets, as exact shares have it. Empty where no host is a zone proxy.
[[nodiscard]] std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets);

}  // namespace spillway::run
