// What both sides are looked at in: every moment at which something changes in either, and every failure of the plan.
#pragma once

#include <chrono>
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
  // The last moment of the stretch, where what a client sends rises or falls within it on either side.
  std::optional<Nanoseconds> end_of_ramp = {};
  const plan::Failure* before = nullptr;  // in the older one; null: nothing fails
  const plan::Failure* after = nullptr;
};

// Each moment costs as much as two exact runs.
inline constexpr std::size_t most_moments = 1'000;

struct Stages {
  std::vector<Stage> all;
  std::size_t moments_left_out = 0;
  std::size_t moments = 0;  // that are compared, those of failures aside
  Nanoseconds failures_at{0};
  std::vector<Nanoseconds> also_busiest = {};  // moments with as many requests, at which failures are not compared
  plan::Failures before;                       // which the stages point into
  plan::Failures after;
  std::vector<Presence> presences;  // failures of one side alone
};

// Moments until the shorter of the two ends; of more than `most_moments`, or of fewer where each takes
// long (clients x endpoints), so many of them, evenly. Failures happen `at`,
// else at the hardest of the moments when the newer one's clients send most (plan/busiest_moments.hpp), if these are
// within both: of those at which most failures take away an endpoint that is there. Those of one name are the same.
[[nodiscard]] Stages stages_of(const Side& before, const Side& after, std::optional<Nanoseconds> at);

// What everybody has been told by the moment that is held still: zones where the endpoints of a service that somebody
// asks for are not all there and healthy.
[[nodiscard]] std::vector<ZoneHealth> health_of(const scenario::Scenario& still);

// Nodes that are out.
[[nodiscard]] std::vector<std::string> nodes_out(const scenario::Scenario& still);

}  // namespace spillway::diff
