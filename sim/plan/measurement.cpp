#include "sim/plan/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

#include "models/config/seconds.hpp"
#include "sim/plan/alike.hpp"
#include "sim/plan/load_limits.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

// Returns the worst estimate's part of its allowed share.
double closeness(const std::vector<Estimate>& estimates) {
  double closest = 0.0;
  for (const Estimate& estimate : estimates) {
    closest = std::max(closest, estimate.high / std::max(estimate.allowed(), 1e-12));
  }
  return closest;
}

}  // namespace

void set_estimates(Row& row, const Simulated& simulated, const std::vector<Bound>& bounds, const Evaluator& evaluate) {
  Loads loads;
  row.estimates = evaluate(simulated, bounds, &loads);
  const bool fails = std::any_of(row.estimates.begin(), row.estimates.end(),
                                 [](const Estimate& estimate) { return estimate.failed > 0.0; });
  if (fails && row.exact) {
    row.failing = loads.failing;
    row.failed = loads.failed();
  }
}

std::vector<Bound> Measurement::due(const Row& row, double growth) const {
  std::vector<Bound> due;
  std::copy_if(bounds_.begin(), bounds_.end(), std::back_inserter(due),
               [&](const Bound& bound) { return errors_by_load_ || !row.is_covered(bound, growth); });
  return due;
}

std::vector<Estimate> Measurement::looked_at(const Variant& variant, const Row& row, double growth) const {
  const std::vector<Bound> bounds = due(row, growth);
  return bounds.empty() ? std::vector<Estimate>{}
                        : evaluate_.until_decided(variants_->simulated(variant, row.failure, growth), bounds);
}

void Measurement::measure(const Variant& variant, std::vector<Row>& rows, const Progress& progress) const {
  double done = 0.0;
  for (Row& row : rows) {
    const std::vector<Bound> bounds = due(row, 1.0);
    // Where requests fail by shares at any rate, no count changes the verdict. It names the cause where endpoints fail
    // requests: an error, or an answer that never comes, which a timeout ends or not.
    const bool fails_at_any_rate = row.exact && row.tightest && row.tightest->growth() == 0.0;
    const bool endpoints_fail = std::any_of(row.failing.begin(), row.failing.end(), [](const FailedRequests& failing) {
      return std::any_of(failing.causes.begin(), failing.causes.end(),
                         [](const CausePart& part) { return part.cause == Cause::failing; });
    });
    if (!bounds.empty() && (!fails_at_any_rate || endpoints_fail)) {
      set_estimates(row, variants_->simulated(variant, row.failure), bounds, evaluate_);
    }
    progress(++done / static_cast<double>(rows.size()));
  }
}

namespace {

// Returns the rows in order, the one nearest to its limit first; without estimates, the one whose load soonest is.
std::vector<std::size_t> by_closeness(const std::vector<Row>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t row) {
    double soonest = std::numeric_limits<double>::infinity();
    for (const auto& [service, growth] : rows[row].load_fails_from) {
      soonest = std::min(soonest, growth);
    }
    return std::tuple(-closeness(rows[row].estimates), soonest, row);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) { return rank(left) < rank(right); });
  return order;
}

// True if a bound that has requests now has none at the other rate: too few requests for a judgement.
bool is_hushed(const std::vector<Estimate>& estimates, const std::vector<Estimate>& now) {
  return std::any_of(estimates.begin(), estimates.end(), [&](const Estimate& estimate) {
    return estimate.requests == 0 && std::any_of(now.begin(), now.end(), [&](const Estimate& of) {
             return of.bound.metric == estimate.bound.metric && of.bound.service == estimate.bound.service &&
                    of.requests > 0;
           });
  });
}

const Estimate& worst_of(const std::vector<Estimate>& estimates) {
  return *std::max_element(estimates.begin(), estimates.end(), [](const Estimate& left, const Estimate& right) {
    return left.judgement() < right.judgement();
  });
}

}  // namespace

