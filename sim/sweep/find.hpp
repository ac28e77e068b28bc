// The highest or lowest value of a key at which conditions hold; or the value at which a figure is best.
//
//   FindText text{.scenario = "shop.yaml", .key = "clients[shop].workload.rate=100..5000",
//                 .conditions = {*parse_condition("p99 < 200ms", names)}};
//   Found found = std::get<Found>(find(text, progress));
//   found.answer->value;       // "812rps"; found.beyond: the nearest value that fails
//
// Evenly spread values are tried first. Where what holds is not split from what fails by one point, the answer is not
// monotone, and values are screened by successive halving; then the interval between what holds and what does not is
// bisected to 1 % (whole numbers: to one). A figure that is to be best is screened in the same way, and looked for more
// closely around the best value. All trials draw from the same seeds; answers and what lies beside them are simulated
// once more with others, and an answer that does not hold then gives way to the furthest that does, which is bisected
// for in the same way. Only what fails both times is called failed; between the two, values are open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/sweep/condition.hpp"

namespace spillway::scenario {
struct Reading;  // read_scenario.hpp
}  // namespace spillway::scenario

namespace spillway::sweep {

struct FindText {
  std::string scenario;
  std::string key;                    // KEY=LOW..HIGH; `endpoints=1..20` is the count of every group of endpoints
  bool maximise = true;               // the key, or the goal
  std::optional<Figure> goal = {};    // a figure that is to be best, instead of the key
  std::vector<Condition> conditions;  // of a goal: may be empty
  std::vector<std::string> event_names = {};
  bool under_failures = false;  // also while each of the scenario's failures lasts
  std::uint32_t replications = 10;
  std::optional<std::uint64_t> seed = {};
  std::size_t jobs = 1;
};

// One condition at one value: of all failures the one under which it is furthest from holding.
struct Verdict {
  std::size_t condition = 0;
  Finding finding = {};
  std::string failure = {};  // empty: nothing fails
};

struct Trial {
  std::string value;
  double number = 0.0;
  std::vector<Verdict> verdicts;
  plan::Judgement judgement = plan::Judgement::open;  // of all conditions together; holds where there are none
  // Of a goal: under the failure where it is worst. None: no run knows it, or the scenario refuses the value.
  std::optional<Finding> goal = {};
  std::string goal_failure = {};
  std::vector<double> goal_by_replication = {};

  // How far the furthest condition is from holding; 0: none is.
  [[nodiscard]] double excess() const;
};

struct Found {
  bool monotone = true;
  std::vector<Trial> trials;  // by value
  // The best value that holds, and the nearest beyond it that fails, both times; where none does, the end of the range,
  // and none where the answer is that end. Where nothing holds, `beyond` is what is nearest to it. Of a goal: the
  // nearest value above that is worse by more than chance.
  std::optional<Trial> answer = {};
  std::optional<Trial> beyond = {};
  std::optional<Trial> below = {};  // of a goal alone: the nearest value below that is worse
  // What bends first: a condition of `beyond`.
  std::optional<Verdict> binding = {};
  // All of them once more with draws of their own.
  std::optional<Trial> proof = {};
  std::optional<Trial> proof_beyond = {};
  std::optional<Trial> proof_below = {};
  std::vector<std::string> unproven = {};  // better values that held in the search and not when simulated again
  std::vector<std::string> open = {};      // beyond the answer and before what fails: neither proven nor refuted
  std::vector<std::string> as_good = {};   // of a goal: values that differ from the answer by no more than chance
};

// A reading: what is wrong with the scenario, the key or its values. Throws std::runtime_error if a process ends by
// itself. `progress` gets the number of runs so far.
[[nodiscard]] std::variant<Found, scenario::Reading> find(const FindText& text,
                                                          const std::function<void(std::size_t runs)>& progress);

}  // namespace spillway::sweep
