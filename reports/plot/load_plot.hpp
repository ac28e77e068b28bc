// How busy each endpoint is, over time: a row an endpoint, darker the busier, for each service.
#pragma once

#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/plot/picture.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

// A script for gnuplot, from `results.samples`. Utilisation where the service's endpoints have cores of a limited
// number, else requests a second. `services`: these alone. In mode exact
// what is to be expected; endpoints whose load is unknown (no closed form) are hatched.
[[nodiscard]] std::string load_plot(const scenario::Scenario& scenario, const run::Results& results,
                                    const std::vector<config::ServiceIndex>& services, Image image);

}  // namespace spillway::reports::plot
