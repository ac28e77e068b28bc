#include "sim/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "models/config/seconds.hpp"
#include "models/documents/problem.hpp"
#include "sim/plan/additions.hpp"
#include "sim/plan/breaker_limit.hpp"
#include "sim/plan/busiest_moments.hpp"
#include "sim/plan/cut_off.hpp"
#include "sim/plan/equal_picks.hpp"
#include "sim/plan/fewest.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/load_limits.hpp"
#include "sim/plan/measurement.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/next_step.hpp"
#include "sim/plan/onset.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/what_if.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

// Limit of the requests that one replication may send: seconds of work, and a search takes a hundred replications.
constexpr double most_requests_of_plan = 5e7;

Diagnostics unplannable(const scenario::Scenario& scenario, std::chrono::nanoseconds at) {
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (!std::isfinite(most_rate_of_user(scenario, client))) {
      return {error("SP703", {}, "{}", "nothing says how many requests they send",
                    {fmt::format("the users of `{}` neither think nor wait for an endpoint", client.name)})
                  .help("write a `think_time`, or the `service_time` of the endpoints")};
    }
  }
  if (!(rate_at(scenario, at) > 0.0)) {
    return {error("SP704", {}, "no client sends requests at this moment", "a plan needs requests")};
  }
  return {};
}

// Lowers each service's growth to that of this row, if less than in earlier rows.
void tighten(const scenario::Scenario& still, const Loads& loads, const std::vector<Bound>& bounds, std::size_t row,
             std::vector<ServiceHeadroom>& services) {
  const ServiceGrowth growths(still, loads, bounds);
  for (std::uint32_t service = 0, position = 0; service < loads.services.size(); ++service) {
    if (!loads.rates_by_service[service].are_requested()) {
      continue;
    }
    const double growth = growths.of({service});
    if (position == services.size()) {
      services.push_back({{service}, loads.services[service].rate, growth, row});
    } else if (std::pair(growth, row) < std::pair(services[position].growth, services[position].row)) {
      services[position].growth = growth;
      services[position].row = row;
    }
    services[position].rate = row == 0 ? loads.services[service].rate : services[position].rate;
    ++position;
  }
}

// Measures the headroom. The measured headroom counts if it is below the one that follows from shares.
void measure_headroom(Plan& plan, const Measurement& measurement, const Variant& variant,
                      const std::function<void(double done)>& progress) {
  // With a failure, the warm-up is as long as the scenario.
  const double requests = 2.0 * plan.rows.front().rate * config::seconds(variant.scenario.duration);
  const double most = std::min({plan.headroom.growth, most_growth, most_requests_of_plan / requests});
  plan.measured = measurement.headroom(variant, plan.rows, most, progress);
  plan.measured_ends_first = plan.measured->estimate && plan.measured->holds < plan.headroom.growth;
  if (plan.measured_ends_first) {
    plan.headroom = {.growth = plan.measured->holds, .fails = plan.measured->fails, .row = plan.measured->row};
  }
}

// The cumulative fraction of the work at the end of each stage, as in plans of a few zones. Measuring costs most.
struct Stages {
  double rows = 0.0;
  double measured = 0.0;
  double headroom = 0.0;
  double fewest = 0.0;
  double raised = 0.0;
};
constexpr Stages stages_without_measurement{0.15, 0.15, 0.15, 0.7, 0.7};
constexpr Stages stages_with_measurement{0.02, 0.2, 0.6, 0.65, 0.95};

bool utilisation_known(const Plan& plan) {
  const bool asked = std::any_of(plan.bounds.begin(), plan.bounds.end(), [](const Bound& bound) {
    return bound.metric == Metric::utilisation && !bound.below;
  });
  return !asked ||
         std::any_of(plan.rows.begin(), plan.rows.end(), [](const Row& row) { return row.utilisation.has_value(); });
}

// Returns the bounds on errors that are not measured.
std::vector<Bound> errors_by_shares(const std::vector<Bound>& bounds, const std::vector<Bound>& measured) {
  std::vector<Bound> errors;
  std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(errors), [&](const Bound& bound) {
    return bound.metric == Metric::error_share && std::none_of(measured.begin(), measured.end(), [&](const Bound& of) {
             return of.metric == bound.metric && of.service == bound.service;
           });
  });
  return errors;
}

