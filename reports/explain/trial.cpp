#include "reports/explain/trial.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "reports/text/percent.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::explain {
namespace {

constexpr double worth_saying = 0.001;
constexpr double standard_errors = 3.0;

double part(std::uint64_t of, std::uint64_t all) {
  return static_cast<double>(of) / static_cast<double>(all);
}

// Returns the scenario shortened to the period of interest. Traces keep their own end.
scenario::Scenario ending_at(const scenario::Scenario& scenario, run::Nanoseconds end) {
  scenario::Scenario shorter = scenario;
  shorter.expectations.clear();
  const bool traced = std::any_of(scenario.clients.begin(), scenario.clients.end(), [](const auto& client) {
    return client.workload.arrivals == scenario::Arrivals::trace;
  });
  if (!traced && end < scenario.duration) {
    shorter.duration = end;
    std::erase_if(shorter.changes, [&](const scenario::Change& change) { return change.at >= end; });
  }
  return shorter;
}

}  // namespace

std::optional<std::string> gain_text(const Effect& before, const Effect& after) {
  if (before.sent == 0 || after.sent == 0) {
    return std::nullopt;
  }
  const double ok_before = part(before.ok, before.sent);
  const double ok_after = part(after.ok, after.sent);
  const double ok_of_both = part(before.ok + after.ok, before.sent + after.sent);
  const double one_over = 1.0 / static_cast<double>(before.sent) + 1.0 / static_cast<double>(after.sent);
  const double noise = std::max(worth_saying, standard_errors * std::sqrt(ok_of_both * (1.0 - ok_of_both) * one_over));
  if (ok_after - ok_before > noise) {
    return fmt::format("{} of the requests succeed instead of {}", exact_percent(ok_after), exact_percent(ok_before));
  }
  const double attempts_before = part(before.attempts, before.sent);
  const double attempts_after = part(after.attempts, after.sent);
  // Extra attempts are treated as counts of rare events.
  const double extra = std::max(attempts_before + attempts_after - 2.0, 0.0) / static_cast<double>(before.sent);
  if (ok_before - ok_after > noise ||
      attempts_before - attempts_after <= std::max(10.0 * worth_saying, standard_errors * std::sqrt(extra))) {
    return std::nullopt;
  }
  return fmt::format("{:.3g} attempts per request instead of {:.3g}", attempts_after, attempts_before);
}

Trials::Trials(const scenario::Scenario& scenario, const SimulatedQuestion& question)
    : scenario_(&scenario), question_(question), to_(scenario.duration) {
  for (const scenario::Change& change : scenario.changes) {
    if (change.at <= question.at) {
      from_ = std::max(from_, change.at);
    } else {
      to_ = std::min(to_, change.at);
    }
  }
}

const Effect& Trials::now() const {
  if (!now_) {
    now_ = with([](scenario::Scenario&) {});
  }
  return *now_;
}

Effect Trials::with(const Change& change) const {
  scenario::Scenario changed = ending_at(*scenario_, to_);
  change(changed);
  run::Options options{.mode = scenario::Mode::requests, .seed = question_.seed};
  if (from_ > run::Nanoseconds{0} && from_ < changed.duration) {
    options.cuts.push_back(from_);
  }
  const run::Results results = run::run(changed, options);
  Effect effect;
  for (const run::Outcomes& row : results.outcomes) {
    if (row.client != question_.client || row.service != question_.service) {
      continue;
    }
    const auto epoch = std::find_if(results.epochs.begin(), results.epochs.end(), [&](const run::Epoch& of) {
      return of.client == row.client && of.service == row.service && of.index == row.epoch;
    });
    if (epoch != results.epochs.end() && epoch->start >= from_) {
      effect.sent += row.sent;
      effect.ok += row.ok();
      effect.attempts += row.sent + row.retries;
    }
  }
  return effect;
}

}  // namespace spillway::reports::explain
