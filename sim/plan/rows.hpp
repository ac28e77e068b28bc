// Failures of a world, each with its loads and margins; and what they leave of headroom.
#pragma once

#include <functional>
#include <vector>

#include "sim/plan/plan.hpp"

namespace spillway::plan {

[[nodiscard]] Row row_of(const scenario::Scenario& still, const Failure& failure, const std::vector<Bound>& bounds);

// Of all failures of the world. `done` is called after each; it may be empty.
[[nodiscard]] std::vector<Row> rows_of(const Worlds& worlds, const World& world, const std::vector<Bound>& bounds,
                                       const Settings& settings = {}, const std::function<void()>& done = {});

// The least growth that any row allows, the first of equals.
[[nodiscard]] Headroom headroom_of(const std::vector<Row>& rows);

}  // namespace spillway::plan