// True if load may fail requests of the bound's service at this growth.
bool may_fail(const Row& row, const Bound& bound, double growth) {
  const auto from = row.load_fails_from.find(bound.service.value);
  return from != row.load_fails_from.end() && from->second <= growth;
}

// Returns the bounds of `errors` that load may miss below the headroom that follows from shares.
std::vector<Bound> ended_by_load(const std::vector<Bound>& errors, const std::vector<Row>& rows, double headroom) {
  std::vector<Bound> ended;
  std::copy_if(errors.begin(), errors.end(), std::back_inserter(ended), [&](const Bound& bound) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Row& row) { return may_fail(row, bound, std::min(headroom, most_growth)); });
  });
  return ended;
}

// Measures overloaded rows: queues grow until requests time out, which shares do not show.
void measure_overload(const Variants& variants, const Variant& variant, Plan& plan, const std::vector<Bound>& measured,
                      const Evaluator::Effort& effort) {
  const std::vector<Bound> errors = errors_by_shares(plan.bounds, measured);
  constexpr double safe_utilisation = 0.95;
  // A row that fails by its shares needs no long simulation: it only says how many requests fail.
  constexpr double most_of_failing = 2e5;
  Evaluator::Effort of_failing = effort;
  of_failing.replications = std::min(effort.replications, 2U);
  for (Row& row : plan.rows) {
    const bool near =
        std::any_of(errors.begin(), errors.end(), [&](const Bound& of) { return may_fail(row, of, 1.0); });
    if (!errors.empty() && (row.utilisation.value_or(0.0) > safe_utilisation || near)) {
      const Simulated simulated = variants.simulated(variant, row.failure);
      const bool fails = row.judgement() == study::Verdict::missed;
      if (!fails || requests_of(simulated) <= most_of_failing) {
        set_estimates(row, simulated, errors, Evaluator(fails ? of_failing : effort));
      }
    }
  }
}

// Orders the causes of rows in which requests fail by load, or that were counted.
void order_causes(const Variants& variants, const Variant& variant, std::vector<Row>& rows) {
  for (Row& row : rows) {
    const bool fails = std::any_of(row.estimates.begin(), row.estimates.end(),
                                   [](const Estimate& estimate) { return estimate.failed > 0.0; });
    const bool several = std::any_of(row.failing.begin(), row.failing.end(),
                                     [](const FailedRequests& failing) { return failing.causes.size() > 1; });
    if (several && (fails || !row.exact)) {
      Variants::order_in_time(variants.simulated(variant, row.failure), row.failing);
    }
  }
}

// Returns a plan with its time, growth and objectives.
std::variant<Plan, Diagnostics> plan_to_make(const scenario::ScenarioTemplate& base, const Request& request) {
  const scenario::Scenario& scenario = *base.reading().scenario;
  Plan plan;
  plan.at = request.at.value_or(busiest_moment(scenario));
  if (auto problems = unplannable(scenario, plan.at); !problems.empty()) {
    return problems;
  }
  plan.growth = request.rate ? *request.rate / rate_at(scenario, plan.at) : request.growth;
  if (Failures failures = failures_of(scenario); !failures.problems.empty()) {
    return std::move(failures.problems);
  }
  if (!request.at) {
    plan.busiest = busiest_moments(scenario);
    plan.at = hardest_moment(base, plan.busiest, plan.growth);
  }
  plan.mean_rate = mean_rate(scenario) * plan.growth;
  plan.bounds = bounds_of(scenario);
  plan.assumed_objectives = scenario.objectives.empty();
  plan.assumed_failures = !scenario.failures;
  return plan;
}

// The stages of a plan, in order. Each needs the results of the previous ones.
class Planner {
 public:
  Planner(const scenario::ScenarioTemplate& base, const Request& request, Plan plan)
      : base_(base),
        request_(request),
        plan_(std::move(plan)),
        effort_{.replications = request.effort.replications,
                .jobs = request.effort.jobs,
                .most_requests = most_requests_of_plan},
        variants_(base, plan_.at, plan_.growth, effort_),
        variant_(*variants_.with({})),
        measured_(measured_bounds(*base.reading().scenario, plan_.bounds)) {}

