// Layouts, so many endpoints of each group of a scenario, and whether they are enough for every failure.
//
//   Layouts layouts(groups_in_question(base, bounds), variants, bounds);
//   layouts.enough({12, 9, 9});
//   layouts.ruled_out({12, 8, 8});    // some layout with no fewer of any group lacks endpoints
//
// What was looked at is known from then on. Rows that must be counted are judged by no more replications than decide,
// unless a layout is to be confirmed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/variants.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

struct Row;  // plan.hpp

// By group.
using Layout = std::vector<std::uint32_t>;

// Of the scenario's groups those of services that objectives are about: the others' endpoints serve nothing that is
// judged, as those of a local cluster, which are the callers themselves. All where that is none.
[[nodiscard]] std::vector<scenario::EndpointGroup> groups_in_question(const scenario::ScenarioTemplate& base,
                                                                      const std::vector<Bound>& bounds);

// Endpoints that the load needs at least while nothing fails: each as able as the ablest of its service, and as busy as
// bounds of utilisation allow. Simulates nothing.
[[nodiscard]] double endpoints_needed(const Variants& variants, const Variant& variant,
                                      const std::vector<Bound>& bounds);

class Layouts {
 public:
  // What looks may cost in all: endpoints over all failures, and requests that are simulated.
  static constexpr double most_work = 8e5;

  // All must outlive this. `progress` is told the part of that work which is done; it may be empty.
  Layouts(std::vector<scenario::EndpointGroup> groups, const Variants& variants, const std::vector<Bound>& bounds,
          const std::function<void(double done)>& progress)
      : groups_(std::move(groups)), variants_(&variants), bounds_(&bounds), progress_(&progress) {}

  struct Known {
    double growth = -1.0;  // how far requests could grow with these numbers; below 1: not enough
    bool by_load = true;   // if they are not enough, more endpoints would be
    bool exact = true;
    double met = 0.0;                       // of what ended the look: the part of the requests that would be met
    std::optional<std::size_t> group = {};  // likewise: of the busiest endpoint
  };

  // Under every failure until one ends the look. Once the work is done, nothing new is enough.
  Known look(const Layout& layout);
  bool enough(const Layout& layout) { return look(layout).growth >= enough_growth; }
  // The same with all replications, which is what is known from then on.
  bool confirmed(const Layout& layout);

  // Whether it, or one with no fewer of any group, overloads an endpoint: where so many are too few, fewer are taken to
  // be too few as well. One whose busiest endpoint has 1.2 times what it may have rules out up to 1.2 times as many of
  // its group, unless connections are what is shared out. Looks at the layout only where that decides nothing, under
  // those failures that have ended a look.
  bool ruled_out(const Layout& layout);

  // How many times more endpoints could do all that is asked of them, at best: under each failure those that are left
  // share the requests for their service as evenly as can be. 1 or less: they may be enough. Simulates nothing.
  [[nodiscard]] double lacking(const Layout& layout) const;

  // Of all layouts from `low` to `high`: raises `low` to the first that is not ruled out, as far as is known.
  void raise_low(Layout& low, const Layout& high) const;

  [[nodiscard]] const std::vector<scenario::EndpointGroup>& groups() const noexcept { return groups_; }
  [[nodiscard]] Counts counts_of(const Layout& layout) const;
  [[nodiscard]] double work() const noexcept { return work_; }
  [[nodiscard]] bool bounded() const noexcept { return work_ > most_work; }
  // Whether something was not looked at any more.
  [[nodiscard]] bool cut_short() const noexcept { return cut_short_; }

 private:
  static constexpr double work_of_failure = 20.0;
  static constexpr double work_of_request = 0.5;
  // A bound that is met but for rounding holds.
  static constexpr double enough_growth = 1.0 - 1e-9;

  Known look_anew(const Layout& layout, bool firmly, bool likely_alone);
  // Whether the failure does not hold; then `known` says why.
  bool ends(const Variant& variant, std::size_t failure, const Layout& layout, const Variants::Decides& decides,
            Known& known);
  // `in_proportion`: more endpoints share the requests as evenly as fewer do.
  void rule_out(const Layout& layout, const scenario::Scenario& still, const Row& row, bool in_proportion);
  [[nodiscard]] bool is_whole_zone(const scenario::Scenario& still, std::size_t group, std::uint32_t count) const;
  [[nodiscard]] bool is_below_ruled_out(const Layout& layout) const;
  [[nodiscard]] bool is_above_enough(const Layout& layout) const;
  [[nodiscard]] std::optional<std::size_t> group_of(const scenario::Scenario& still, const Margin& margin) const;

  std::vector<scenario::EndpointGroup> groups_;
  const Variants* variants_;
  const std::vector<Bound>* bounds_;
  const std::function<void(double done)>* progress_;
  std::map<Layout, Known> known_;
  std::vector<Layout> ruled_out_;      // they and all with no more of any group
  std::vector<Layout> not_ruled_out_;  // they and all with no fewer of any group
  std::vector<std::size_t> ends_;      // failures that have ended a look, the latest first
  double work_ = 0.0;
  bool cut_short_ = false;
};

}  // namespace spillway::plan
