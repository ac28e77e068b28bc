#include "sim/plan/next_step.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/plan/additions.hpp"
#include "sim/plan/fewest.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/measurement.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

// Gains of growth below this are none.
constexpr double least_gain = 1e-6;
// The rates that a search tries are this far apart.
constexpr double rate_resolution = 1.02;
// Growths below this are not looked at.
constexpr double least_growth = 0.01;

using Groups = std::vector<scenario::EndpointGroup>;

bool has_counted_rows(const Plan& plan) {
  return std::any_of(plan.rows.begin(), plan.rows.end(),
                     [](const Row& row) { return !row.exact && !row.has_no_traffic(); });
}

// Returns the growth that a margin allows at best: by the lower end of its interval.
double growth_at_best(const Margin& margin) {
  const double lower = margin.value - margin.half_width;
  return !grows_with_rate(margin.bound.metric) || lower <= 0.0 ? margin.growth() : margin.bound.limit / lower;
}

class Stepper {
 public:
  Stepper(const Variants& variants, const Measurement* measurement, const Plan& plan)
      : variants_(variants),
        measurement_(measurement),
        plan_(plan),
        now_(headroom_of(plan.rows)),
        // A failed request is late; where latency is measured, that shows there.
        bounds_(is_measured() ? plan.bounds : with_errors_of_latency(plan.bounds)) {}

  // Returns the set of the fewest groups, each with one endpoint more, that adds headroom.
  [[nodiscard]] std::optional<NextStep> smallest(const Groups& groups) const {
    constexpr std::size_t all_tried = 4;
    if (groups.size() <= all_tried) {
      for (int size = 1; size <= static_cast<int>(groups.size()); ++size) {
        std::optional<NextStep> best;
        for (std::uint32_t set = 1; set < (1U << groups.size()); ++set) {
          if (std::popcount(set) == size) {
            keep_better(best, with(groups, [&](std::size_t group) { return (set >> group & 1U) != 0; }));
          }
        }
        if (best) {
          return best;
        }
      }
      return std::nullopt;
    }
    // A failure of requests that no endpoint more of any group cures.
    if (plan_.headroom.growth == 0.0 && !with(groups, [](std::size_t) { return true; })) {
      return std::nullopt;
    }
    std::optional<NextStep> best;
    for (std::size_t one = 0; one < groups.size(); ++one) {
      keep_better(best, with(groups, [&](std::size_t group) { return group == one; }));
    }
    return best ? best : fewest_of(groups);
  }

  // Returns what the plan buys, where no smaller set is known to add headroom.
  [[nodiscard]] std::optional<NextStep> purchase() const {
    if (!plan_.purchase || is_measured() || is_counted()) {
      return std::nullopt;
    }
    NextStep step;
    for (const Part& part : plan_.purchase->parts) {
      if (part.count > part.group.count) {
        step.parts.push_back({part.group, part.count - part.group.count});
      }
    }
    step.price = price_of(step.parts);
    step.growth = plan_.purchase->headroom.growth;
    step.gain = step.growth - now_.growth;
    return step.gain > least_gain ? std::optional(step) : std::nullopt;
  }

