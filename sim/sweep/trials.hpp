// The trials of a search: values of its key, each simulated several times and judged.
//
//   Trials trials(text, side, space, sources, failures, progress);
//   trials.try_all({0.0, 0.5, 1.0}, 10);          // parts of the range, 0 where it is easy to hold
//   for (const Tried* tried : trials.in_order()) { tried->trial.judgement; }
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/source.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/sweep/find.hpp"
#include "sim/sweep/values.hpp"

namespace spillway::sweep {

class Space;     // space.hpp
struct Figures;  // figures.hpp
struct Side;     // side.hpp

struct Tried {
  double part = 0.0;
  std::uint32_t replications = 0;
  Trial trial;
};

class Trials {
 public:
  // Lifetime: all arguments must outlive this object. `failures` has names; the first is empty and means no failure.
  Trials(const FindText& text, const Side& side, const Space& space, const Sources& texts,
         std::vector<std::string> failures, const std::function<void(std::size_t)>& progress);

  // Returns the value at a fraction of the range: from easiest (0) to hardest (1) to hold; for a goal, from the low end
  // to the high end.
  [[nodiscard]] Value value_at(double part) const;
  [[nodiscard]] bool is_whole() const;

  // Simulates each value with `replications` replications from `first` on, all runs in parallel. Results are not
  // cached.
  [[nodiscard]] std::vector<Trial> simulate(const std::vector<double>& parts, std::uint32_t replications,
                                            std::uint32_t first);

  // Simulates and stores values, except those tried with as many replications before.
  void try_all(std::vector<double> parts, std::uint32_t replications);
  [[nodiscard]] bool knows(double part) const { return tried_.contains(value_at(part).text); }
  [[nodiscard]] const Trial& at(double part) const { return tried_.at(value_at(part).text).trial; }

  // Returns the nearest tried value above or below, with any number of replications.
  [[nodiscard]] const Tried* nearest(double part, bool above) const;

  // Returns the trials with all replications, sorted by part.
  [[nodiscard]] std::vector<const Tried*> in_order() const;
  // Returns all trials, sorted by value.
  [[nodiscard]] std::vector<Trial> all() const;

 private:
  struct ValueToSimulate {
    std::string text;
    std::optional<std::chrono::nanoseconds> failures_at;  // equal for all failures and replications
  };
  [[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> with_value(const std::string& text) const;
  [[nodiscard]] std::optional<std::chrono::nanoseconds> moment_of_failures(const std::string& value_text) const;
  // `with_overload`: also sets Figures::overload.
  [[nodiscard]] Figures simulate(const ValueToSimulate& value, std::size_t failure, std::uint32_t replication,
                                 bool with_overload) const;
  [[nodiscard]] Trial judge_all(const std::string& value, const std::vector<Figures>& figures,
                                std::uint32_t replications) const;
  void judge_goal(Trial& trial, const std::vector<Figures>& figures, std::uint32_t replications) const;

  const FindText& text_;
  const Side& side_;
  const Space& space_;
  const Sources& texts_;
  std::vector<std::string> failures_;
  const std::function<void(std::size_t)>& progress_;
  bool judges_stability_;               // the last condition is stability_condition()
  std::map<std::string, Tried> tried_;  // by value
  std::size_t runs_ = 0;
};

}  // namespace spillway::sweep
