// Rows of what became of requests, in every format but JSON: `--show requests`.
#pragma once

#include "reports/formats.hpp"

namespace spillway::reports {

// By the rows that are shown (slices, where there are any): sent, answered, failed by kind, attempts, latency,
// utilisation. `wide` and `csv` have every field, `table` and `markdown` those kinds of failures that there are, with
// the summary below. A row without answers has no latency.
void write_requests(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink);

// The part of their time for which cores of the service's endpoints worked from `start` to `end`, a mean over those
// that have a limited number; none where no endpoint has, or it was not measured.
[[nodiscard]] std::optional<double> utilisation_of(const scenario::Scenario& scenario, const run::Results& results,
                                                   config::ServiceIndex service, run::Nanoseconds start,
                                                   run::Nanoseconds end);

}  // namespace spillway::reports