  Plan make() {
    try {
      follow_shares();
      if (!request_.rows_alone) {
        measure();
        count_fewest();
        if (!request_.purchase_alone) {
          report_rest();
          grow();
        }
      }
    } catch (const Stopped&) {
      leave_rest_out();
    }
    return std::move(plan_);
  }

 private:
  // Maps progress of a stage to progress of the whole.
  [[nodiscard]] std::function<void(double)> stage(double from, double to) const {
    return [this, from, to](double part) {
      if (request_.progress) {
        request_.progress(from + (to - from) * part);
      }
    };
  }

  void follow_shares() {
    look_at_rows();
    if (!equal_picks_confirmed(variants_, variant_, plan_.rows, 1.0)) {
      variants_ = variants_.with_own_picks();
      look_at_rows();
    }
    plan_.utilisation_known = utilisation_known(plan_);
    plan_.headroom = headroom_of(plan_.rows);
    plan_.scaled_growth = plan_.headroom.growth;
    // With an unknown utilisation no rate is known to be too high: a search by simulation would not end.
    if (!request_.rows_alone && plan_.utilisation_known) {
      plan_.headroom = headroom_of(variants_, variant_, plan_.rows, plan_.bounds);
    }
  }

  // Rows by shares come first: they take no time. The others are then counted.
  void look_at_rows() {
    plan_.rows.clear();
    plan_.services.clear();
    const auto done = stage(0.0, stages().rows);
    std::vector<std::size_t> to_count;
    std::size_t looked_at = 0;
    for (const Failure& failure : variant_.failures) {
      const scenario::Scenario still = variants_.still(variant_, failure);
      const std::size_t row = plan_.rows.size();
      plan_.rows.push_back({.failure = failure, .zones = {}, .unknown = plan_.bounds});
      plan_.rows.back().zones.resize(still.zones.size());
      plan_.rows.back().zone_shares.resize(still.zones.size());
      if (const auto loads = variants_.loads_by_shares(variant_, failure, still)) {
        set_row(row, still, *loads);
        done(static_cast<double>(++looked_at) / static_cast<double>(variant_.failures.size()));
      } else {
        plan_.rows.back().rate = rate_at(still, still.duration);
        plan_.rows.back().exact = false;
        to_count.push_back(row);
      }
    }
    for (const std::size_t row : to_count) {
      const Failure failure = plan_.rows[row].failure;
      const scenario::Scenario still = variants_.still(variant_, failure);
      set_row(row, still, variants_.loads(variant_, failure, still));
      done(static_cast<double>(++looked_at) / static_cast<double>(variant_.failures.size()));
    }
    for (Row& row : plan_.rows) {
      row.not_sent = plan_.rows.front().rate - row.rate;
    }
  }

  void set_row(std::size_t row, const scenario::Scenario& still, const Loads& loads) {
    const Failure failure = plan_.rows[row].failure;
    tighten(still, loads, plan_.bounds, row, plan_.services);
    plan_.rows[row] = row_of(still, loads, failure, plan_.bounds);
    if (!request_.rows_alone) {
      plan_.rows[row].load_fails_from = load_fails_from(still, loads, plan_.bounds);
    }
    plan_.rows[row].services = service_rows_of(still, loads, failure);
  }

  // Marks what had to be measured and was not.
  void leave_rest_out() {
    if (plan_.rows.empty() || variant_.failures.size() != plan_.rows.size()) {
      throw Stopped{};
    }
    plan_.partial = true;
    for (Row& row : plan_.rows) {
      for (const Bound& bound : measured_) {
        const bool is_known = std::any_of(row.estimates.begin(), row.estimates.end(), [&](const Estimate& estimate) {
          return estimate.bound.metric == bound.metric && estimate.bound.service == bound.service;
        });
        if (!is_known && !row.is_covered(bound, 1.0)) {
          row.unknown.push_back(bound);
        }
      }
    }
  }

