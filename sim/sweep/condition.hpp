// Conditions on the results at a value: a figure below or above a limit, judged by simulated runs.
//
//   std::optional<Condition> condition = parse_condition("p99 < 200ms", event_names);
//   Finding finding = judge(*condition, runs, names);       // holds, fails, or open: the interval holds the limit
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/query.hpp"

namespace spillway::sweep {

struct Figures;  // figures.hpp

struct Condition {
  std::string text;  // as written
  Figure figure;
  bool below = true;         // if false, above
  double limit = 0.0;        // share, [s] or count
  bool limit_holds = false;  // <= or >=; also for below 0, which could not hold otherwise
};

// Parses conditions such as "failed < 0.1 %", "p99 < 200ms", "utilisation < 80%", "ejected <= 3". Returns nullopt if
// the text makes no sense.
[[nodiscard]] std::optional<Condition> parse_condition(const std::string& text,
                                                       const std::vector<std::string>& event_names);

// Returns the figure's value in one run; nullopt if the run has no such figure.
[[nodiscard]] std::optional<double> value_of(const Figure& figure, const Figures& run,
                                             const std::vector<std::string>& event_names);

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
[[nodiscard]] std::optional<Finding> measure(const Figure& figure, std::span<const Figures> runs,
                                             const std::vector<std::string>& event_names);

// Judges the condition. With a limit of 0, the observed value decides. A latency without a value in any run fails:
// nothing was answered. For failed requests, the limit also applies to each client and service, so that a small one
// that fails is not hidden by others. A percentile with fewer than ten responses beyond it in a run is biased low and
// therefore proves nothing.
[[nodiscard]] Finding judge(const Condition& condition, std::span<const Figures> runs,
                            const std::vector<std::string>& event_names);

}  // namespace spillway::sweep
