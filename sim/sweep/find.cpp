#include "sim/sweep/find.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/diff/paired.hpp"
#include "sim/plan/failures.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/sweep/trials.hpp"

namespace spillway::sweep {
namespace {

using plan::Judgement;
using scenario::Reading;

constexpr double resolution = 0.01;
constexpr std::size_t first_values = 9;         // evenly spread, both ends among them
constexpr std::size_t screened_values = 33;     // where the answer is not monotone, and of a goal
constexpr std::uint32_t of_proofs = 1'000'000;  // the first replication of a proof: none of the others'

std::vector<double> evenly_spread(std::size_t values) {
  std::vector<double> parts;
  for (std::size_t i = 0; i < values; ++i) {
    parts.push_back(static_cast<double>(i) / static_cast<double>(values - 1));
  }
  return parts;
}

// Many values with few replications; the half that is worst leaves, and the others are simulated twice as often.
// `rank`: the lower the better.
template <class Rank>
void screen(Trials& trials, std::uint32_t all_replications, Rank rank) {
  std::vector<double> parts = evenly_spread(screened_values);
  for (std::uint32_t replications = std::min(2U, all_replications);; replications *= 2) {
    replications = std::min(replications, all_replications);
    trials.try_all(parts, replications);
    if (replications == all_replications) {
      return;
    }
    // Of those that are alike, values further on stay.
    std::sort(parts.begin(), parts.end(), [&](double one, double other) {
      const double a = rank(trials.at(one));
      const double b = rank(trials.at(other));
      return a != b ? a < b : one > other;
    });
    parts.resize(std::max<std::size_t>(parts.size() / 2, 1));
  }
}

// The furthest value of a key at which conditions hold.
class ThresholdSearch {
 public:
  ThresholdSearch(const FindText& text, Trials& trials) : text_(text), trials_(trials) {}

  Found search() {
    trials_.try_all(evenly_spread(first_values), text_.replications);
    found_.monotone = is_monotone();
    if (found_.monotone) {
      bisect();
      found_.monotone = is_monotone();
    }
    if (!found_.monotone) {
      screen(trials_, text_.replications, [](const Trial& trial) { return trial.excess(); });
      bisect();
    }
    conclude();
    return std::move(found_);
  }

 private:
  // Nothing holds beyond what fails.
  [[nodiscard]] bool is_monotone() const {
    bool failed = false;
    for (const Tried* tried : trials_.in_order()) {
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
      trials_.try_all({*between}, text_.replications);
    }
    for (int step = 0; step < most_steps; ++step) {
      const auto between = next_between([](Judgement judgement) { return judgement != Judgement::fails; });
      if (!between) {
        break;
      }
      trials_.try_all({*between}, text_.replications);
    }
  }

  template <class Good>
  [[nodiscard]] std::optional<double> next_between(Good good) const {
    const std::vector<const Tried*> order = trials_.in_order();
    for (std::size_t i = order.size(); i-- > 1;) {
      const Tried& below = *order[i - 1];
      const Tried& above = *order[i];
      if (!good(below.trial.judgement) || good(above.trial.judgement)) {
        continue;
      }
      const double distance = std::abs(above.trial.number - below.trial.number);
      if (distance <= resolution * std::abs(below.trial.number) || (trials_.is_whole() && distance <= 1.0)) {
        return std::nullopt;
      }
      const double middle = (below.part + above.part) / 2.0;
      return trials_.knows(middle) ? std::nullopt : std::optional(middle);
    }
    return std::nullopt;
  }

  void conclude() {
    const std::vector<const Tried*> order = trials_.in_order();
    std::optional<std::size_t> answer;
    for (std::size_t i = order.size(); i-- > 0 && !answer;) {
      if (order[i]->trial.judgement != Judgement::holds) {
        continue;
      }
      Trial proof = trials_.simulate({order[i]->part}, text_.replications, of_proofs).front();
      if (proof.judgement != Judgement::holds) {
        found_.unproven.push_back(order[i]->trial.value);
        continue;
      }
      answer = i;
      found_.answer = order[i]->trial;
      found_.proof = std::move(proof);
    }
    if (answer) {
      choose_beyond(order, *answer);
    } else if (!order.empty()) {
      found_.beyond = (*std::min_element(order.begin(), order.end(), [](const Tried* one, const Tried* other) {
                        return one->trial.excess() < other->trial.excess();
                      }))->trial;
    }
    choose_binding();
    found_.trials = trials_.all();
  }

