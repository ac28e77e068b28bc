// A Layout is a number of endpoints per group. Tests whether it survives every failure.
//
//   Layouts layouts(groups_in_question(base, bounds), variants, bounds);
//   layouts.enough({12, 9, 9});
//   layouts.ruled_out({12, 8, 8});    // some layout with no fewer of any group lacks endpoints
//
// Results are cached. Counted rows use only as many replications as decide, unless a layout is being confirmed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

struct Row;  // plan.hpp

// Endpoint counts by group.
using Layout = std::vector<std::uint32_t>;

// Returns the groups of services with objectives. Other endpoints serve no judged traffic: for example a local cluster,
// whose endpoints are the callers themselves. Returns all groups if there is no such group.
[[nodiscard]] std::vector<scenario::EndpointGroup> groups_in_question(const scenario::ScenarioTemplate& base,
                                                                      const std::vector<Bound>& bounds);

// Returns the number of endpoints that the load needs at least while nothing fails. Assumes that each is as fast as its
// service's fastest and as busy as utilisation bounds allow. Simulates nothing.
[[nodiscard]] double endpoints_needed(const Variants& variants, const Variant& variant,
                                      const std::vector<Bound>& bounds);

// A lower bound of endpoint counts: while a zone is lost, or nothing is, the others must be able to serve the load.
struct Need {
  config::ServiceIndex service;
  double rate = 0.0;  // requests/s that must be answered
  // The groups that may serve them, and the requests/s that one endpoint of each may answer.
  std::vector<std::pair<std::size_t, double>> able = {};
  bool loses = false;  // a group of the service is lost
};

// Returns the needs that any layout must meet, whatever the balancing: of services with a utilisation bound, without a
// failure and for each failure that loses whole zones, however many endpoints these have, and no client. Simulates
// nothing.
[[nodiscard]] std::vector<Need> needs_of(const Variants& variants, const Variant& variant,
                                         const std::vector<scenario::EndpointGroup>& groups,
                                         const std::vector<Bound>& bounds);

class Layouts {
 public:
  // Limit of the work of all looks by default: endpoints over all failures, and simulated requests.
  static constexpr double most_work = 8e5;

  // All arguments must outlive this object. `progress` receives the done fraction of `limit`; it may be empty.
  Layouts(std::vector<scenario::EndpointGroup> groups, const Variants& variants, const std::vector<Bound>& bounds,
          const std::function<void(double done)>& progress, double limit = most_work)
      : groups_(std::move(groups)), variants_(&variants), bounds_(&bounds), progress_(&progress), limit_(limit) {}

  struct Known {
    double growth = -1.0;  // possible growth of the requests with these counts; not enough if below 1
    bool by_load = true;   // if not enough: more endpoints would help
    bool exact = true;
    double failed = 0.0;  // share of requests that fail under the failure that ended the look
    double cost = 0.0;    // of traffic, per month, with no failure
    double met = 0.0;     // fraction of the requests that would be met by the bound that ended the look
    std::optional<std::size_t> group = {};  // the busiest endpoint's group, for the bound that ended the look
  };

  // Evaluates every failure until one ends the look. Once the work limit is reached, no new layout is enough.
  Known look(const Layout& layout);
  bool enough(const Layout& layout) { return look(layout).growth >= enough_growth; }
  // Like enough(), but with all replications; this result replaces the cached one.
  bool confirmed(const Layout& layout);

  // True if the layout, or a larger one in every group, overloads an endpoint: smaller layouts are then taken to be too
  // small as well. A layout whose busiest endpoint has 1.2 times its limit rules out up to 1.2 times as many in that
  // group. This does not apply if connections, rather than requests, are distributed. Evaluates the layout only if the
  // cache does not decide, and only with failures that have ended a look before.
  bool ruled_out(const Layout& layout);

  // Returns the factor by which endpoints would have to increase, at best. Assumes for each failure that the remaining
  // endpoints share their service's requests as evenly as possible. The layout may be enough if the factor is at most
  // 1. Simulates nothing.
  [[nodiscard]] double lacking(const Layout& layout) const;

  // Raises `low` to the first layout in [low, high] that is not known to be ruled out.
  void raise_low(Layout& low, const Layout& high) const;

  [[nodiscard]] const std::vector<scenario::EndpointGroup>& groups() const noexcept { return groups_; }
  [[nodiscard]] Counts counts_of(const Layout& layout) const;
  [[nodiscard]] double work() const noexcept { return work_; }
  [[nodiscard]] double limit() const noexcept { return limit_; }
  [[nodiscard]] bool bounded() const noexcept { return work_ > limit_; }
  // True if some layout was not evaluated because of the work limit.
  [[nodiscard]] bool cut_short() const noexcept { return cut_short_; }

 private:
  static constexpr double work_of_failure = 20.0;
  static constexpr double work_of_request = 0.5;
  // A bound that is met except for rounding errors holds.
  static constexpr double enough_growth = 1.0 - 1e-9;

  Known look_anew(const Layout& layout, bool firmly, bool likely_alone);
  // True if the failure does not hold; `known` then has the reason.
  bool ends(const Variant& variant, std::size_t failure, const Layout& layout, const Variants::Decides& decides,
            Known& known);
  // `in_proportion`: more endpoints share the requests as evenly as fewer.
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
  std::vector<Layout> ruled_out_;      // each, and all layouts with no more of any group
  std::vector<Layout> not_ruled_out_;  // each, and all layouts with no fewer of any group
  std::vector<std::size_t> ends_;      // failures that have ended a look, latest first
  double limit_ = most_work;
  double work_ = 0.0;
  bool cut_short_ = false;
};

}  // namespace spillway::plan
