// The contexts in which both sides are compared: every time at which something changes in either, and every failure of
// the plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/diff/side.hpp"
#include "sim/plan/failures.hpp"

namespace spillway::diff {

struct Stage {
  Context context;
  Nanoseconds at{0};
  // Last time of the stretch, if a client's rate rises or falls within the stretch on either side.
  std::optional<Nanoseconds> end_of_ramp = {};
  const plan::Failure* before = nullptr;  // in the older and the newer one; null if nothing fails
  const plan::Failure* after = nullptr;
};

// Limit of the times compared. Each costs as much as two exact runs.
inline constexpr std::size_t most_moments = 1'000;

struct Stages {
  std::vector<Stage> all;
  std::size_t moments_left_out = 0;
  std::size_t moments = 0;  // number compared, without those of failures
  Nanoseconds failures_at{0};
  std::vector<Nanoseconds> also_busiest = {};  // times with as many requests, at which failures are not compared
  plan::Failures before;                       // the stages point into `before` and `after`
  plan::Failures after;
  std::vector<Presence> presences;  // failures in only one plan
};

// Returns the times until the shorter scenario ends. If there are too many, an evenly spaced subset is taken: of at
// most `most_moments`, or fewer if each takes long (clients x endpoints). Failures happen `at`. By default they happen
// at the hardest of the newer one's busiest times (plan/busiest_moments.hpp), if these are within both scenarios. Only
// times at which most failures remove an existing endpoint are considered. Failures of the same name are compared with
// each other.
[[nodiscard]] Stages stages_of(const Side& before, const Side& after, std::optional<Nanoseconds> at);

// Returns the zones where some endpoints of a requested service are missing or unhealthy, as EDS has reported by the
// time that is held still.
[[nodiscard]] std::vector<ZoneHealth> health_of(const scenario::Scenario& still);

// Returns the names of nodes that are down.
[[nodiscard]] std::vector<std::string> nodes_out(const scenario::Scenario& still);

}  // namespace spillway::diff
