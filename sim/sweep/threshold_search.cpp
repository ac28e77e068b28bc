#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "sim/plan/objectives.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/find.hpp"
#include "sim/sweep/searches.hpp"
#include "sim/sweep/trials.hpp"

namespace spillway::sweep {
namespace {

constexpr std::size_t first_values = 9;  // evenly spread

// A search for the furthest value of a key at which conditions hold.
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
    if (!found_.monotone || may_hold_in_between()) {
      screen(trials_, text_.replications, [](const Trial& trial) { return trial.excess(); });
      close_in();
      bisect();
    }
    conclude();
    return std::move(found_);
  }

 private:
  // True if no value above the first failing one holds, or if all values from the first holding one on hold.
  [[nodiscard]] bool is_monotone() const {
    const std::vector<const Tried*> order = trials_.in_order();
    const auto first = std::find_if(order.begin(), order.end(),
                                    [](const Tried* tried) { return tried->trial.judgement == study::Verdict::met; });
    if (first != order.end() && std::all_of(first, order.end(), [](const Tried* tried) {
          return tried->trial.judgement == study::Verdict::met;
        })) {
      return true;
    }
    bool failed = false;
    for (const Tried* tried : order) {
      if (failed && tried->trial.judgement == study::Verdict::met) {
        return false;
      }
      failed = failed || tried->trial.judgement == study::Verdict::missed;
    }
    return true;
  }

  [[nodiscard]] bool any_holds() const {
    const std::vector<const Tried*> order = trials_.in_order();
    return std::any_of(order.begin(), order.end(),
                       [](const Tried* tried) { return tried->trial.judgement == study::Verdict::met; });
  }

  // Returns the position of the trial that is nearest to holding, the first of equal ones.
  [[nodiscard]] static std::size_t nearest_of(const std::vector<const Tried*>& order) {
    const auto nearest = std::min_element(order.begin(), order.end(), [](const Tried* one, const Tried* other) {
      return one->trial.excess() < other->trial.excess();
    });
    return static_cast<std::size_t>(nearest - order.begin());
  }

  // True if no value holds and the one nearest to holding is inside the range: a value beside it may hold.
  [[nodiscard]] bool may_hold_in_between() const {
    const std::vector<const Tried*> order = trials_.in_order();
    const std::size_t nearest = nearest_of(order);
    return !any_holds() && nearest > 0 && nearest + 1 < order.size();
  }

  // Halves the distances on both sides of the value nearest to holding, until one holds.
  void close_in() {
    constexpr int halvings = 16;
    for (int step = 0; step < halvings && !any_holds(); ++step) {
      const std::vector<const Tried*> order = trials_.in_order();
      const std::size_t nearest = nearest_of(order);
      std::vector<double> parts;
      for (const std::size_t side : {nearest - 1, nearest + 1}) {
        if (side < order.size() && !is_close(order[nearest]->trial, order[side]->trial)) {
          parts.push_back((order[nearest]->part + order[side]->part) / 2.0);
        }
      }
      std::erase_if(parts, [&](double part) { return trials_.knows(part); });
      if (parts.empty()) {
        return;
      }
      trials_.try_all(parts, text_.replications);
    }
  }

  [[nodiscard]] bool is_close(const Trial& one, const Trial& other) const {
    return spillway::sweep::is_close(one, other, trials_.is_whole());
  }

  // Bisects between the last value that holds and the next one that does not. If that one is open, also searches up to
  // one that fails.
  void bisect() {
    for (int step = 0; step < most_steps; ++step) {
      const auto between = next_between([](const Tried& one) { return one.trial.judgement == study::Verdict::met; });
      if (!between) {
        break;
      }
      trials_.try_all({*between}, text_.replications);
    }
    for (int step = 0; step < most_steps; ++step) {
      const auto between = next_between([](const Tried& one) { return one.trial.judgement != study::Verdict::missed; });
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
      if (!good(below) || good(above)) {
        continue;
      }
      if (is_close(below.trial, above.trial)) {
        return std::nullopt;
      }
      const double middle = (below.part + above.part) / 2.0;
      return trials_.knows(middle) ? std::nullopt : std::optional(middle);
    }
    return std::nullopt;
  }

  // Simulates a value again with new seeds, once per value.
  const Trial& proof_of(const Tried& tried) {
    const auto known = proofs_.find(tried.trial.value);
    return known != proofs_.end()
               ? known->second
               : proofs_
                     .emplace(tried.trial.value, trials_.simulate({tried.part}, text_.replications, of_proofs).front())
                     .first->second;
  }

  bool is_proven(const Tried& tried) {
    return tried.trial.judgement == study::Verdict::met && proof_of(tried).judgement == study::Verdict::met;
  }

  bool is_refuted(const Tried& tried) {
    return tried.trial.judgement == study::Verdict::missed && proof_of(tried).judgement == study::Verdict::missed;
  }

  std::optional<std::size_t> furthest_proven(const std::vector<const Tried*>& order) {
    for (std::size_t i = order.size(); i-- > 0;) {
      if (is_proven(*order[i])) {
        return i;
      }
    }
    return std::nullopt;
  }

  // Bisects between proofs. The search is fine only around its own boundary. If proofs have another boundary, it may
  // lie between values that are far apart.
  void bisect_proofs() {
    for (int step = 0; step < most_steps; ++step) {
      if (trials_.in_order().empty() || is_proven(*trials_.in_order().back())) {
        return;
      }
      const auto between = next_between([this](const Tried& one) { return is_proven(one); });
      if (!between) {
        return;
      }
      trials_.try_all({*between}, text_.replications);
    }
  }

  void conclude() {
    bisect_proofs();
    const std::vector<const Tried*> order = trials_.in_order();
    const std::optional<std::size_t> answer = furthest_proven(order);
    for (std::size_t i = order.size(); i-- > (answer ? *answer + 1 : 0);) {
      if (order[i]->trial.judgement == study::Verdict::met) {
        found_.unproven.push_back(order[i]->trial.value);
      }
    }
    if (answer) {
      found_.answer = order[*answer]->trial;
      found_.proof = proof_of(*order[*answer]);
      choose_beyond(order, *answer);
    } else if (!order.empty()) {
      found_.beyond = order[nearest_of(order)]->trial;
      for (const Tried* tried : order) {
        if (tried->trial.judgement != study::Verdict::missed) {
          found_.open.push_back(tried->trial.value);
        }
      }
    }
    choose_binding();
    found_.trials = trials_.all();
  }

  // Sets `beyond` to the first value that fails both times, else to the end of the range. Values in between are open.
  void choose_beyond(const std::vector<const Tried*>& order, std::size_t answer) {
    for (std::size_t above = answer + 1; above < order.size(); ++above) {
      const bool refuted = is_refuted(*order[above]);
      if (refuted || above + 1 == order.size()) {
        found_.beyond = order[above]->trial;
        found_.proof_beyond = proof_of(*order[above]);
      }
      if (refuted) {
        return;
      }
      found_.open.push_back(order[above]->trial.value);
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

  static constexpr int most_steps = 40;

  const FindText& text_;
  Trials& trials_;
  std::map<std::string, Trial> proofs_;  // by value
  Found found_;
};

}  // namespace

Found search_threshold(const FindText& text, Trials& trials) {
  return ThresholdSearch(text, trials).search();
}

}  // namespace spillway::sweep
