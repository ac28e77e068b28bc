#include "sim/sweep/find.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

#include "sim/plan/failures.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/sweep/side.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {
namespace {

using plan::Judgement;
using scenario::Reading;

constexpr double resolution = 0.01;
constexpr std::size_t first_values = 9;         // evenly spread, both ends among them
constexpr std::size_t screened_values = 33;     // where the answer is not monotone
constexpr std::uint32_t of_proofs = 1'000'000;  // the first replication of a proof: none of the others'

class Search {
 public:
  Search(const FindText& text, const Side& side, const Space& space, const scenario::Sources& texts,
         std::vector<std::string> failures, const std::function<void(std::size_t)>& progress)
      : text_(text), side_(side), space_(space), texts_(texts), failures_(std::move(failures)), progress_(progress) {}

  Found search() {
    std::vector<double> parts;
    for (std::size_t i = 0; i < first_values; ++i) {
      parts.push_back(static_cast<double>(i) / static_cast<double>(first_values - 1));
    }
    try_all(parts, text_.replications);
    found_.monotone = is_monotone();
    if (found_.monotone) {
      bisect();
      found_.monotone = is_monotone();
    }
    if (!found_.monotone) {
      screen();
    }
    conclude();
    return std::move(found_);
  }

 private:
  // From the side where it is easy to hold (0) to the other (1).
  [[nodiscard]] Value value_at(double part) const {
    const Range& range = *space_.keys().front().range;
    return {range.at(text_.maximise ? part : 1.0 - part), range.begin, range.length};
  }

  [[nodiscard]] double number_at(double part) const { return number_of(value_at(part).text).value_or(0.0); }

  [[nodiscard]] Figures play(const std::string& value_text, std::size_t failure, std::uint32_t replication) const {
    Value value = value_at(0.0);
    value.text = value_text;
    Figures refused;
    refused.refusal = "the scenario refuses the value";
    auto base = template_with_values(side_, space_, {value}, texts_);
    const auto* varied = std::get_if<scenario::ScenarioTemplate>(&base);
    if (varied == nullptr || !varied->reading().scenario) {
      return refused;
    }
    std::optional<scenario::Scenario> scenario = varied->reading().scenario;
    if (failure > 0) {
      const plan::Failures all = plan::failures_of(*scenario);
      if (failure >= all.all.size()) {
        return refused;
      }
      scenario = varied->vary({.changes = plan::changes_of(*scenario, all.all[failure], std::chrono::nanoseconds{0})});
      if (!scenario) {
        return refused;
      }
    }
    run::Options options = options_of_figures();
    options.seed = run::seed_of_replication(text_.seed.value_or(scenario->seed), replication);
    return figures_of(*scenario, run::run(*scenario, options));
  }

  // The verdicts of several values, all of their runs beside each other.
  std::vector<Trial> trials_of(const std::vector<double>& parts, std::uint32_t replications, std::uint32_t first) {
    const std::size_t per_value = failures_.size() * replications;
    std::vector<std::string> values;
    for (const double part : parts) {
      values.push_back(value_at(part).text);
    }
    const auto answers = run::fork_map(
        parts.size() * per_value, text_.jobs,
        [&](std::size_t index) {
          const std::size_t of_value = index % per_value;
          return figures_to_bytes(play(values[index / per_value], of_value / replications,
                                       first + static_cast<std::uint32_t>(of_value % replications)));
        },
        [&](std::size_t) {
          if (progress_) {
            progress_(++runs_);
          }
        });
    std::vector<Trial> trials;
    for (std::size_t value = 0; value < parts.size(); ++value) {
      std::vector<Figures> figures;
      for (std::size_t index = value * per_value; index < (value + 1) * per_value; ++index) {
        if (!answers[index].succeeded) {
          throw std::runtime_error(fmt::format("{}: {}", values[value], answers[index].failure));
        }
        figures.push_back(figures_from_bytes(answers[index].bytes));
      }
      trials.push_back(judge_all(values[value], number_at(parts[value]), figures, replications));
    }
    return trials;
  }