  void measure() {
    const std::vector<Bound> ended =
        ended_by_load(errors_by_shares(plan_.bounds, measured_), plan_.rows, plan_.headroom.growth);
    measured_.insert(measured_.end(), ended.begin(), ended.end());
    measure_overload(variants_, variant_, plan_, measured_, effort_);
    if (!measured_.empty()) {
      const Stages until = stages();
      measurement_.emplace(variants_, measured_, effort_, errors_by_load(*base_.reading().scenario));
      measurement_->measure(variant_, plan_.rows, stage(until.rows, until.measured));
      if (plan_.utilisation_known) {
        measure_headroom(plan_, *measurement_, variant_, stage(until.measured, until.headroom));
      }
    }
    order_causes(variants_, variant_, plan_.rows);
  }

  void count_fewest() {
    const Stages until = stages();
    const std::vector<scenario::EndpointGroup> groups = groups_in_question(base_, plan_.bounds);
    hopeless_ = any_cut_off(variants_, plan_.rows, groups, plan_.bounds);
    const double needed = endpoints_needed(variants_, variant_, plan_.bounds);
    constexpr double most_of_a_look = Layouts::most_work / 4.0;
    if (needed * static_cast<double>(variant_.failures.size()) > most_of_a_look) {
      plan_.fewest_bounded = true;
      plan_.fewest_needs_at_least = static_cast<std::uint64_t>(std::min(std::ceil(needed), 1e18));
    } else if (plan_.utilisation_known && !hopeless_) {
      FewestAndCheapest found =
          fewest_endpoints(base_, variants_, plan_.bounds, !plan_.holds(), stage(until.headroom, until.fewest));
      plan_.fewest = std::move(found.fewest);
      plan_.fewest_bounded = found.bounded;
      if (measurement_ && plan_.fewest) {
        before_raise_ = counts_of(*plan_.fewest);
        measurement_->raise(plan_.bounds, *plan_.fewest, stage(until.fewest, until.raised));
        plan_.fewest->price = price_of(plan_.fewest->parts);
        for (std::optional<Fewest>* const other : {&found.cheapest, &found.purchase}) {
          raise(*other);
        }
        if (plan_.fewest->measured == study::Verdict::missed) {
          plan_.fewest.reset();
          plan_.fewest_bounded = true;
        }
      }
      plan_.cheapest = std::move(found.cheapest);
      plan_.purchase = std::move(found.purchase);
      if (!plan_.fewest && !plan_.fewest_bounded) {
        find_too_dear();
      }
    }
    std::vector<Part> present;
    for (const scenario::EndpointGroup& group : groups) {
      present.push_back({group, group.count});
    }
    plan_.price_now = present.empty() ? std::nullopt : price_of(present);
    if (plan_.judgement() == study::Verdict::missed && !plan_.purchase) {
      plan_.admitting = admitting_limit(variants_, variant_, plan_.rows, effort_);
    }
    if (plan_.fewest && plan_.busiest.all.size() > 1) {
      plan_.fewest->fails_at = moment_that_fails(base_, plan_.busiest, plan_.growth, counts_of(*plan_.fewest));
    }
  }

  void find_too_dear() {
    std::vector<Bound> others = plan_.bounds;
    std::erase_if(others, [](const Bound& bound) { return study::facts(bound.metric).unit == study::Unit::money; });
    if (others.size() == plan_.bounds.size()) {
      return;
    }
    FewestAndCheapest found = fewest_endpoints(base_, variants_, others);
    plan_.too_dear = found.cheapest ? std::move(found.cheapest) : std::move(found.fewest);
    if (measurement_ && plan_.too_dear) {
      measurement_->raise(others, *plan_.too_dear, [](double) {});
      plan_.too_dear->price = price_of(plan_.too_dear->parts);
      plan_.too_dear = plan_.too_dear->measured == study::Verdict::met ? std::move(plan_.too_dear) : std::nullopt;
    }
  }

  // Raises another layout until it meets the measured bounds too.
  void raise(std::optional<Fewest>& layout) {
    if (layout && plan_.fewest && counts_of(*layout) == before_raise_) {
      layout = plan_.fewest->measured == study::Verdict::missed ? std::nullopt : plan_.fewest;
    } else if (layout) {
      measurement_->raise(plan_.bounds, *layout, [](double) {});
      layout->price = price_of(layout->parts);
      if (layout->measured != study::Verdict::met) {
        layout.reset();
      }
    }
  }

