// Decides if a measured figure meets an assertion. It is met or missed if all of its 95 % interval says so; otherwise
// it is undecided, with a note on what would decide it. A documented figure (`equals`) is met if the interval reaches
// it, as in tables: no number of requests proves a figure.
//
//   const Counted share{0.5056, run::wilson_interval(1'990, 3'936)};
//   decide(share, wanted_by(scenario::Comparison::at_most, figure))  // of 48 %: missed; of 50 %: undecided
#pragma once

#include <cstdint>
#include <string>

#include "reports/expectations/verdict.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

// A fraction of all requests or of the time, and its 95 % interval.
struct Counted {
  double value = 0.0;
  run::Interval interval{};
};

// The accepted range: for "equals", everything that prints as the figure.
struct Wanted {
  double low = 0.0;
  double high = 1.0;
  bool is_figure = false;  // "equals"
};
[[nodiscard]] Wanted wanted_by(scenario::Comparison comparison, const scenario::Figure& figure);

[[nodiscard]] study::Verdict decide(const Counted& counted, const Wanted& wanted);

// Returns "95 % interval 49 % to 52.12 %".
[[nodiscard]] std::string interval_text(const Counted& counted);

// Returns the factor by which the sample must grow to decide it, if the value stays; infinite if the value is the
// limit.
[[nodiscard]] double times_as_many(const Counted& counted, const Wanted& wanted);

// Returns "about 12,300 requests would decide it: a longer stretch, or `run --replications 4`".
[[nodiscard]] std::string requests_to_decide(const Counted& share, const Wanted& wanted, std::uint64_t requests,
                                             std::uint32_t replications);

// Returns the text of requests_to_decide() for a window of time.
[[nodiscard]] std::string time_to_decide(const Counted& part, const Wanted& wanted, std::chrono::nanoseconds window,
                                         std::uint32_t replications);

}  // namespace spillway::reports