  [[nodiscard]] Trial judge_all(const std::string& value, double number, const std::vector<Figures>& figures,
                                std::uint32_t replications) const {
    Trial trial{value, number, {}, Judgement::holds};
    for (std::size_t condition = 0; condition < text_.conditions.size(); ++condition) {
      std::optional<Verdict> worst;
      for (std::size_t failure = 0; failure < failures_.size(); ++failure) {
        const std::span<const Figures> runs(figures.data() + failure * replications, replications);
        const Verdict one{condition, judge(text_.conditions[condition], runs, text_.happening_names),
                          failures_[failure]};
        if (!worst || one.finding.judgement > worst->finding.judgement ||
            (one.finding.judgement == worst->finding.judgement && one.finding.excess > worst->finding.excess)) {
          worst = one;
        }
      }
      trial.judgement = std::max(trial.judgement, worst->finding.judgement);
      trial.verdicts.push_back(std::move(*worst));
    }
    return trial;
  }

  // What was tried before is not tried again.
  void try_all(std::vector<double> parts, std::uint32_t replications) {
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
    std::vector<Trial> trials = trials_of(unlike, replications, 0);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      tried_[trials[i].value] = {unlike[i], replications, trials[i]};
    }
  }

  struct Tried {
    double part = 0.0;
    std::uint32_t replications = 0;
    Trial trial;
  };

  // By part, those with all replications.
  [[nodiscard]] std::vector<const Tried*> in_order() const {
    std::vector<const Tried*> order;
    for (const auto& [value, tried] : tried_) {
      if (tried.replications >= text_.replications) {
        order.push_back(&tried);
      }
    }
    std::sort(order.begin(), order.end(), [](const Tried* one, const Tried* other) { return one->part < other->part; });
    return order;
  }

  // Nothing holds beyond what fails.
  [[nodiscard]] bool is_monotone() const {
    bool failed = false;
    for (const Tried* tried : in_order()) {
      if (failed && tried->trial.judgement == Judgement::holds) {
        return false;
      }
      failed = failed || tried->trial.judgement == Judgement::fails;
    }
    return true;
  }

  // Between the last that holds and the first beyond it that does not; then, where that one is open, up to what fails.
  void bisect() {
    constexpr int most_steps = 40;
    for (int step = 0; step < most_steps; ++step) {
      const auto between = next_between([](Judgement judgement) { return judgement == Judgement::holds; });
      if (!between) {
        break;
      }
      try_all({*between}, text_.replications);
    }
    for (int step = 0; step < most_steps; ++step) {
      const auto between = next_between([](Judgement judgement) { return judgement != Judgement::fails; });
      if (!between) {
        break;
      }
      try_all({*between}, text_.replications);
    }
  }

  template <class Good>
  [[nodiscard]] std::optional<double> next_between(Good good) const {
    const std::vector<const Tried*> order = in_order();
    for (std::size_t i = order.size(); i-- > 1;) {
      const Tried& below = *order[i - 1];
      const Tried& above = *order[i];
      if (!good(below.trial.judgement) || good(above.trial.judgement)) {
        continue;
      }
      const double distance = std::abs(above.trial.number - below.trial.number);
      const bool whole = space_.keys().front().range->whole;
      if (distance <= resolution * std::abs(below.trial.number) || (whole && distance <= 1.0)) {
        return std::nullopt;
      }
      const double middle = (below.part + above.part) / 2.0;
      return tried_.contains(value_at(middle).text) ? std::nullopt : std::optional(middle);
    }
    return std::nullopt;
  }

  // Many values with few replications; the half that is furthest from holding leaves, and the others are simulated
  // twice as often.
  void screen() {
    std::vector<double> parts;
    for (std::size_t i = 0; i < screened_values; ++i) {
      parts.push_back(static_cast<double>(i) / static_cast<double>(screened_values - 1));
    }
    for (std::uint32_t replications = std::min(2U, text_.replications);; replications *= 2) {
      replications = std::min(replications, text_.replications);
      try_all(parts, replications);
      if (replications == text_.replications) {
        return;
      }
      const auto excess_of = [&](double part) {
        double excess = -1e300;
        for (const Verdict& verdict : tried_.at(value_at(part).text).trial.verdicts) {
          excess = std::max(excess, verdict.finding.excess);
        }
        return std::max(excess, 0.0);
      };
      // Of those that are alike, the better values stay.
      std::sort(parts.begin(), parts.end(), [&](double one, double other) {
        const double a = excess_of(one);
        const double b = excess_of(other);
        return a != b ? a < b : one > other;
      });
      parts.resize(std::max<std::size_t>(parts.size() / 2, 1));
    }
  }