MeasuredHeadroom Measurement::search(const Variant& variant, const std::vector<Row>& rows, double most,
                                     const Progress& progress) const {
  MeasuredHeadroom found;
  found.replications = effort_.replications;
  found.holds = most;
  double done = 0.0;
  double ended_at = std::numeric_limits<double>::infinity();  // the lowest that does not hold
  const std::vector<std::size_t> order = by_closeness(rows);
  for (std::size_t position = 0; position < order.size() && found.holds > 0.0; ++position) {
    const std::size_t row = order[position];
    if (rows[row].has_no_traffic()) {
      continue;
    }
    // The first failure takes a search, most others only one evaluation.
    const double share = (1.0 - done) / (position == 0 ? 2.0 : static_cast<double>(order.size() - position));
    Steps steps(found.holds);
    int taken = 0;
    const auto tell = [&](double growth, const std::vector<Estimate>& estimates) {
      const study::Verdict judged = judge(estimates);
      const bool hushed = judged == study::Verdict::met && is_hushed(estimates, rows[row].estimates);
      const study::Verdict judgement = hushed ? study::Verdict::undecided : judged;
      if (judgement != study::Verdict::met && growth <= ended_at) {
        ended_at = growth;
        found.row = row;
        found.estimate = worst_of(hushed ? rows[row].estimates : estimates);
        found.estimated_at = hushed ? 1.0 : growth;
      }
      steps.tell(growth, judgement);
      ++taken;
      progress(done + share * taken / (taken + steps.left()));
    };
    const auto look = [&](double growth) { tell(growth, looked_at(variant, rows[row], growth)); };
    if (most >= 1.0) {
      tell(1.0, rows[row].estimates);
    }
    if (position > 0 && steps.holds() > 0.0 && found.holds > steps.holds()) {
      look(found.holds);
    }
    while (const auto growth = steps.next()) {
      look(*growth);
    }
    found.holds = std::min(found.holds, steps.holds());
    if (steps.fails()) {
      found.fails = std::min(found.fails.value_or(*steps.fails()), *steps.fails());
    }
    done += share;
  }
  return found;
}

std::uint32_t Measurement::proofs_of(const Simulated& simulated, double rate) const {
  constexpr double most_requests = 1e6;
  const double of_one = rate * config::seconds(simulated.scenario.duration);
  const double affordable = std::min(most_requests / of_one, static_cast<double>(UINT32_MAX));
  return std::clamp(static_cast<std::uint32_t>(affordable), effort_.replications,
                    effort_.replications * proofs_by_replication);
}

std::optional<Measurement::LongRun> Measurement::long_run(const Variant& variant, const Row& row, double growth) const {
  if (growth <= row.settled_growth) {
    return std::nullopt;
  }
  constexpr double times_as_long = 20.0;
  constexpr double shortest = 2.0;
  constexpr double most_requests = 1e6;
  const double of_one = row.rate * growth * config::seconds(variant.scenario.duration);
  const double times = std::min(times_as_long, most_requests / of_one);
  if (times < shortest) {
    return std::nullopt;
  }
  const bool all = times * of_one * effort_.replications <= most_requests;
  LongRun run{variants_->simulated(variant, row.failure, growth), all ? effort_.replications : 1, 0.0};
  const auto measured = run.simulated.scenario.duration - run.simulated.measured_from;
  const std::chrono::nanoseconds longer{static_cast<std::int64_t>(static_cast<double>(measured.count()) * times)};
  run.simulated.scenario.duration = run.simulated.measured_from + longer;
  run.seconds = config::seconds(longer);
  return run;
}

std::vector<Estimate> Measurement::estimates_of(const LongRun& run, const std::vector<Bound>& bounds) const {
  const Evaluator fresh({.replications = run.replications,
                         .jobs = effort_.jobs,
                         .first = effort_.replications * (1 + proofs_by_replication)});
  return fresh.until_failed(run.simulated, bounds);
}

