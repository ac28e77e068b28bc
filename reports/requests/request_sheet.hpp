// Rows with the outcomes of requests: `--show requests`.
#pragma once

#include <optional>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Dimensions;  // group_by.hpp
struct Report;     // formats.hpp
struct Sheet;      // sheet.hpp

// Returns one row per shown row (slices, if there are any): sent, ok, failed by kind, attempts, latency, utilisation.
// Programs get every field, people only kinds of failures that occurred. A row without successful responses has no
// latency.
[[nodiscard]] Sheet request_sheet(const Report& report, const Dimensions& by, bool for_people);

// Returns the utilisation of the cores of the service's endpoints from `start` to `end`, the mean over endpoints with a
// limited number of cores. Returns nullopt if no endpoint has a limit, or it was not measured.
[[nodiscard]] std::optional<double> utilisation_of(const scenario::Scenario& scenario, const run::Results& results,
                                                   config::ServiceIndex service, run::Nanoseconds start,
                                                   run::Nanoseconds end);

}  // namespace spillway::reports
