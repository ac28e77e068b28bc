#include <algorithm>
#include <optional>

#include "sim/sweep/searches.hpp"

namespace spillway::sweep {
namespace {

using plan::Judgement;

constexpr std::size_t first_values = 9;  // evenly spread

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
    if (!found_.monotone || may_hold_in_between()) {
      screen(trials_, text_.replications, [](const Trial& trial) { return trial.excess(); });
      close_in();
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

  [[nodiscard]] bool any_holds() const {
    const std::vector<const Tried*> order = trials_.in_order();
    return std::any_of(order.begin(), order.end(),
                       [](const Tried* tried) { return tried->trial.judgement == Judgement::holds; });
  }

  // By position; the first of equals.
  [[nodiscard]] static std::size_t nearest_of(const std::vector<const Tried*>& order) {
    const auto nearest = std::min_element(order.begin(), order.end(), [](const Tried* one, const Tried* other) {
      return one->trial.excess() < other->trial.excess();
    });
    return static_cast<std::size_t>(nearest - order.begin());
  }

  // Nothing holds, and what is nearest to it lies inside of the range: nearer ones may lie beside it.
  [[nodiscard]] bool may_hold_in_between() const {
    const std::vector<const Tried*> order = trials_.in_order();
    const std::size_t nearest = nearest_of(order);
    return !any_holds() && nearest > 0 && nearest + 1 < order.size();
  }

  // Halves the distances on both sides of the value that is nearest to holding, until one holds.
  void close_in() {
    constexpr int most_steps = 16;
    for (int step = 0; step < most_steps && !any_holds(); ++step) {
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
      if (is_close(below.trial, above.trial)) {
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
      found_.beyond = order[nearest_of(order)]->trial;
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

}  // namespace

Found search_threshold(const FindText& text, Trials& trials) {
  return ThresholdSearch(text, trials).search();
}

}  // namespace spillway::sweep
