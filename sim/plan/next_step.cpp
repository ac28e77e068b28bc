#include "sim/plan/next_step.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/plan/additions.hpp"
#include "sim/plan/fewest.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/measurement.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

// Gains of growth below this are none.
constexpr double least_gain = 1e-6;

using Groups = std::vector<scenario::EndpointGroup>;

// Returns the growth that a margin allows at best: by the lower end of its interval.
double growth_at_best(const Margin& margin) {
  const double lower = margin.value - margin.half_width;
  return !grows_with_rate(margin.bound.metric) || lower <= 0.0 ? margin.growth() : margin.bound.limit / lower;
}

class Stepper {
 public:
  Stepper(const Variants& variants, const Measurement* measurement, const Plan& plan)
      : variants_(variants), measurement_(measurement), plan_(plan), now_(headroom_of(plan.rows)) {}

  // Returns the set of the fewest groups, each with one endpoint more, that adds headroom.
  [[nodiscard]] std::optional<NextStep> smallest(const Groups& groups) const {
    constexpr std::size_t all_tried = 4;
    // A failure of requests that no endpoint more of any group cures.
    if (now_.growth == 0.0 && !with(groups, [](std::size_t) { return true; })) {
      return std::nullopt;
    }
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
    std::optional<NextStep> best;
    for (std::size_t one = 0; one < groups.size(); ++one) {
      keep_better(best, with(groups, [&](std::size_t group) { return group == one; }));
    }
    return best ? best : fewest_of(groups);
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
    if (!is_measured()) {
      const auto limiting = limiting_row(variants_, *larger, plan_.rows[now_.row].failure.name, plan_.bounds);
      if (limiting && limiting->tightest && limiting->tightest->growth() <= now_.growth) {
        return std::nullopt;
      }
    }
    std::vector<Row> rows = rows_of(variants_, *larger, plan_.bounds);
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

  [[nodiscard]] std::optional<NextStep> measured(NextStep step, const Variant& larger, std::vector<Row>& rows) const {
    constexpr double resolution = 1.02;
    measurement_->measure(larger, rows, [](double) {});
    const double most = std::min(step.growth, most_growth);
    const MeasuredHeadroom headroom = measurement_->headroom(larger, rows, most, [](double) {});
    const MeasuredHeadroom& now = *plan_.measured;
    const double fails = std::min(now.fails.value_or(now.holds * resolution), std::max(now.holds * resolution, most));
    step.measured = true;
    step.growth = headroom.holds;
    step.gain = headroom.holds - now.holds;
    return headroom.holds >= fails ? std::optional(step) : std::nullopt;
  }

  const Variants& variants_;
  const Measurement* measurement_;
  const Plan& plan_;
  Headroom now_;
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
  const bool too_many_requests = plan.measured && requests_of(variants.simulated(variant, plan.rows.back().failure)) *
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
    plan.next_step = Stepper(variants, measurement, plan).smallest(groups);
    plan.no_step = plan.next_step ? NoStep::unknown : NoStep::not_by_endpoints;
  }
}

}  // namespace spillway::plan