 private:
  // Returns all groups' set without those that it does not need; nullopt if the whole adds no headroom.
  [[nodiscard]] std::optional<NextStep> fewest_of(const Groups& groups) const {
    Groups kept = groups;
    std::optional<NextStep> best = with(kept, [](std::size_t) { return true; });
    for (std::size_t left_out = 0; best && left_out < kept.size() && kept.size() > 1;) {
      if (auto fewer = with(kept, [&](std::size_t group) { return group != left_out; })) {
        best = std::move(fewer);
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(left_out));
      } else {
        ++left_out;
      }
    }
    return best;
  }

  static void keep_better(std::optional<NextStep>& best, std::optional<NextStep> step) {
    const auto worth = [](const NextStep& of) { return of.price && *of.price > 0.0 ? of.gain / *of.price : of.gain; };
    constexpr double beyond_rounding = 1.0 + 1e-9;
    if (step && (!best || worth(*step) > worth(*best) * beyond_rounding)) {
      best = std::move(step);
    }
  }

  // Returns the step with one endpoint more of the chosen groups; nullopt if it adds no headroom.
  template <class IsChosen>
  [[nodiscard]] std::optional<NextStep> with(const Groups& groups, IsChosen is_chosen) const {
    NextStep step;
    Counts counts;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (is_chosen(group)) {
        step.parts.push_back({groups[group], 1});
        counts[groups[group].place] = groups[group].count + 1;
      }
    }
    step.price = price_of(step.parts);
    const auto larger = variants_.with(counts);
    if (!larger) {
      return std::nullopt;
    }
    if (is_counted()) {
      return counted(step, *larger);
    }
    if (!is_measured()) {
      const auto limiting = limiting_row(variants_, *larger, plan_.rows[now_.row].failure.name, bounds_);
      if (limiting && limiting->tightest && limiting->tightest->growth() <= now_.growth) {
        return std::nullopt;
      }
    }
    std::vector<Row> rows = rows_of(variants_, *larger, bounds_);
    const Headroom headroom = headroom_of(rows);
    step.growth = headroom.growth;
    if (is_measured()) {
      return measured(step, *larger, rows);
    }
    const double now = now_.margin ? growth_at_best(*now_.margin) : now_.growth;
    step.gain = step.growth - now_.growth;
    return std::isfinite(now) && step.growth > now + least_gain * std::max(1.0, now) ? std::optional(step)
                                                                                     : std::nullopt;
  }

  // True if the headroom follows from measurements.
  [[nodiscard]] bool is_measured() const {
    return measurement_ != nullptr && plan_.measured &&
           (plan_.measured_ends_first || !std::isfinite(now_.growth) ||
            (plan_.headroom.margin && plan_.headroom.margin->bound.below));
  }

  // True if rows were counted: the counts of one rate do not tell what another needs.
  [[nodiscard]] bool is_counted() const { return !is_measured() && has_counted_rows(plan_); }

  [[nodiscard]] std::optional<NextStep> counted(NextStep step, const Variant& larger) const {
    const double now = plan_.headroom.growth;
    const double fails = std::max(plan_.headroom.fails.value_or(now), now * rate_resolution);
    if (!std::isfinite(fails) || !holds_at(larger, std::max(fails, least_growth))) {
      return std::nullopt;
    }
    step.growth = headroom_of(variants_, larger, rows_of(variants_, larger, bounds_), bounds_).growth;
    step.gain = step.growth - now;
    step.measured = true;
    return step.growth >= fails && step.gain > least_gain ? std::optional(step) : std::nullopt;
  }

  // True if every failure of the larger layout meets the bounds at this growth, the one that limits now first.
  [[nodiscard]] bool holds_at(const Variant& larger, double growth) const {
    std::vector<Failure> failures = larger.failures;
    const auto limiting = std::find_if(failures.begin(), failures.end(), [&](const Failure& of) {
      return of.name == plan_.rows[plan_.headroom.row].failure.name;
    });
    if (limiting != failures.end()) {
      std::rotate(failures.begin(), limiting, limiting + 1);
    }
    const Variants::Decides decided = [&](const Loads& loads) {
      return judge(margins_of(loads, bounds_)) != study::Verdict::undecided;
    };
    return std::all_of(failures.begin(), failures.end(), [&](const Failure& failure) {
      const scenario::Scenario still = variants_.still(larger, failure, growth);
      const auto by_shares = variants_.loads_by_shares(larger, failure, still);
      const Loads loads =
          by_shares ? *by_shares : variants_.counted(variants_.simulated(larger, failure, growth), decided);
      return loads.rate() <= 0.0 || judge(margins_of(loads, bounds_)) == study::Verdict::met;
    });
  }

  [[nodiscard]] std::optional<NextStep> measured(NextStep step, const Variant& larger, std::vector<Row>& rows) const {
    measurement_->measure(larger, rows, [](double) {});
    const double most = std::min(step.growth, most_growth);
    const MeasuredHeadroom headroom = measurement_->headroom(larger, rows, most, [](double) {});
    const MeasuredHeadroom& now = *plan_.measured;
    const double fails =
        std::min(now.fails.value_or(now.holds * rate_resolution), std::max(now.holds * rate_resolution, most));
    step.measured = true;
    step.growth = headroom.holds;
    step.gain = headroom.holds - now.holds;
    return headroom.holds >= fails ? std::optional(step) : std::nullopt;
  }

  const Variants& variants_;
  const Measurement* measurement_;
  const Plan& plan_;
  Headroom now_;
  std::vector<Bound> bounds_;
};

// Returns the groups of the services whose bounds limit the headroom.
Groups limiting_groups(const Groups& all, const Plan& plan, const Headroom& now) {
  std::vector<config::ServiceIndex> services;
  for (const Row& row : plan.rows) {
    for (const Margin& margin : row.margins) {
      if (margin.growth() <= now.growth * (1.0 + least_gain)) {
        services.push_back(margin.bound.service);
      }
    }
  }
  if (plan.measured && plan.measured->estimate) {
    services.push_back(plan.measured->estimate->bound.service);
  }
  Groups groups;
  std::copy_if(all.begin(), all.end(), std::back_inserter(groups), [&](const scenario::EndpointGroup& group) {
    return std::find(services.begin(), services.end(), group.service) != services.end();
  });
  return groups.empty() ? all : groups;
}

}  // namespace

void add_next_step(const scenario::ScenarioTemplate& base, const Variants& variants, const Variant& variant,
                   const Measurement* measurement, bool hopeless, Plan& plan) {
  constexpr double most_measured_requests = 2e5;
  constexpr std::size_t most_groups = 24;
  const Groups all = groups_in_question(base, plan.bounds);
  const Headroom now = headroom_of(plan.rows);
  const Groups groups = limiting_groups(all, plan, now);
  const bool too_many_requests =
      (plan.measured || has_counted_rows(plan)) && requests_of(variants.simulated(variant, plan.rows.back().failure)) *
                                                           std::max(1.0, std::min(plan.headroom.growth, most_growth)) >
                                                       most_measured_requests;
  if (groups.empty()) {
    plan.no_step = NoStep::no_group;
  } else if (hopeless) {
    plan.no_step = NoStep::not_by_endpoints;
  } else if (!plan.utilisation_known || groups.size() > most_groups || too_many_requests) {
    plan.no_step = NoStep::unknown;
  } else if (!std::isfinite(plan.headroom.growth) && plan.judgement() == study::Verdict::met) {
    plan.no_step = NoStep::not_limited;
  } else {
    const Stepper stepper(variants, measurement, plan);
    plan.next_step = stepper.smallest(groups);
    plan.next_step = plan.next_step ? plan.next_step : stepper.purchase();
    plan.no_step = plan.next_step ? NoStep::unknown : NoStep::not_by_endpoints;
  }
}

}  // namespace spillway::plan
