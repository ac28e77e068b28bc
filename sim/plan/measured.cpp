#include "sim/plan/measured.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "sim/engine/latency_histogram.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/share_interval.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

bool is_latency(Metric metric) {
  return !follows_from_shares(metric);
}

// Returns one limit per bound so that indices agree; entries of other metrics than latency are unused.
std::vector<std::chrono::nanoseconds> limits_of(const std::vector<Bound>& bounds) {
  std::vector<std::chrono::nanoseconds> limits;
  for (const Bound& bound : bounds) {
    limits.emplace_back(std::llround(bound.limit * 1e9));
  }
  return limits;
}

// The requests that one bound applies to, over the replications: of all clients of a service, or of one client.
struct Sample {
  std::vector<double> shares = {};  // missed share, by replication
  std::uint64_t requests = 0;
  std::uint64_t missed = 0;
  std::uint64_t failed = 0;
  engine::LatencyHistogram answers = {};  // for a latency only
};

struct Count {
  std::uint64_t requests = 0;
  std::uint64_t answered = 0;
  std::uint64_t within = 0;
};

void add(Sample& sample, const Count& count, Metric metric) {
  const std::uint64_t good = is_latency(metric) ? count.within : count.answered;
  sample.requests += count.requests;
  sample.missed += count.requests - good;
  sample.failed += count.requests - count.answered;
  if (count.requests > 0) {
    sample.shares.push_back(static_cast<double>(count.requests - good) / static_cast<double>(count.requests));
  }
}

using Samples = std::map<std::uint32_t, Sample>;  // by client entry; one sample for all if not a latency

void add(Samples& samples, const run::Results& results, const Bound& bound, std::uint32_t limit) {
  const bool latency = is_latency(bound.metric);
  std::map<std::uint32_t, Count> counts;
  for (const run::Outcomes& outcomes : results.outcomes) {
    if (outcomes.service == bound.service) {
      Count& count = counts[latency ? outcomes.client.value : 0];
      count.requests += outcomes.sent;
      count.answered += outcomes.ok();
    }
  }
  for (const run::WithinLimit& row : results.within) {
    if (latency && row.service == bound.service && row.limit == limit) {
      counts[row.client.value].within += row.answers;
    }
    if (latency && row.service == bound.service && row.limit == 0) {
      samples[row.client.value].answers.add_cells(row.cells);
    }
  }
  for (const auto& [client, count] : counts) {
    add(samples[client], count, bound.metric);
  }
}

Estimate estimate_of(const Bound& bound, const Sample& sample) {
  Estimate estimate{.bound = bound, .requests = sample.requests};
  if (sample.requests == 0) {
    return estimate;
  }
  const auto requests = static_cast<double>(sample.requests);
  estimate.missed = static_cast<double>(sample.missed) / requests;
  estimate.failed = static_cast<double>(sample.failed) / requests;
  const run::Interval interval = run::share_interval(sample.missed, sample.requests, sample.shares);
  estimate.low = interval.low;
  estimate.high = interval.high;
  const double wanted =
      (1.0 - may_be_late(bound.metric).value_or(0.0)) * requests / static_cast<double>(sample.answers.total());
  if (is_latency(bound.metric) && wanted <= 1.0) {
    // The counts decide on which side of the limit the quantile is.
    const double quantile = static_cast<double>(sample.answers.quantile(wanted).count()) * 1e-9;
    estimate.quantile =
        estimate.missed > estimate.allowed() ? std::max(quantile, bound.limit) : std::min(quantile, bound.limit);
  }
  return estimate;
}

// Returns the estimate of the client that is furthest from meeting the bound.
Estimate worst_of(const Bound& bound, const Samples& samples) {
  Estimate worst{.bound = bound};
  for (const auto& [client, sample] : samples) {
    Estimate estimate = estimate_of(bound, sample);
    if (is_latency(bound.metric)) {
      estimate.client = config::ClientEntryIndex{client};
    }
    const auto rank = [](const Estimate& of) { return std::pair(of.judgement(), of.missed); };
    if (worst.requests == 0 || rank(estimate) > rank(worst)) {
      worst = estimate;
    }
  }
  return worst;
}

}  // namespace

