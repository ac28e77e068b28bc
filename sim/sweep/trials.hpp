// What a search has tried: values of its key, each simulated several times and judged.
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
#include "sim/sweep/find.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
struct Reading;          // read_scenario.hpp
}  // namespace spillway::scenario

namespace spillway::sweep {

class Space;     // space.hpp
struct Figures;  // figures.hpp
struct Side;     // side.hpp
struct Value;    // values.hpp

struct Tried {
  double part = 0.0;
  std::uint32_t replications = 0;
  Trial trial;
};

class Trials {
 public:
  // All must outlive this. `failures`: names, the first is empty and stands for nothing.
  Trials(const FindText& text, const Side& side, const Space& space, const Sources& texts,
         std::vector<std::string> failures, const std::function<void(std::size_t)>& progress);

  // From the side where it is easy to hold (0) to the other (1); of a goal from the low end to the high one.
  [[nodiscard]] Value value_at(double part) const;
  [[nodiscard]] bool is_whole() const;

  // Each with so many replications from `first` on, all of their runs beside each other; nothing is kept.
  [[nodiscard]] std::vector<Trial> simulate(const std::vector<double>& parts, std::uint32_t replications,
                                            std::uint32_t first);

  // What was tried as often before is not tried again.
  void try_all(std::vector<double> parts, std::uint32_t replications);
  [[nodiscard]] bool knows(double part) const { return tried_.contains(value_at(part).text); }
  [[nodiscard]] const Trial& at(double part) const { return tried_.at(value_at(part).text).trial; }

  // The nearest value above or below that was tried, however often.
  [[nodiscard]] const Tried* nearest(double part, bool above) const;

  // By part, those with all replications.
  [[nodiscard]] std::vector<const Tried*> in_order() const;
  // All of them, by value.
  [[nodiscard]] std::vector<Trial> all() const;

 private:
  struct ValueToSimulate {
    std::string text;
    std::optional<std::chrono::nanoseconds> failures_at;  // the same for all failures and replications
  };
  [[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> with_value(const std::string& text) const;
  [[nodiscard]] std::optional<std::chrono::nanoseconds> moment_of_failures(const std::string& value_text) const;
  [[nodiscard]] Figures simulate(const ValueToSimulate& value, std::size_t failure, std::uint32_t replication) const;
  [[nodiscard]] Trial judge_all(const std::string& value, const std::vector<Figures>& figures,
                                std::uint32_t replications) const;
  void judge_goal(Trial& trial, const std::vector<Figures>& figures, std::uint32_t replications) const;

  const FindText& text_;
  const Side& side_;
  const Space& space_;
  const Sources& texts_;
  std::vector<std::string> failures_;
  const std::function<void(std::size_t)>& progress_;
  std::map<std::string, Tried> tried_;  // by value
  std::size_t runs_ = 0;
};

}  // namespace spillway::sweep
