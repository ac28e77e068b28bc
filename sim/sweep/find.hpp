// The highest or lowest value of a key at which conditions hold.
//
//   FindText text{.scenario = "shop.yaml", .key = "clients[shop].workload.rate=100..5000",
//                 .conditions = {*parse_condition("p99 < 200ms", names)}};
//   Found found = std::get<Found>(find(text, progress));
//   found.answer->value;       // "812rps"; found.beyond: the nearest value that fails
//
// Evenly spread values are tried first. Where what holds is not split from what fails by one point, the answer is not
// monotone, and values are screened by successive halving instead; else the interval is bisected to 1 % (whole numbers:
// to one). All trials draw from the same seeds; the two that bracket the answer are simulated once more with others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/sweep/condition.hpp"

namespace spillway::sweep {

struct FindText {
  std::string scenario;
  std::string key;  // KEY=LOW..HIGH; `endpoints=1..20` is the count of every group of endpoints
  bool maximise = true;
  std::vector<Condition> conditions;
  std::vector<std::string> happening_names = {};
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
  plan::Judgement judgement = plan::Judgement::open;  // of all conditions together
};

struct Found {
  bool monotone = true;
  std::vector<Trial> trials;  // by value
  // The best value that holds, and the nearest beyond it that does not fail any more or does; none where the range
  // ends.
  std::optional<Trial> answer = {};
  std::optional<Trial> beyond = {};
  // What bends first: a condition of `beyond`.
  std::optional<Verdict> binding = {};
  // Both once more with draws of their own.
  std::optional<Trial> proof = {};
  std::optional<Trial> proof_beyond = {};
};

// A reading: what is wrong with the scenario, the key or its values. Throws std::runtime_error if a process ends by
// itself. `progress` gets the number of runs so far.
[[nodiscard]] std::variant<Found, scenario::Reading> find(const FindText& text,
                                                          const std::function<void(std::size_t runs)>& progress);

}  // namespace spillway::sweep