bool Measurement::proven(const Variant& variant, std::vector<Row>& rows, double growth,
                         const std::vector<std::size_t>& order, MeasuredHeadroom& found) const {
  for (const std::size_t row : order) {
    const std::vector<Bound> bounds = due(rows[row], growth);
    if (bounds.empty()) {
      continue;
    }
    const Simulated simulated = variants_->simulated(variant, rows[row].failure, growth);
    const bool ends = row == order.front();
    found.proofs = ends ? proofs_of(simulated, rows[row].rate * growth) : found.proofs;
    const Evaluator fresh({.replications = ends ? found.proofs : effort_.replications,
                           .jobs = effort_.jobs,
                           .first = effort_.replications});
    std::vector<Estimate> estimates =
        ends ? fresh.until_failed(simulated, bounds) : fresh.until_decided(simulated, bounds);
    study::Verdict judgement = judge(estimates);
    if (judgement == study::Verdict::met) {
      if (const auto longer = long_run(variant, rows[row], growth)) {
        found.longest = {longer->replications, longer->seconds};
        estimates = estimates_of(*longer, bounds);
        judgement = judge(estimates);
      }
    }
    if (judgement == study::Verdict::met) {
      continue;
    }
    found.row = row;
    found.estimate = worst_of(estimates);
    found.estimated_at = growth;
    if (judgement == study::Verdict::missed) {
      found.fails = std::min(found.fails.value_or(growth), growth);
    }
    if (growth == 1.0) {
      rows[row].estimates = estimates;
    }
    return false;
  }
  return true;
}

void Measurement::prove(const Variant& variant, std::vector<Row>& rows, MeasuredHeadroom& found,
                        const Progress& progress) const {
  constexpr double step = 1.1;
  constexpr int most_tried = 8;
  std::vector<std::size_t> closest = by_closeness(rows);
  std::erase_if(closest, [&](std::size_t row) { return rows[row].has_no_traffic(); });
  for (int tried = 1; found.holds > 0.0; ++tried) {
    std::vector<std::size_t> order = closest;
    const auto ends = std::find(order.begin(), order.end(), found.row);
    if (found.estimate && ends != order.end()) {
      std::rotate(order.begin(), ends, ends + 1);
    }
    if (proven(variant, rows, found.holds, order, found)) {
      return;
    }
    progress(static_cast<double>(tried) / most_tried);
    // The last rate tried above the present one is the present rate.
    const double lower = tried + 1 == most_tried ? 0.0 : found.holds / step;
    found.holds = tried == most_tried ? 0.0 : found.holds > 1.0 ? std::max(1.0, lower) : lower;
  }
}

MeasuredHeadroom Measurement::headroom(const Variant& variant, std::vector<Row>& rows, double most,
                                       const Progress& progress) const {
  constexpr double searched = 0.7;
  MeasuredHeadroom found = search(variant, rows, most, [&](double done) { progress(searched * done); });
  prove(variant, rows, found, [&](double done) { progress(searched + (1.0 - searched) * done); });
  return found;
}

Counts counts_of(const Fewest& fewest) {
  Counts counts;
  for (const Part& part : fewest.parts) {
    counts[part.group.place] = part.count;
  }
  return counts;
}

namespace {

void change(Fewest& fewest, Part& part, std::int64_t by) {
  part.count = static_cast<std::uint32_t>(part.count + by);
  fewest.endpoints = static_cast<std::uint32_t>(fewest.endpoints + by);
  fewest.raised = static_cast<std::uint32_t>(fewest.raised + by);
}

// Returns the group that contains this endpoint.
Part* part_of(Fewest& fewest, const Variant& variant, config::EndpointIndex endpoint) {
  const scenario::Scenario& scenario = variant.scenario;
  const config::ZoneIndex zone = scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone;
  const Alike alike(scenario);
  const auto part = std::find_if(fewest.parts.begin(), fewest.parts.end(), [&](const Part& candidate) {
    return candidate.group.zone == zone && alike.serves(endpoint, candidate.group.service);
  });
  return part == fewest.parts.end() ? nullptr : &*part;
}

}  // namespace