  // The first that fails; where the range ends before, its end.
  void choose_beyond(const std::vector<const Tried*>& order, std::size_t answer) {
    for (std::size_t above = answer + 1; above < order.size() && !found_.beyond; ++above) {
      if (order[above]->trial.judgement == Judgement::fails || above + 1 == order.size()) {
        found_.beyond = order[above]->trial;
        found_.proof_beyond = trials_.simulate({order[above]->part}, text_.replications, of_proofs).front();
      }
    }
  }

  void choose_binding() {
    for (const Verdict& verdict : found_.beyond ? found_.beyond->verdicts : std::vector<Verdict>{}) {
      const bool worse = !found_.binding || verdict.finding.judgement > found_.binding->finding.judgement ||
                         (verdict.finding.judgement == found_.binding->finding.judgement &&
                          verdict.finding.excess > found_.binding->finding.excess);
      if (worse) {
        found_.binding = verdict;
      }
    }
  }

  const FindText& text_;
  Trials& trials_;
  Found found_;
};

// The value of a key at which a figure is lowest or highest.
class GoalSearch {
 public:
  GoalSearch(const FindText& text, Trials& trials) : text_(text), trials_(trials) {}

  Found search() {
    screen(trials_, text_.replications, [&](const Trial& trial) { return rank(trial); });
    refine();
    find_edge(true);
    find_edge(false);
    conclude();
    return std::move(found_);
  }

 private:
  // The lower the better; what fails a condition is worse than all else.
  [[nodiscard]] double rank(const Trial& trial) const {
    constexpr double worst = 1e300;
    if (!trial.goal || trial.judgement == Judgement::fails) {
      return worst;
    }
    return text_.maximise ? -*trial.goal->mean : *trial.goal->mean;
  }

  [[nodiscard]] static bool may_be_answer(const Trial& trial) {
    return trial.goal && trial.judgement == Judgement::holds;
  }

  // The best of those that hold, by position; the first of equals.
  [[nodiscard]] std::optional<std::size_t> best_of(const std::vector<const Tried*>& order) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (may_be_answer(order[i]->trial) && (!best || rank(order[i]->trial) < rank(order[*best]->trial))) {
        best = i;
      }
    }
    return best;
  }