  void report_rest() {
    const auto done = stage(stages().raised, 1.0);
    plan_.onsets = onsets_of(base_, variants_, variant_);
    add_recoveries(variants_, variant_, plan_.rows);
    done(0.3);
    if (!plan_.utilisation_known) {
      return;  // other endpoints and settings would be as unknown
    }
    plan_.additions =
        additions_of(base_, variants_, variant_, plan_.rows, with_errors_of_latency(plan_.bounds), hopeless_);
    add_next_step(base_, variants_, variant_, measurement_ ? &*measurement_ : nullptr, hopeless_, plan_);
    done(0.6);
    plan_.what_ifs = what_ifs_of(variants_, variant_, effort_, with_errors_of_latency(plan_.bounds));
    for (WhatIf& what_if : plan_.what_ifs) {
      if (what_if.now) {
        what_if.headroom = plan_.headroom;
        what_if.known = true;
        what_if.worst = plan_.holds() ? plan_.rows[plan_.headroom.row] : *plan_.worst();
      }
    }
    done(1.0);
  }

  // Adds the answers to other rates.
  void grow() {
    for (const double growth : request_.growths) {
      Request request = request_;
      request.at = plan_.at;
      request.purchase_alone = true;
      request.progress = nullptr;
      Plan start;
      start.at = plan_.at;
      start.busiest = plan_.busiest;
      start.growth = growth;
      start.bounds = plan_.bounds;
      const Plan plan = Planner(base_, request, std::move(start)).make();
      if (plan.partial) {
        throw Stopped{};
      }
      GrowthRow row{.growth = growth, .rate = plan.rows.front().rate, .judgement = plan.judgement()};
      if (const Row* const worst = plan.worst()) {
        row.failure = worst->failure.name;
        row.busiest = worst->busiest ? variant_.scenario.endpoints[worst->busiest->value].id : "";
        row.utilisation = worst->utilisation;
        row.failed = worst->failing_share();
      }
      row.purchase = plan.purchase;
      plan_.growths.push_back(std::move(row));
    }
  }

  [[nodiscard]] Stages stages() const {
    return measured_.empty() ? stages_without_measurement : stages_with_measurement;
  }

  const scenario::ScenarioTemplate& base_;
  const Request& request_;
  Plan plan_;
  Effort effort_;
  Variants variants_;
  Variant variant_;
  std::vector<Bound> measured_;
  std::optional<Measurement> measurement_;
  Counts before_raise_;    // of `fewest`
  bool hopeless_ = false;  // no number of endpoints helps
};

}  // namespace

study::Verdict Plan::judgement() const {
  study::Verdict worst = study::Verdict::met;
  for (const Row& row : rows) {
    worst = row.has_no_traffic() ? worst : std::max(worst, row.judgement());
  }
  return worst;
}

const Row* Plan::worst() const {
  const Row* worst = nullptr;
  const auto badness = [](const Row& row) { return std::pair(row.failing_share(), row.utilisation.value_or(0.0)); };
  for (const Row& row : rows) {
    if (!row.has_no_traffic() && row.judgement() == judgement() &&
        (worst == nullptr || badness(row) > badness(*worst))) {
      worst = &row;
    }
  }
  return worst;
}

std::variant<Plan, Diagnostics> make_plan(const scenario::ScenarioTemplate& base, const Request& request) {
  auto plan = plan_to_make(base, request);
  if (const auto* problems = std::get_if<Diagnostics>(&plan)) {
    return *problems;
  }
  try {
    return Planner(base, request, std::move(std::get<Plan>(plan))).make();
  } catch (const TooManyRequests& too_many) {
    return Diagnostics{
        error("SP706", {}, "the plan has too many requests to simulate", "{}",
              {fmt::format("{:.3g} in one replication; at most {:.3g} are simulated", too_many.requests,
                           most_requests_of_plan)})
            .help("plan for a lower rate or a shorter `duration`; what follows from shares needs no simulation")};
  }
}

}  // namespace spillway::plan