std::optional<Row> Measurement::first_not_holding(const Variant& variant, const std::vector<Bound>& bounds, bool firmly,
                                                  std::size_t& likely) const {
  std::vector<std::size_t> order(variant.failures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (likely < order.size()) {
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(likely),
                order.begin() + static_cast<std::ptrdiff_t>(likely) + 1);
  }
  // Bounds that follow from shares are cheapest.
  std::vector<Row> rows(order.size());
  for (const std::size_t failure : order) {
    const scenario::Scenario still = variants_->still(variant, variant.failures[failure]);
    const Variants::Decides decides = firmly ? Variants::Decides{} : [&](const Loads& loads) {
      return judge(margins_of(loads, bounds)) != study::Verdict::undecided;
    };
    const Loads loads = variants_->loads(variant, variant.failures[failure], still, {}, decides);
    rows[failure] = row_of(still, loads, variant.failures[failure], bounds);
    rows[failure].load_fails_from = load_fails_from(still, loads, bounds_);
    if (!rows[failure].has_no_traffic() && !rows[failure].holds()) {
      likely = failure;
      return rows[failure];
    }
  }
  // The counts tried on the way may have passed by luck, so new seeds are used.
  const Evaluator fresh({.replications = effort_.replications, .jobs = effort_.jobs, .first = effort_.replications});
  std::optional<std::size_t> short_of_requests;  // reported only if nothing else fails
  for (const std::size_t failure : order) {
    const std::vector<Bound> own = due(rows[failure], 1.0);
    if (own.empty()) {
      continue;
    }
    const Simulated simulated = variants_->simulated(variant, variant.failures[failure]);
    rows[failure].estimates = firmly ? fresh(simulated, own) : evaluate_.until_decided(simulated, own);
    if (firmly && !rows[failure].has_no_traffic() && rows[failure].holds()) {
      if (const auto longer = long_run(variant, rows[failure], 1.0)) {
        rows[failure].estimates = estimates_of(*longer, own);
      }
    }
    if (rows[failure].has_no_traffic() || rows[failure].holds()) {
      continue;
    }
    if (!lacks_requests(rows[failure].estimates)) {
      likely = failure;
      return rows[failure];
    }
    short_of_requests = short_of_requests ? short_of_requests : std::optional(failure);
  }
  return short_of_requests ? std::optional(rows[*short_of_requests]) : std::nullopt;
}

void Measurement::raise(const std::vector<Bound>& bounds, Fewest& fewest, const Progress& progress) const {
  const std::uint32_t most = 4 * (fewest.endpoints + fewest.now) + 16;
  std::size_t likely = 0;
  bool lowered = false;
  fewest.measured = study::Verdict::undecided;
  for (double left = 1.0; fewest.endpoints <= most; left *= 0.8) {
    progress(1.0 - left);
    auto variant = variants_->with(counts_of(fewest));
    if (!variant) {
      return;
    }
    auto not_holding = first_not_holding(*variant, bounds, false, likely);
    if (!not_holding) {
      if (!lowered) {
        lower(bounds, fewest, likely);
        lowered = true;
        variant = variants_->with(counts_of(fewest));
      }
      not_holding = first_not_holding(*variant, bounds, true, likely);
    }
    fewest.measured = not_holding ? not_holding->judgement() : study::Verdict::met;
    if (!not_holding) {
      fewest.headroom = headroom_of(rows_of(*variants_, *variant, bounds));
      return;
    }
    if (lacks_requests(not_holding->estimates)) {
      fewest.lacks_requests = true;  // more endpoints would not bring more requests
      return;
    }
    Part* const part = not_holding->busiest ? part_of(fewest, *variant, *not_holding->busiest) : nullptr;
    if (part == nullptr) {
      return;
    }
    // Adds 5 % at a time so that large counts do not take forever; one at a time after endpoints were removed.
    change(fewest, *part, lowered ? 1 : 1 + part->count / 20);
    fewest.proved = false;
  }
}

void Measurement::lower(const std::vector<Bound>& bounds, Fewest& fewest, std::size_t& likely) const {
  bool lowered = fewest.raised > 0;
  while (lowered) {
    lowered = false;
    for (Part& part : fewest.parts) {
      if (part.count < 2) {
        continue;
      }
      change(fewest, part, -1);
      const auto variant = variants_->with(counts_of(fewest));
      if (variant && !first_not_holding(*variant, bounds, false, likely)) {
        lowered = true;
      } else {
        change(fewest, part, 1);
      }
    }
  }
}

}  // namespace spillway::plan
