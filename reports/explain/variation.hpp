// One moment of one client in which inputs can be changed, and the share of a target computed anew.
//
//   Variation variation(scenario, question, target);
//   variation.share();                                    // now
//   for (const Input& input : inputs_of(variation, ...)) {
//     variation.turn(input);                              // where it turns, if anywhere
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

// Rows of a result that are asked about.
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

// A number that the configuration or the told health has, and that may be changed.
struct Input {
  std::string name = {};
  std::uint64_t now = 0;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::function<void(scenario::Scenario&, std::uint64_t)> set = {};  // with `now` it undoes everything
  std::function<std::string(std::uint64_t)> text = {};
  std::string where = {};
};

class Variation {
 public:
  // Other clients are left out, since none bears on what this one does.
  Variation(const scenario::Scenario& scenario, const Question& question, Target target);

  // Of the target, as things stand; none where there is no closed form.
  [[nodiscard]] std::optional<double> share() const;
  // Whether it gets any, however much that is.
  [[nodiscard]] bool gets_anything() const;

  // The nearest value above now's, and the nearest below, at which the target begins or ceases to get anything.
  // O(log(most - least)) moments.
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
