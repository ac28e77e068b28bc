// Rows of what became of requests: `--show requests`.
#pragma once

#include <optional>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class Dimensions;  // group_by.hpp
struct Report;     // formats.hpp
struct Sheet;      // sheet.hpp

// By the rows that are shown (slices, where there are any): sent, answered, failed by kind, attempts, latency,
// utilisation. Programs get every field, people those kinds of failures that there are. A row without answers has no
// latency.
[[nodiscard]] Sheet request_sheet(const Report& report, const Dimensions& by, bool for_people);

// The part of their time for which cores of the service's endpoints worked from `start` to `end`, a mean over those
// that have a limited number; none where no endpoint has, or it was not measured.
[[nodiscard]] std::optional<double> utilisation_of(const scenario::Scenario& scenario, const run::Results& results,
                                                   config::ServiceIndex service, run::Nanoseconds start,
                                                   run::Nanoseconds end);

}  // namespace spillway::reports