double Estimate::allowed() const noexcept {
  return may_be_late(bound.metric).value_or(bound.limit);
}

study::Verdict Estimate::judgement() const noexcept {
  if (requests == 0) {
    return study::Verdict::met;
  }
  if (allowed() == 0.0) {
    return missed == 0.0 ? study::Verdict::met : study::Verdict::missed;
  }
  if (high <= allowed()) {
    return study::Verdict::met;
  }
  return low > allowed() ? study::Verdict::missed : study::Verdict::undecided;
}

std::optional<std::uint64_t> Estimate::requests_needed() const noexcept {
  const double distance = allowed() - missed;
  if (judgement() != study::Verdict::undecided || distance == 0.0) {
    return std::nullopt;
  }
  // Here the score test has its critical value. Wilson's interval is its inverse.
  constexpr double z = 1.959963984540054;
  const double needed = std::ceil(z * z * allowed() * (1.0 - allowed()) / (distance * distance));
  constexpr double most = 1e15;
  return needed > static_cast<double>(requests) && needed < most ? std::optional(static_cast<std::uint64_t>(needed))
                                                                 : std::nullopt;
}

bool lacks_requests(const std::vector<Estimate>& estimates) {
  return judge(estimates) == study::Verdict::undecided &&
         std::all_of(estimates.begin(), estimates.end(), [](const Estimate& estimate) {
           return estimate.judgement() == study::Verdict::met ||
                  (estimate.requests_needed() && estimate.missed < estimate.allowed());
         });
}

study::Verdict judge(const std::vector<Estimate>& estimates) {
  study::Verdict all = study::Verdict::met;
  for (const Estimate& estimate : estimates) {
    all = std::max(all, estimate.judgement());
  }
  return all;
}

bool errors_by_load(const scenario::Scenario& scenario) {
  const auto bounded = [](const auto& of) { return of.servers && of.servers->queue; };
  const auto broken = [](const scenario::Service& service) {
    return !service.cluster.circuit_breakers.per_host_thresholds.empty();
  };
  // Shares show neither when a link is down nor which timeout ends a request that is never answered.
  const auto harmful = [&](const scenario::Change& change) {
    const auto* const fails = std::get_if<scenario::Fails>(&change.effect);
    return std::holds_alternative<scenario::LinkChange>(change.effect) ||
           (fails != nullptr && fails->failure == scenario::Failure::no_answer && !scenario.routes.empty());
  };
  return std::any_of(scenario.endpoints.begin(), scenario.endpoints.end(), bounded) ||
         std::any_of(scenario.nodes.begin(), scenario.nodes.end(), bounded) ||
         std::any_of(scenario.services.begin(), scenario.services.end(), broken) ||
         std::any_of(scenario.changes.begin(), scenario.changes.end(), harmful);
}

std::vector<Bound> measured_bounds(const scenario::Scenario& scenario, const std::vector<Bound>& bounds) {
  const bool errors = errors_by_load(scenario);
  // Well below saturation, no request waits for Envoy's 15 s.
  constexpr double safe_utilisation = 0.95;
  const auto overload_shows = [&](const Bound& error) {
    return std::any_of(bounds.begin(), bounds.end(), [&](const Bound& bound) {
      return bound.metric == Metric::utilisation && bound.service == error.service && bound.limit <= safe_utilisation;
    });
  };
  std::vector<Bound> measured;
  std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(measured), [&](const Bound& bound) {
    return !follows_from_shares(bound.metric) ||
           (bound.metric == Metric::error_share && (errors || !overload_shows(bound)));
  });
  return measured;
}

namespace {

void add(std::vector<Samples>& samples, const std::vector<run::Results>& replications,
         const std::vector<Bound>& bounds) {
  for (const run::Results& results : replications) {
    for (std::uint32_t bound = 0; bound < bounds.size(); ++bound) {
      add(samples[bound], results, bounds[bound], bound);
    }
  }
}

std::vector<Estimate> estimates_of(const std::vector<Samples>& samples, const std::vector<Bound>& bounds) {
  std::vector<Estimate> estimates;
  for (std::size_t bound = 0; bound < bounds.size(); ++bound) {
    estimates.push_back(worst_of(bounds[bound], samples[bound]));
  }
  return estimates;
}

}  // namespace