  // Halves the distances on both sides of the best value until they are 1 % of the range, or one.
  void refine() {
    constexpr int most_steps = 12;
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<const Tried*> order = trials_.in_order();
      const auto best = best_of(order);
      if (!best) {
        return;
      }
      std::vector<double> parts;
      for (const std::size_t side : {*best - 1, *best + 1}) {
        if (side >= order.size()) {
          continue;
        }
        const double middle = (order[*best]->part + order[side]->part) / 2.0;
        const bool near = std::abs(order[*best]->part - order[side]->part) <= resolution;
        if (!near && !trials_.knows(middle)) {
          parts.push_back(middle);
        }
      }
      if (parts.empty()) {
        return;
      }
      trials_.try_all(parts, text_.replications);
    }
  }

  // Where values begin to be worse than the best one, above or below it.
  void find_edge(bool above) {
    constexpr int most_steps = 20;
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<const Tried*> order = trials_.in_order();
      const auto best = best_of(order);
      if (!best) {
        return;
      }
      std::size_t edge = *best;
      for (std::size_t next = above ? edge + 1 : edge - 1;
           next < order.size() && !is_worse(order[next]->trial, order[*best]->trial, order.size() - 1);
           next = above ? next + 1 : next - 1) {
        edge = next;
      }
      const Tried* beyond = trials_.nearest(order[edge]->part, above);
      if (beyond == nullptr) {
        return;
      }
      if (beyond->replications < text_.replications) {
        trials_.try_all({beyond->part}, text_.replications);
        continue;
      }
      const double middle = (order[edge]->part + beyond->part) / 2.0;
      if (std::abs(order[edge]->part - beyond->part) <= resolution || trials_.knows(middle)) {
        return;
      }
      trials_.try_all({middle}, text_.replications);
    }
  }

  // Whether the other is worse by more than chance: the same draws replication by replication, for `comparisons` of
  // them together.
  [[nodiscard]] bool is_worse(const Trial& other, const Trial& best, std::size_t comparisons) const {
    if (!may_be_answer(other)) {
      return true;
    }
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(other.goal_by_replication.size(), best.goal_by_replication.size()); ++i) {
      differences.push_back(other.goal_by_replication[i] - best.goal_by_replication[i]);
    }
    const double mean = (text_.maximise ? -1.0 : 1.0) * diff::mean(differences);
    constexpr double outside = 0.05;
    return differences.size() < 2
               ? mean > 0.0
               : mean > diff::half_width(differences,
                                         outside / static_cast<double>(std::max<std::size_t>(comparisons, 1)));
  }

  void conclude() {
    const std::vector<const Tried*> order = trials_.in_order();
    found_.trials = trials_.all();
    const auto best = best_of(order);
    if (!best) {
      if (!order.empty()) {
        found_.beyond = (*std::min_element(order.begin(), order.end(), [](const Tried* one, const Tried* other) {
                          return one->trial.excess() < other->trial.excess();
                        }))->trial;
      }
      return;
    }
    const Trial& answer = order[*best]->trial;
    found_.answer = answer;
    found_.proof = again(*order[*best]);
    std::vector<bool> worse;
    for (const Tried* tried : order) {
      worse.push_back(tried != order[*best] && is_worse(tried->trial, answer, order.size() - 1));
      if (!worse.back()) {
        found_.as_good.push_back(tried->trial.value);
      }
    }
    for (std::size_t i = *best + 1; i < order.size() && !found_.beyond; ++i) {
      if (worse[i]) {
        found_.beyond = order[i]->trial;
        found_.proof_beyond = again(*order[i]);
      }
    }
    for (std::size_t i = *best; i-- > 0 && !found_.below;) {
      if (worse[i]) {
        found_.below = order[i]->trial;
        found_.proof_below = again(*order[i]);
      }
    }
  }

  [[nodiscard]] Trial again(const Tried& tried) {
    return trials_.simulate({tried.part}, text_.replications, of_proofs).front();
  }

  const FindText& text_;
  Trials& trials_;
  Found found_;
};

Reading no_search(scenario::Diagnostics problems, scenario::Sources sources) {
  return {std::nullopt, std::move(problems), std::move(sources)};
}

// Names of the failures at either end of the range, first that nothing fails; or what is wrong with them.
std::variant<std::vector<std::string>, Reading> failures_of_range(const Side& side, const Space& range,
                                                                  const scenario::Sources& texts) {
  std::vector<std::string> names{""};
  std::optional<Reading> wrong;
  const std::vector<std::vector<Value>> ends{range.values_of(0), range.values_of(range.settings() - 1)};
  for (const std::vector<Value>& values : ends) {
    const Reading reading = with_values(side, range, values, texts);
    const plan::Failures all = plan::failures_of(*reading.scenario);
    if (!all.problems.empty()) {
      wrong = no_search(all.problems, reading.sources);
      continue;
    }
    for (std::size_t failure = 1; failure < all.all.size(); ++failure) {
      if (std::find(names.begin(), names.end(), all.all[failure].name) == names.end()) {
        names.push_back(all.all[failure].name);
      }
    }
  }
  if (names.size() == 1 && wrong) {
    return *wrong;
  }
  return names;
}

}  // namespace

std::variant<Found, Reading> find(const FindText& given, const std::function<void(std::size_t)>& progress) {
  FindText text = given;
  auto read = read_side(text.scenario);
  if (auto* wrong = std::get_if<Reading>(&read)) {
    return std::move(*wrong);
  }
  const Side& side = std::get<Side>(read);
  if (side.mode == scenario::Mode::exact) {
    text.replications = 1;  // nothing is drawn
  }
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
    auto named = failures_of_range(side, range, texts);
    if (auto* wrong = std::get_if<Reading>(&named)) {
      return std::move(*wrong);
    }
    failures = std::get<std::vector<std::string>>(std::move(named));
  }
  Trials trials(text, side, range, texts, std::move(failures), progress);
  return text.goal ? GoalSearch(text, trials).search() : ThresholdSearch(text, trials).search();
}

}  // namespace spillway::sweep
