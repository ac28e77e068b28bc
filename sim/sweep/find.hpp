// Searches for the highest or lowest value of a key at which conditions hold, or for the value with the best figure.
//
//   FindText text{.scenario = "shop.yaml", .key = "clients[shop].workload.rate=100..5000",
//                 .conditions = {*parse_condition("p99 < 200ms", names)}};
//   Found found = std::get<Found>(find(text, progress));
//   found.answer->value;       // "812rps"; found.beyond: the nearest value that fails
//
// Evenly spread values are tried first. If the values that hold and those that fail overlap, the result is not
// monotone, and values are screened by successive halving. Then the interval between a value that holds and one that
// does not is bisected to 1 % (whole numbers: to one). A goal figure is screened in the same way, and refined around
// the best value.
//
// All trials use the same seeds. The answer and its neighbours are simulated again with new seeds. If the answer fails
// then, the next best value that holds replaces it and is bisected for in the same way. Only values that fail both
// times are called failed; values in between are open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenario/forward.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/condition.hpp"

namespace spillway::sweep {

struct FindText {
  std::string scenario;
  std::string key;                    // KEY=LOW..HIGH; `endpoints=1..20` sets the count of every group of endpoints,
                                      // or the replicas of every workload of Kubernetes documents
  bool maximise = true;               // of the key or the goal
  std::optional<Figure> goal = {};    // figure to optimise, instead of the key
  std::vector<Condition> conditions;  // may be empty with a goal
  bool under_failures = false;        // also test with each of the scenario's failures
  std::uint32_t replications = 10;
  std::optional<std::uint64_t> seed = {};
  std::size_t jobs = 1;
};

// One condition at one value, under the failure that is furthest from holding.
struct Verdict {
  std::size_t condition = 0;  // index in Found::conditions
  Finding finding = {};
  std::string failure = {};  // empty if nothing fails
};

struct Trial {
  std::string value;
  double number = 0.0;
  std::vector<Verdict> verdicts;
  study::Verdict judgement = study::Verdict::undecided;  // of all conditions together; holds if there are none
  // Goal figure under the failure with the worst value. nullopt if no run has it, or if the scenario rejects the value.
  std::optional<Finding> goal = {};
  std::string goal_failure = {};
  std::vector<double> goal_by_replication = {};

  // Returns the excess of the furthest condition; 0 if all hold.
  [[nodiscard]] double excess() const;
};

struct Found {
  // The search's conditions and, if these are upper limits and none is on utilisation, that no queue grows beyond the
  // end of a run (stability_condition()). Trials have a verdict on that one only if it is missed.
  std::vector<Condition> conditions = {};
  std::string path = {};  // of the key that was varied: services[*].endpoints[*].count for `endpoints`
  bool monotone = true;
  std::vector<Trial> trials;  // sorted by value
  // `answer` is the best value that holds. `beyond` is the nearest value beyond it that fails both times; if none
  // fails, the end of the range; nullopt if the answer is that end. If no value holds, `beyond` is the value nearest to
  // holding. For a goal, it is the nearest value above the answer that is significantly worse.
  std::optional<Trial> answer = {};
  std::optional<Trial> beyond = {};
  std::optional<Trial> below = {};  // for a goal only: the nearest value below that is worse
  // The tightest condition of `beyond`.
  std::optional<Verdict> binding = {};
  // Repetitions of the three trials with new seeds.
  std::optional<Trial> proof = {};
  std::optional<Trial> proof_beyond = {};
  std::optional<Trial> proof_below = {};
  std::vector<std::string> unproven = {};  // better values that held in the search but not with new seeds
  std::vector<std::string> open = {};      // between the answer and values that fail: neither proven nor refuted
  std::vector<std::string> as_good = {};   // for a goal: values not significantly different from the answer
};

// Returns a parse result if the scenario, the key or its values are invalid. Throws std::runtime_error if a process
// terminates early. `progress` receives the number of runs so far.
[[nodiscard]] std::variant<Found, scenario::Reading> find(const FindText& text,
                                                          const std::function<void(std::size_t runs)>& progress);

}  // namespace spillway::sweep
