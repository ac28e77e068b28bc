#include "sim/plan/measured.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/run/fork_pool.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/results_bytes.hpp"
#include "sim/run/run.hpp"

namespace spillway::plan {
namespace {

constexpr double rule_of_three = 3.0;

double of_latency(const run::Latency& latency, Metric metric) {
  return metric == Metric::p50 ? latency.p50 : metric == Metric::p90 ? latency.p90 : latency.p99;
}

// Of one replication, and how many requests it is of.
std::pair<double, std::uint64_t> value_of(const run::Results& results, const Bound& bound) {
  std::uint64_t sent = 0;
  std::uint64_t ok = 0;
  for (const run::Outcomes& outcomes : results.outcomes) {
    if (outcomes.service == bound.service) {
      sent += outcomes.sent;
      ok += outcomes.ok;
    }
  }
  if (bound.metric == Metric::error_share) {
    return {sent == 0 ? 0.0 : static_cast<double>(sent - ok) / static_cast<double>(sent), sent};
  }
  double longest = 0.0;
  for (const run::Latency& latency : results.latency) {
    if (latency.service == bound.service) {
      longest = std::max(longest, of_latency(latency, bound.metric));
    }
  }
  return {longest, sent};
}

// Whether something but the lack of a host can end a request badly.
bool errors_by_load(const scenario::Scenario& scenario) {
  const auto bounded = [](const auto& of) { return of.servers && of.servers->queue; };
  const auto broken = [](const scenario::Service& service) {
    return !service.cluster.circuit_breakers.thresholds.empty() ||
           !service.cluster.circuit_breakers.per_host_thresholds.empty();
  };
  const auto harmful = [](const scenario::Change& change) {
    return std::holds_alternative<scenario::LinkChange>(change.effect);
  };
  const auto routed = [](const scenario::ClientEntry& client) { return !client.workload.requests.empty(); };
  return std::any_of(scenario.endpoints.begin(), scenario.endpoints.end(), bounded) ||
         std::any_of(scenario.nodes.begin(), scenario.nodes.end(), bounded) ||
         std::any_of(scenario.services.begin(), scenario.services.end(), broken) ||
         std::any_of(scenario.changes.begin(), scenario.changes.end(), harmful) ||
         std::any_of(scenario.clients.begin(), scenario.clients.end(), routed);
}

}  // namespace

Judgement Estimate::judgement() const noexcept {
  if (bound.metric == Metric::error_share && bound.limit == 0.0 && mean == 0.0) {
    return Judgement::holds;
  }
  if (mean + half_width <= bound.limit) {
    return Judgement::holds;
  }
  return mean - half_width > bound.limit ? Judgement::fails : Judgement::open;
}

Judgement judge(const std::vector<Estimate>& estimates) {
  Judgement all = Judgement::holds;
  for (const Estimate& estimate : estimates) {
    all = std::max(all, estimate.judgement());
  }
  return all;
}

std::vector<Bound> measured_bounds(const scenario::Scenario& scenario, const std::vector<Bound>& bounds) {
  const bool errors = errors_by_load(scenario);
  // Well below saturation no request waits for Envoy's 15 s.
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

std::vector<Estimate> Evaluator::operator()(const Played& played, const std::vector<Bound>& bounds) const {
  const auto play = [&](std::size_t replication) {
    run::Options options;
    options.mode = scenario::Mode::requests;
    options.measured_from = played.measured_from;
    options.seed = run::seed_of_replication(played.scenario.seed, static_cast<std::uint32_t>(replication));
    return run::results_to_bytes(run::run(played.scenario, options));
  };
  const auto answers = run::fork_map(effort_.replications, effort_.jobs, play);
  std::vector<std::vector<double>> values(bounds.size());
  std::vector<Estimate> estimates;
  for (const Bound& bound : bounds) {
    estimates.push_back({bound});
  }
  for (const run::ForkedAnswer& answer : answers) {
    if (!answer.succeeded) {
      throw std::runtime_error("a replication of the plan: " + answer.failure);
    }
    const run::Results results = run::results_from_bytes(answer.bytes);
    for (std::size_t bound = 0; bound < bounds.size(); ++bound) {
      const auto [value, requests] = value_of(results, bounds[bound]);
      values[bound].push_back(value);
      estimates[bound].requests += requests;
    }
  }
  for (std::size_t bound = 0; bound < bounds.size(); ++bound) {
    double sum = 0.0;
    for (const double value : values[bound]) {
      sum += value;
    }
    Estimate& estimate = estimates[bound];
    estimate.mean = sum / static_cast<double>(values[bound].size());
    estimate.half_width = run::half_width_95(values[bound]);
    if (estimate.bound.metric == Metric::error_share && sum == 0.0 && estimate.requests > 0) {
      estimate.half_width = rule_of_three / static_cast<double>(estimate.requests);
    }
  }
  return estimates;
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
    // Half as much each time, down to a hundredth of the first.
    return *not_holding_ > 0.01 ? std::optional(*not_holding_ / 2.0) : std::nullopt;
  }
  return *not_holding_ / holds_ > resolution ? std::optional(std::sqrt(*not_holding_ * holds_)) : std::nullopt;
}

void Steps::tell(double growth, Judgement judgement) {
  ++steps_;
  if (judgement == Judgement::holds) {
    holds_ = std::max(holds_, growth);
    return;
  }
  not_holding_ = std::min(not_holding_.value_or(growth), growth);
  if (judgement == Judgement::fails) {
    fails_ = std::min(fails_.value_or(growth), growth);
  }
}

}  // namespace spillway::plan
