// One function per kind of plot. Each returns a script for gnuplot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/plot/picture.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {
struct Grouped;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::control_plane {
struct Results;  // results.hpp
}  // namespace spillway::control_plane

namespace spillway::reports::plot {

class LatencyTimeline;  // latency_timeline.hpp

// Plots the latency of responses over time: p50, p90 and p99 for each client and service. Latency is on a logarithmic
// scale if the largest is more than ten times the smallest.
[[nodiscard]] std::string latency_plot(const scenario::Scenario& scenario, const LatencyTimeline& timeline,
                                       Image image);

// Plots the load of each endpoint over time, for each service: one row per endpoint, darker if busier.
// Source: `results.samples`. It shows utilisation if the service's endpoints have a limited
// number of cores, otherwise requests per second. `services` selects the services. In mode exact it shows expected
// loads; endpoints whose load is unknown (no closed form) are hatched.
[[nodiscard]] std::string load_plot(const scenario::Scenario& scenario, const run::Results& results,
                                    const std::vector<config::ServiceIndex>& services, Image image);

// Plots the distribution of traffic over time. Each client and service has a stack of shares by epoch, a strip below it
// with the health that EDS reported, and lines at changes.
//
//   std::string script = share_plot(scenario, group_by(scenario, results, by), Image::svg);
//   std::string fine = share_plot(scenario, group_by(scenario, slices, by), Image::svg, Rows::over_time);
//
// The stack shows exact shares, with dots for the simulated ones, or simulated shares if no closed form exists.
// Requests without a host are hatched. There is one color per zone if `by` contains zones and there are several,
// otherwise one per priority.
//
// Rows over time are short; there are a hundred or more. Their stack shows counts, exact shares are steps drawn over
// it, and lines also mark events of proxies (Results::logged_events).
enum class Rows : std::uint8_t { epochs, over_time };

[[nodiscard]] std::string share_plot(const scenario::Scenario& scenario, const Grouped& grouped, Image image,
                                     Rows rows = Rows::epochs);

// Plots a capacity plan: the utilisation of the busiest endpoint of each zone under every failure, with the objective's
// limit. The tightest failure and failed ones are marked; the headroom is at the top. Precondition: utilisation is
// known. If there are more than forty failures, only those with the least headroom are drawn.
[[nodiscard]] std::string plan_plot(const scenario::Scenario& scenario, const plan::Plan& plan, Image image);

// Plots the latency of a control plane over time, one panel per setting: quantiles of its samples as lines, the
// document's readings as points (docs/control-plane.md).
[[nodiscard]] std::string control_plane_plot(const scenario::Scenario& scenario, const control_plane::Results& results,
                                             Image image);

}  // namespace spillway::reports::plot
