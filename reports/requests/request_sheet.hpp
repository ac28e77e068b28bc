// Rows of what became of requests: `--show requests`.
#pragma once

#include "reports/formats.hpp"

namespace spillway::reports {

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
