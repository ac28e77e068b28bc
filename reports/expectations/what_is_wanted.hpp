// Whether a figure that chance moves is what an assertion wants: met or not where all of its 95 % interval says so,
// else undecided, with what would decide it. A documented figure (`equals`) is met where the interval reaches it, as
// those of tables are: no number of requests proves a figure.
//
//   const Counted share{0.5056, run::wilson_interval(1'990, 3'936)};
//   decide(share, wanted_by(scenario::Comparison::at_most, figure))  // of 48 %: Outcome::fails; of 50 %: undecided
#pragma once

#include <cstdint>
#include <string>

#include "reports/expectations/verdict.hpp"
#include "sim/run/replications.hpp"

namespace spillway::scenario {
enum class Comparison : std::uint8_t;  // expectation.hpp
struct Figure;                         // expectation.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// A part of all requests or of the time, and its 95 % interval.
struct Counted {
  double value = 0.0;
  run::Interval interval{};
};

// From where to where it may be: "equals" means whatever prints as the figure.
struct Wanted {
  double low = 0.0;
  double high = 1.0;
  bool is_figure = false;  // "equals"
};
[[nodiscard]] Wanted wanted_by(scenario::Comparison comparison, const scenario::Figure& figure);

[[nodiscard]] Outcome decide(const Counted& counted, const Wanted& wanted);

// "95 % interval 49 % to 52.12 %".
[[nodiscard]] std::string interval_text(const Counted& counted);

// How many times as much of what was counted would decide it, if the value stays; infinite where it is the limit.
[[nodiscard]] double times_as_many(const Counted& counted, const Wanted& wanted);

// "about 12,300 requests would decide it: a longer stretch, or `run --replications 4`".
[[nodiscard]] std::string requests_to_decide(const Counted& share, const Wanted& wanted, std::uint64_t requests,
                                             std::uint32_t replications);

// The same of a window of time.
[[nodiscard]] std::string time_to_decide(const Counted& part, const Wanted& wanted, std::chrono::nanoseconds window,
                                         std::uint32_t replications);

}  // namespace spillway::reports
