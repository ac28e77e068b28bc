// Conditions on the results at a value: a figure below or above a limit, judged by simulated runs.
//
//   const auto condition = std::get<Condition>(parse_condition("p99 < 200ms", event_names));
//   Finding finding = judge(condition, runs);       // holds, fails, or open: the interval holds the limit
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/study/verdict.hpp"
#include "sim/sweep/figure.hpp"

namespace spillway::sweep {

struct Condition {
  std::string text;  // as written
  Figure figure;
  bool below = true;         // if false, above
  double limit = 0.0;        // share, [s] or count
  bool limit_holds = false;  // <= or >=; also for below 0, which could not hold otherwise
  bool assumed = false;      // stability_condition()
};

struct ConditionProblem {
  std::string message;
  std::string help;
};

// Parses conditions such as "failed < 0.1 %", "p99 < 200ms", "utilisation < 80%", "ejected <= 3".
[[nodiscard]] std::variant<Condition, ConditionProblem> parse_condition(const std::string& text,
                                                                        const std::vector<std::string>& event_names);

// The condition that no queue grows beyond the end of a run. Figures::overload judges it.
[[nodiscard]] Condition stability_condition();

struct Finding {
  std::optional<double> mean = {};  // nullopt if no run has the figure
  // 95 % interval: Student's over the runs. For shares of requests, the wider of this and Wilson's for independent
  // requests. Latencies are known to 1 %.
  double low = 0.0;
  double high = 0.0;
  study::Verdict judgement = study::Verdict::undecided;
  std::string whose = {};  // "client -> service"; empty means all requests

  // Distance from the limit, as a fraction of it: above 0 if the limit is missed.
  double excess = 0.0;
};

// Returns the mean with its interval, without a judgement. nullopt if no run has the figure, or if a run was rejected.
[[nodiscard]] std::optional<Finding> measure(const Figure& figure, std::span<const Figures> runs);

// Judges the condition. With a limit of 0, the observed value decides. A latency without a value in any run fails:
// nothing was answered. For failed requests, the limit also applies to each client and service, so that a small one
// that fails is not hidden by others. A percentile with fewer than ten responses beyond it in a run is biased low and
// therefore proves nothing.
[[nodiscard]] Finding judge(const Condition& condition, std::span<const Figures> runs);

}  // namespace spillway::sweep
