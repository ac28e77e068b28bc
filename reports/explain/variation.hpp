// A client's state at one time, with inputs that can be changed, and the resulting share of a target.
//
//   Variation variation(scenario, question, target);
//   variation.share();                                    // now
//   for (const Input& input : inputs_of(variation, ...)) {
//     variation.turns(input);                             // the values at which the share starts or stops
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::explain {

// The rows of a result that the question is about.
struct Target {
  enum class Kind : std::uint8_t { zone, priority, endpoint };
  Kind kind = Kind::zone;
  std::string name = {};
  config::Priority priority = {};

  [[nodiscard]] bool has(const EndpointShare& row) const {
    switch (kind) {
      case Kind::zone:
        return row.zone == name;
      case Kind::priority:
        return row.priority == priority;
      case Kind::endpoint:
        break;
    }
    return row.endpoint == name;
  }
};

// A number in the configuration or the reported health that may be changed.
struct Input {
  std::string name = {};
  std::uint64_t now = 0;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::function<void(scenario::Scenario&, std::uint64_t)> set = {};  // with `now` it restores everything
  std::function<std::string(std::uint64_t)> text = {};
  std::string where = {};
};

class Variation {
 public:
  // Copies the scenario without other clients, since they do not affect this one.
  Variation(const scenario::Scenario& scenario, const Question& question, Target target);

  // Returns the target's share in the current state; nullopt if it has no closed form.
  [[nodiscard]] std::optional<double> share() const;
  // True if the target gets any traffic.
  [[nodiscard]] bool gets_anything() const;

  // Returns the nearest value above the current one, and the nearest below, at which the target starts or stops getting
  // traffic. O(log(most - least)) evaluations.
  [[nodiscard]] std::vector<Why::Turn> turns(const Input& input);

  [[nodiscard]] scenario::Scenario& scenario() noexcept { return scenario_; }
  [[nodiscard]] const scenario::Scenario& scenario() const noexcept { return scenario_; }
  [[nodiscard]] const Question& question() const noexcept { return question_; }
  [[nodiscard]] const Target& target() const noexcept { return target_; }

 private:
  [[nodiscard]] std::optional<double> share_at(const Input& input, std::uint64_t value);
  [[nodiscard]] bool gets_anything(const Input& input, std::uint64_t value);
  [[nodiscard]] std::optional<Why::Turn> turn_towards(const Input& input, std::uint64_t end, bool gets);

  scenario::Scenario scenario_;
  Question question_;
  Target target_;
};

}  // namespace spillway::reports::explain
