// The grammar of values with durations: health timelines, "100% 10s, 80% 10s, 0%", and phases of a workload, "10rps
// 10s, 50rps".
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "models/documents/grammar/shapes.hpp"

namespace spillway::messages {

// An amount of a group of endpoints: a percentage, or a number.
using Amount = std::variant<grammar::ExactPercent, std::uint32_t>;

struct HealthStep {
  Amount amount;
  grammar::Nanoseconds lasts{0};  // 0 for the last step: it lasts to the end
};

// One or more `<amount> <duration>`, separated by commas; the last duration may be left out. An amount is "70%" or a
// number of endpoints. A single amount may be written as a plain number.
struct HealthSteps {
  using Value = std::vector<HealthStep>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A rate that is constant, or grows or falls linearly to another one: "10rps 10s, 10rps-50rps 20s, 0rps".
struct Phase {
  double rate = 0.0;
  double to = 0.0;                // at its end; equal to `rate` unless it is a ramp
  grammar::Nanoseconds lasts{0};  // 0 for the last phase: it lasts to the end
};

struct PhaseSteps {
  using Value = std::vector<Phase>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A single amount: "60%" or 6.
struct AmountShape {
  using Value = Amount;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::messages
