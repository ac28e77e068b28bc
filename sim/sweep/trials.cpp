#include "sim/sweep/trials.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/plan/busiest_moments.hpp"
#include "sim/plan/failures.hpp"
#include "sim/plan/variants.hpp"
#include "sim/run/fork_results.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/figures.hpp"
#include "sim/sweep/lasting_overload.hpp"
#include "sim/sweep/side.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {

namespace {

// True if nothing is sent, for example while all clients are lost: conditions then do not apply.
bool is_silent(std::span<const Figures> runs) {
  return std::all_of(runs.begin(), runs.end(), [](const Figures& run) {
    // In mode exact, the failed share may be unknown although requests are sent; endpoints are busy then.
    const bool is_exact = run.fingerprint.empty();
    return run.refusal.empty() && !run.total.failed && (!run.total.counts || run.total.counts->sent == 0) &&
           !(is_exact && run.busiest.value_or(0.0) > 0.0);
  });
}

// Judges stability_condition() by one run: loads at rest are those of all.
Finding judge_overload(const Figures& run) {
  const double most = run.overload.value_or(0.0);
  return {.mean = most,
          .low = most,
          .high = most,
          .judgement = run.overload ? study::Verdict::missed : study::Verdict::met,
          .excess = run.overload ? most - 1.0 : 0.0};
}

}  // namespace

double Trial::excess() const {
  double most = 0.0;
  for (const Verdict& verdict : verdicts) {
    most = std::max(most, verdict.finding.excess);
  }
  return most;
}

Trials::Trials(const FindText& text, const Side& side, const Space& space, const Sources& texts,
               std::vector<std::string> failures, const std::function<void(std::size_t)>& progress)
    : text_(text),
      side_(side),
      space_(space),
      texts_(texts),
      failures_(std::move(failures)),
      progress_(progress),
      judges_stability_(!text.conditions.empty() && text.conditions.back().assumed) {}

Value Trials::value_at(double part) const {
  const Range& range = *space_.keys().front().range;
  const bool from_above = !text_.goal && !text_.maximise;
  return {range.at(from_above ? 1.0 - part : part), range.begin, range.length};
}

bool Trials::is_whole() const {
  return space_.keys().front().range->whole;
}

// Reads the scenario with this value. Failures are simulated as in a plan: at the busiest time, after a warm-up as long
// as the scenario.
std::variant<scenario::ScenarioTemplate, scenario::Reading> Trials::with_value(const std::string& value_text) const {
  Value value = value_at(0.0);
  value.text = value_text;
  return template_with_values(side_, space_, {value}, texts_);
}

// Returns nullopt if no failure is simulated, or if the scenario rejects the value.
std::optional<std::chrono::nanoseconds> Trials::moment_of_failures(const std::string& value_text) const {
  if (failures_.size() == 1) {
    return std::nullopt;
  }
  const auto base = with_value(value_text);
  const auto* varied = std::get_if<scenario::ScenarioTemplate>(&base);
  return varied == nullptr || !varied->reading().scenario ? std::nullopt : std::optional(plan::hardest_moment(*varied));
}

Figures Trials::simulate(const ValueToSimulate& value, std::size_t failure, std::uint32_t replication,
                         bool with_overload) const {
  Figures refused;
  refused.refusal = "the scenario refuses the value";
  const auto base = with_value(value.text);
  const auto* varied = std::get_if<scenario::ScenarioTemplate>(&base);
  if (varied == nullptr || !varied->reading().scenario) {
    return refused;
  }
  const scenario::Scenario& scenario = *varied->reading().scenario;
  run::Options options = options_of_figures(scenario);
  options.seed = run::seed_of_replication(text_.seed.value_or(scenario.seed), replication);
  if (failure == 0) {
    Figures figures = figures_of(scenario, run::run(scenario, options));
    if (with_overload) {
      // An overload that ends before the run does shows in the run itself.
      const plan::Variants at_the_end(*varied, scenario.duration - std::chrono::nanoseconds{1}, 1.0);
      const auto variant = at_the_end.with({});
      figures.overload = lasting_overload(at_the_end, *variant, variant->failures.front());
    }
    return figures;
  }
  const plan::Variants variants(*varied, *value.failures_at, 1.0);
  const auto variant = variants.with({});
  const auto named = std::find_if(variant->failures.begin(), variant->failures.end(),
                                  [&](const plan::Failure& one) { return one.name == failures_[failure]; });
  // With other endpoint counts, the failure may not exist.
  const plan::Failure& what = named == variant->failures.end() ? variant->failures.front() : *named;
  const auto overload = with_overload ? lasting_overload(variants, *variant, what) : std::nullopt;
  if (scenario.mode == scenario::Mode::exact) {
    const scenario::Scenario still = variants.still(*variant, what);
    options.cuts.clear();  // no changes
    Figures figures = figures_of(still, run::run(still, options));
    if (figures.busiest.value_or(0.0) <= 1.0) {
      figures.total.failed = variants.loads(*variant, what, still).failed();
    }
    figures.overload = overload;
    return figures;
  }
  const plan::Simulated simulated = plan::in_phase(variants.simulated(*variant, what), replication);
  run::Options simulated_options = plan::simulated_with(options_of_figures(), simulated, 0);
  simulated_options.seed = options.seed;
  if (simulated.measured_from > std::chrono::nanoseconds{0}) {
    simulated_options.cuts = {simulated.measured_from};  // ends endpoint rows there even if EDS reports nothing
  }
  simulated_options.logged_events->keeps = [from = simulated.measured_from](const run::EventRecord& record) {
    return record.at >= from;
  };
  Figures figures =
      figures_of(simulated.scenario, run::run(simulated.scenario, simulated_options), simulated.measured_from);
  figures.overload = overload;
  return figures;
}