  void conclude() {
    const std::vector<const Tried*> order = in_order();
    for (std::size_t i = order.size(); i-- > 0;) {
      if (order[i]->trial.judgement != Judgement::holds) {
        continue;
      }
      found_.answer = order[i]->trial;
      for (std::size_t above = i + 1; above < order.size() && !found_.beyond; ++above) {
        const bool open_to_the_end = above + 1 == order.size();
        if (order[above]->trial.judgement == Judgement::fails || open_to_the_end) {
          found_.beyond = order[above]->trial;
          found_.proof_beyond = trials_of({order[above]->part}, text_.replications, of_proofs).front();
        }
      }
      found_.proof = trials_of({order[i]->part}, text_.replications, of_proofs).front();
      break;
    }
    if (!found_.answer && !order.empty()) {
      found_.beyond = order.front()->trial;
    }
    for (const Verdict& verdict : found_.beyond ? found_.beyond->verdicts : std::vector<Verdict>{}) {
      const bool worse = !found_.binding || verdict.finding.judgement > found_.binding->finding.judgement ||
                         (verdict.finding.judgement == found_.binding->finding.judgement &&
                          verdict.finding.excess > found_.binding->finding.excess);
      if (worse) {
        found_.binding = verdict;
      }
    }
    for (const auto& [value, tried] : tried_) {
      found_.trials.push_back(tried.trial);
    }
    std::sort(found_.trials.begin(), found_.trials.end(),
              [](const Trial& one, const Trial& other) { return one.number < other.number; });
  }

  const FindText& text_;
  const Side& side_;
  const Space& space_;
  const scenario::Sources& texts_;
  std::vector<std::string> failures_;  // names; first that nothing fails
  const std::function<void(std::size_t)>& progress_;
  std::map<std::string, Tried> tried_;  // by value
  std::size_t runs_ = 0;
  Found found_;
};

Reading no_search(scenario::Diagnostics problems, scenario::Sources sources) {
  return {std::nullopt, std::move(problems), std::move(sources)};
}

}  // namespace

std::variant<Found, Reading> find(const FindText& text, const std::function<void(std::size_t)>& progress) {
  auto read = read_side(text.scenario);
  if (auto* wrong = std::get_if<Reading>(&read)) {
    return std::move(*wrong);
  }
  const Side& side = std::get<Side>(read);
  constexpr std::string_view endpoints = "endpoints=";
  const std::string key = text.key.starts_with(endpoints)
                              ? "services[*].endpoints[*].count=" + text.key.substr(endpoints.size())
                              : text.key;
  scenario::Sources texts;
  auto space = read_space({.over = {key}}, texts);
  if (auto* wrong = std::get_if<scenario::Diagnostics>(&space)) {
    return no_search(std::move(*wrong), std::move(texts));
  }
  const Space& range = std::get<Space>(space);
  if (!range.keys().front().range) {
    auto problem = scenario::error("SP951", "a search needs a range", scenario::Span{0, 1, 1, 1}, "expected LOW..HIGH");
    return no_search({with_help(std::move(problem), "for example clients[shop].workload.rate=100..5000")},
                     std::move(texts));
  }
  for (const std::vector<Value>& values : range.look_at_all_values()) {
    Reading reading = with_values(side, range, values, texts);
    if (!reading.scenario) {
      return reading;
    }
  }
  std::vector<std::string> failures{""};
  if (text.under_failures) {
    const Reading reading = with_values(side, range, range.values_of(0), texts);
    const plan::Failures all = plan::failures_of(*reading.scenario);
    if (!all.problems.empty()) {
      return no_search(all.problems, reading.sources);
    }
    for (std::size_t failure = 1; failure < all.all.size(); ++failure) {
      failures.push_back(all.all[failure].name);
    }
  }
  return Search(text, side, range, texts, std::move(failures), progress).search();
}

}  // namespace spillway::sweep
