#include "sim/diff/side.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/plan/moment.hpp"

namespace spillway::diff {

scenario::Scenario Side::still(Nanoseconds at, const plan::Failure* failure) const {
  std::vector<scenario::Change> changes;
  if (failure != nullptr) {
    changes = plan::changes_of(scenario(), *failure, at);
  }
  if (base_ && !changes.empty()) {
    // Changes refuse nothing.
    return plan::at_moment(*base_->vary({.counts = {}, .changes = std::move(changes)}), at, 1.0);
  }
  scenario::Scenario scenario = this->scenario();
  for (scenario::Change& change : changes) {
    const auto later = std::upper_bound(
        scenario.changes.begin(), scenario.changes.end(), change,
        [](const scenario::Change& left, const scenario::Change& right) { return left.at < right.at; });
    scenario.changes.insert(later, std::move(change));
  }
  return plan::at_moment(std::move(scenario), at, 1.0);
}

}  // namespace spillway::diff
