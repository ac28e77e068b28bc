// One of two compared sides: a scenario, or Envoy documents, at any time and under any failure.
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
#include "sim/diff/endpoint_names.hpp"
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
  // `name` is that of the user's file, `tree` its contents.
  Side(std::string name, documents::Node tree, scenario::ScenarioTemplate base)
      : name_(std::move(name)), tree_(std::move(tree)), base_(std::move(base)) {}
  Side(std::string name, documents::Node tree, scenario::Reading documents)
      : name_(std::move(name)), tree_(std::move(tree)), documents_(std::move(documents)) {}
  // `tree` makes the file's contents when they are first needed.
  Side(std::string name, std::function<documents::Node()> tree, scenario::ScenarioTemplate base)
      : name_(std::move(name)), make_tree_(std::move(tree)), base_(std::move(base)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const documents::Node& tree() const {
    if (make_tree_) {
      tree_ = std::exchange(make_tree_, {})();
    }
    return tree_;
  }
  // Returns null for Envoy documents.
  [[nodiscard]] const scenario::ScenarioTemplate* base() const noexcept { return base_ ? &*base_ : nullptr; }
  [[nodiscard]] const scenario::Reading& reading() const noexcept { return base_ ? base_->reading() : documents_; }
  [[nodiscard]] const scenario::Scenario& scenario() const noexcept {
    return renamed_ ? *renamed_ : *reading().scenario;
  }

  // False for Envoy documents, which do not describe traffic.
  [[nodiscard]] bool has_workload() const noexcept { return base_.has_value(); }

  // Returns the side at `at`, held still (plan/moment.hpp). `failure` is an additional failure, or null.
  [[nodiscard]] scenario::Scenario still(Nanoseconds at, const plan::Failure* failure) const;

  // Returns the failure to be simulated for `length`. It begins after a warm-up of the same length, as in a plan
  // (plan/variants.hpp). Precondition: the side is a scenario.
  [[nodiscard]] plan::Simulated simulated(Nanoseconds at, const plan::Failure& failure, Nanoseconds length) const;

  // Renames zones of these names to include their regions, `region/zone`, and endpoints.
  void rename(const std::set<std::string>& zones, EndpointNames endpoints);
  [[nodiscard]] const EndpointNames& renamed_endpoints() const noexcept { return endpoint_names_; }

 private:
  void rename(scenario::Scenario& scenario) const;

  std::string name_;
  mutable documents::Node tree_;
  mutable std::function<documents::Node()> make_tree_;  // makes `tree_`; empty once it is made
  std::optional<scenario::ScenarioTemplate> base_;
  scenario::Reading documents_;  // of Envoy documents
  std::set<std::string> by_region_;
  EndpointNames endpoint_names_;
  std::optional<scenario::Scenario> renamed_;  // set if zones or endpoints are renamed
};

// Makes names mean the same on both sides. Numbered endpoints of the newer one get the names of the older one
// (endpoint_names.hpp). Zones are the same on both sides if region and name are. If a name belongs to several
// regions, within a side or between sides, both sides rename its zones to include the region. A side without a region
// matches any.
void match_names(Side& before, Side& after);

}  // namespace spillway::diff