std::vector<Trial> Trials::simulate(const std::vector<double>& parts, std::uint32_t replications, std::uint32_t first) {
  const std::size_t per_value = failures_.size() * replications;
  std::vector<ValueToSimulate> values;
  for (const double part : parts) {
    const std::string text = value_at(part).text;
    values.push_back({text, moment_of_failures(text)});
  }
  const std::vector<Figures> figures = run::fork_results(
      parts.size() * per_value, text_.jobs,
      [&](std::size_t index) {
        const std::size_t of_value = index % per_value;
        const auto number = static_cast<std::uint32_t>(of_value % replications);
        return figures_to_bytes({simulate(values[index / per_value], of_value / replications, first + number,
                                          judges_stability_ && number == 0)});
      },
      [](const std::string& bytes) { return figures_from_bytes(bytes).front(); }, "a trial of the search",
      [&](std::size_t) {
        if (progress_) {
          progress_(++runs_);
        }
      });
  std::vector<Trial> trials;
  for (std::size_t value = 0; value < parts.size(); ++value) {
    const auto begin = figures.begin() + static_cast<std::ptrdiff_t>(value * per_value);
    trials.push_back(
        judge_all(values[value].text, {begin, begin + static_cast<std::ptrdiff_t>(per_value)}, replications));
  }
  return trials;
}

Trial Trials::judge_all(const std::string& value, const std::vector<Figures>& figures,
                        std::uint32_t replications) const {
  Trial trial;
  trial.value = value;
  trial.number = number_of(value).value_or(0.0);
  trial.judgement = study::Verdict::met;
  for (std::size_t condition = 0; condition < text_.conditions.size(); ++condition) {
    std::optional<Verdict> worst;
    for (std::size_t failure = 0; failure < failures_.size(); ++failure) {
      const std::span<const Figures> runs(figures.data() + failure * replications, replications);
      if (failure > 0 && is_silent(runs)) {
        continue;
      }
      const Condition& of = text_.conditions[condition];
      const Verdict one{condition, of.assumed ? judge_overload(runs.front()) : judge(of, runs), failures_[failure]};
      if (!worst || one.finding.judgement > worst->finding.judgement ||
          (one.finding.judgement == worst->finding.judgement && one.finding.excess > worst->finding.excess)) {
        worst = one;
      }
    }
    trial.judgement = std::max(trial.judgement, worst->finding.judgement);
    if (!text_.conditions[condition].assumed || worst->finding.judgement == study::Verdict::missed) {
      trial.verdicts.push_back(std::move(*worst));
    }
  }
  if (text_.goal) {
    judge_goal(trial, figures, replications);
  }
  return trial;
}

void Trials::judge_goal(Trial& trial, const std::vector<Figures>& figures, std::uint32_t replications) const {
  for (std::size_t failure = 0; failure < failures_.size(); ++failure) {
    const std::span<const Figures> runs(figures.data() + failure * replications, replications);
    if (failure > 0 && is_silent(runs)) {
      continue;
    }
    const auto measured = measure(*text_.goal, runs);
    if (!measured) {
      trial.goal.reset();
      trial.judgement = study::Verdict::missed;
      return;
    }
    const bool worse =
        trial.goal && (text_.maximise ? *measured->mean < *trial.goal->mean : *measured->mean > *trial.goal->mean);
    if (!trial.goal || worse) {
      trial.goal = measured;
      trial.goal_failure = failures_[failure];
      trial.goal_by_replication.clear();
      for (const Figures& run : runs) {
        trial.goal_by_replication.push_back(text_.goal->read(run).value_or(*measured->mean));
      }
    }
  }
}

void Trials::try_all(std::vector<double> parts, std::uint32_t replications) {
  std::erase_if(parts, [&](double part) {
    const auto known = tried_.find(value_at(part).text);
    return known != tried_.end() && known->second.replications >= replications;
  });
  std::vector<double> unlike;
  for (const double part : parts) {
    const bool again = std::any_of(unlike.begin(), unlike.end(),
                                   [&](double other) { return value_at(other).text == value_at(part).text; });
    if (!again) {
      unlike.push_back(part);
    }
  }
  std::vector<Trial> trials = simulate(unlike, replications, 0);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    tried_[trials[i].value] = {unlike[i], replications, trials[i]};
  }
}

const Tried* Trials::nearest(double part, bool above) const {
  const Tried* found = nullptr;
  for (const auto& [value, tried] : tried_) {
    const bool beyond = above ? tried.part > part : tried.part < part;
    if (beyond && (found == nullptr || std::abs(tried.part - part) < std::abs(found->part - part))) {
      found = &tried;
    }
  }
  return found;
}

std::vector<const Tried*> Trials::in_order() const {
  std::vector<const Tried*> order;
  for (const auto& [value, tried] : tried_) {
    if (tried.replications >= text_.replications) {
      order.push_back(&tried);
    }
  }
  std::sort(order.begin(), order.end(), [](const Tried* one, const Tried* other) { return one->part < other->part; });
  return order;
}

std::vector<Trial> Trials::all() const {
  std::vector<Trial> trials;
  for (const auto& [value, tried] : tried_) {
    trials.push_back(tried.trial);
  }
  std::sort(trials.begin(), trials.end(),
            [](const Trial& one, const Trial& other) { return one.number < other.number; });
  return trials;
}

}  // namespace spillway::sweep