std::vector<Estimate> Evaluator::operator()(const Simulated& simulated, const std::vector<Bound>& bounds,
                                            Loads* loads) const {
  std::vector<Samples> samples(bounds.size());
  const std::vector<run::Results> replications = replications_of(simulated, effort_, limits_of(bounds));
  add(samples, replications, bounds);
  if (loads != nullptr) {
    *loads = loads_of(simulated.scenario, run::summarise(replications), simulated.measured_from);
  }
  return estimates_of(samples, bounds);
}

template <class Enough>
std::vector<Estimate> Evaluator::until(const Simulated& simulated, const std::vector<Bound>& bounds,
                                       Enough enough) const {
  std::vector<Samples> samples(bounds.size());
  std::vector<Estimate> estimates;
  each_batch(simulated, effort_, limits_of(bounds), [&](const std::vector<run::Results>& replications) {
    add(samples, replications, bounds);
    estimates = estimates_of(samples, bounds);
    return enough(judge(estimates));
  });
  return estimates;
}

std::vector<Estimate> Evaluator::until_failed(const Simulated& simulated, const std::vector<Bound>& bounds) const {
  return until(simulated, bounds, [](study::Verdict judgement) { return judgement == study::Verdict::missed; });
}

std::vector<Estimate> Evaluator::until_decided(const Simulated& simulated, const std::vector<Bound>& bounds) const {
  const bool by_intervals = std::none_of(bounds.begin(), bounds.end(), [](const Bound& bound) {
    return follows_from_shares(bound.metric) && bound.limit == 0.0;
  });
  return until(simulated, bounds, [&](study::Verdict judgement) {
    return judgement == study::Verdict::missed || (judgement == study::Verdict::met && by_intervals);
  });
}

std::optional<double> Steps::next() const {
  if (steps_ >= most_steps) {
    return std::nullopt;
  }
  if (!not_holding_) {
    const double next = holds_ == 0.0 ? std::min(1.0, most_) : std::min(holds_ * 1.5, most_);
    return next > holds_ * (1.0 + 1e-12) ? std::optional(next) : std::nullopt;
  }
  if (holds_ == 0.0) {
    // Halves the growth each time, down to 0.01.
    return *not_holding_ > 0.01 ? std::optional(*not_holding_ / 2.0) : std::nullopt;
  }
  return *not_holding_ / holds_ > resolution ? std::optional(std::sqrt(*not_holding_ * holds_)) : next_above();
}

// Returns the next growth in the search for the lowest that fails. Used if something above the highest that holds is
// open.
std::optional<double> Steps::next_above() const {
  constexpr double step = 1.25;
  constexpr double close = 1.1;
  if (open_ <= holds_) {
    return std::nullopt;
  }
  if (!fails_) {
    const double next = std::min(open_ * step, most_);
    return next > open_ * (1.0 + 1e-12) ? std::optional(next) : std::nullopt;
  }
  return *fails_ / open_ > close ? std::optional(std::sqrt(*fails_ * open_)) : std::nullopt;
}

int Steps::left() const {
  constexpr double faster = 1.5;
  if (!next()) {
    return 0;
  }
  if (not_holding_ && holds_ > 0.0) {
    return std::max(1, static_cast<int>(std::ceil(std::log2(std::log(*not_holding_ / holds_) / std::log(resolution)))));
  }
  const int between = static_cast<int>(std::ceil(std::log2(std::log(faster) / std::log(resolution))));
  return holds_ > 0.0 ? std::min(between, 1 + static_cast<int>(std::log(most_ / holds_) / std::log(faster))) : between;
}

void Steps::tell(double growth, study::Verdict judgement) {
  ++steps_;
  // A growth above an open one may hold by chance and counts as open.
  const bool above = not_holding_ && growth > *not_holding_;
  if (judgement == study::Verdict::met && !above) {
    holds_ = std::max(holds_, growth);
    return;
  }
  not_holding_ = std::min(not_holding_.value_or(growth), growth);
  if (judgement == study::Verdict::missed) {
    fails_ = std::min(fails_.value_or(growth), growth);
  } else {
    open_ = std::max(open_, growth);
  }
}

}  // namespace spillway::plan
