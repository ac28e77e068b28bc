// What makes a value good: a figure below or above a limit, and whether simulated runs say so.
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
#include "sim/sweep/query.hpp"

namespace spillway::sweep {

struct Figures;  // figures.hpp

struct Condition {
  std::string text;  // as it was written
  Figure figure;
  bool below = true;         // else above
  double limit = 0.0;        // share, seconds or count
  bool limit_holds = false;  // <= or >=; and below 0, which nothing else could hold
};

// Nothing where it makes no sense: "failed < 0.1 %", "p99 < 200ms", "utilisation < 80%", "ejected <= 3".
[[nodiscard]] std::optional<Condition> parse_condition(const std::string& text,
                                                       const std::vector<std::string>& event_names);

// Of one run; nothing: the run does not know it.
[[nodiscard]] std::optional<double> value_of(const Figure& figure, const Figures& run,
                                             const std::vector<std::string>& event_names);

struct Finding {
  std::optional<double> mean = {};  // none: no run knows it
  // 95 % interval: Student's over the runs; of shares of requests also Wilson's of independent requests, whichever
  // reaches further; latencies are known to 1 %.
  double low = 0.0;
  double high = 0.0;
  plan::Judgement judgement = plan::Judgement::open;
  std::string whose = {};  // "client -> service"; empty: of all requests

  // How far from the limit, as a part of it: above 0 it is missed.
  double excess = 0.0;
};

// The mean with its interval, not judged; nothing: no run knows it, or a run was refused.
[[nodiscard]] std::optional<Finding> measure(const Figure& figure, std::span<const Figures> runs,
                                             const std::vector<std::string>& event_names);

// Where nothing may be missed (a limit of 0) what was seen decides. A latency that no run knows fails: nothing was
// answered. Of failed requests the limit is that of each client and service, too: what fails for one of them for sure
// does not hold because others have more requests. A percentile that a run has fewer than ten answers beyond is too
// low, so that it proves nothing.
[[nodiscard]] Finding judge(const Condition& condition, std::span<const Figures> runs,
                            const std::vector<std::string>& event_names);

}  // namespace spillway::sweep
