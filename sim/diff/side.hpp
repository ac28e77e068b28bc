// One of two things that are compared: a scenario, or Envoy's documents, at any moment and under any failure.
//
//   Sides sides = read_sides(request);
//   scenario::Scenario still = sides.before->still(20s, nullptr);
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "models/documents/node.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {
struct Failure;    // failures.hpp
struct Simulated;  // variants.hpp
}  // namespace spillway::plan

namespace spillway::diff {

using Nanoseconds = std::chrono::nanoseconds;

class Side {
 public:
  // `name`: of the file that the user gave. `tree`: what it holds.
  Side(std::string name, documents::Node tree, scenario::ScenarioTemplate base)
      : name_(std::move(name)), tree_(std::move(tree)), base_(std::move(base)) {}
  Side(std::string name, documents::Node tree, scenario::Reading documents)
      : name_(std::move(name)), tree_(std::move(tree)), documents_(std::move(documents)) {}
  // `tree`: makes what the file holds, once it is asked for.
  Side(std::string name, std::function<documents::Node()> tree, scenario::ScenarioTemplate base)
      : name_(std::move(name)), make_tree_(std::move(tree)), base_(std::move(base)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const documents::Node& tree() const {
    if (make_tree_) {
      tree_ = std::exchange(make_tree_, {})();
    }
    return tree_;
  }
  // Of a scenario; null: documents of Envoy.
  [[nodiscard]] const scenario::ScenarioTemplate* base() const noexcept { return base_ ? &*base_ : nullptr; }
  [[nodiscard]] const scenario::Reading& reading() const noexcept { return base_ ? base_->reading() : documents_; }
  [[nodiscard]] const scenario::Scenario& scenario() const noexcept {
    return renamed_ ? *renamed_ : *reading().scenario;
  }

  // Documents of Envoy say nothing about who sends what.
  [[nodiscard]] bool has_workload() const noexcept { return base_.has_value(); }

  // The moment held still (plan/moment.hpp); `failure`: what fails beside, or null.
  [[nodiscard]] scenario::Scenario still(Nanoseconds at, const plan::Failure* failure) const;

  // The failure to be simulated for `length`: it begins after a warm-up as long as that, as in a plan
  // (plan/variants.hpp). Of a scenario only.
  [[nodiscard]] plan::Simulated simulated(Nanoseconds at, const plan::Failure& failure, Nanoseconds length) const;

  // Calls zones of such a name by their regions too: `region/zone`.
  void call_by_region(const std::set<std::string>& zones);

 private:
  std::string name_;
  mutable documents::Node tree_;
  mutable std::function<documents::Node()> make_tree_;  // where tree_ has still to be made
  std::optional<scenario::ScenarioTemplate> base_;
  scenario::Reading documents_;  // of Envoy
  std::set<std::string> by_region_;
  std::optional<scenario::Scenario> renamed_;  // where zones are called otherwise than in the file
};

// Zones are the same on both sides where region and name are. Where a name stands for several regions, within a side or
// from one to the other, both call its zones by their regions too. A side that names no region may mean any.
void distinguish_zones(Side& before, Side& after);

}  // namespace spillway::diff
