#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/diff/paired.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/find.hpp"
#include "sim/sweep/searches.hpp"
#include "sim/sweep/trials.hpp"

namespace spillway::sweep {
namespace {

// A search for the value of a key at which a figure is lowest or highest.
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
  // Returns the rank of a trial, lower is better. A value that fails a condition has the worst rank.
  [[nodiscard]] double rank(const Trial& trial) const {
    constexpr double worst = 1e300;
    if (!trial.goal || trial.judgement == study::Verdict::missed) {
      return worst;
    }
    return text_.maximise ? -*trial.goal->mean : *trial.goal->mean;
  }

  [[nodiscard]] static bool may_be_answer(const Trial& trial) {
    return trial.goal && trial.judgement == study::Verdict::met;
  }

  // Returns the position of the best trial that holds; the first of equals.
  [[nodiscard]] std::optional<std::size_t> best_of(const std::vector<const Tried*>& order) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (may_be_answer(order[i]->trial) && (!best || rank(order[i]->trial) < rank(order[*best]->trial))) {
        best = i;
      }
    }
    return best;
  }

  // Halves the distances on both sides of the best value until they are 1 % of it, or one.
  void refine() {
    constexpr int most_steps = 16;
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
        if (!is_close(order[*best]->trial, order[side]->trial, trials_.is_whole()) && !trials_.knows(middle)) {
          parts.push_back(middle);
        }
      }
      if (parts.empty()) {
        return;
      }
      trials_.try_all(parts, text_.replications);
    }
  }

  // Finds the nearest value above or below the best one that is worse.
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

  // True if the other is significantly worse: its interval is beyond that of the best one, or its figures are, paired
  // by replication with the same seeds, at a confidence for `comparisons` comparisons together.
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
    const bool beyond = text_.maximise ? other.goal->high < best.goal->low : other.goal->low > best.goal->high;
    return differences.size() < 2 || beyond
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

}  // namespace

Found search_goal(const FindText& text, Trials& trials) {
  return GoalSearch(text, trials).search();
}

}  // namespace spillway::sweep
