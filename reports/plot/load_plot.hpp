// Plots the load of each endpoint over time, for each service: one row per endpoint, darker if busier.
#pragma once

#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/plot/picture.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

// Returns a script for gnuplot, from `results.samples`. It shows utilisation if the service's endpoints have a limited
// number of cores, otherwise requests per second. `services` selects the services. In mode exact it shows expected
// loads; endpoints whose load is unknown (no closed form) are hatched.
[[nodiscard]] std::string load_plot(const scenario::Scenario& scenario, const run::Results& results,
                                    const std::vector<config::ServiceIndex>& services, Image image);

}  // namespace spillway::reports::plot
