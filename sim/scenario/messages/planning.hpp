// The grammar of objectives and failures of a capacity plan in a scenario file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/topology.hpp"
#include "sim/scenario/planning.hpp"

namespace spillway::messages {

// A percentage, `70%`, as a fraction.
struct FractionText {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct Objective {
  static constexpr const char* definition = "objective";
  Field<std::string> service;
  scenario::Objective bounds;
};
void describe(Fields& fields, Objective& objective);

struct LostPart {
  static constexpr const char* definition = "lost";
  Field<std::string> zone;
  Field<std::string> node;
  FieldList<std::string> endpoints;
};
void describe(Fields& fields, LostPart& part);

struct DegradedSweep {
  static constexpr const char* definition = "degraded_sweep";
  Field<double> from;
  Field<double> to;
  Field<double> step;
};
void describe(Fields& fields, DegradedSweep& sweep);

// `5x`, or the number 5.
struct TimesText {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct PlannedFailure {
  static constexpr const char* definition = "failure";
  Field<std::string> name;
  Field<std::size_t> each;
  Field<std::uint64_t> any;
  Field<std::size_t> of;
  FieldList<LostPart> together;
  Field<DegradedSweep> degraded;
  Field<double> slow;
  Field<double> fails;
  Field<std::string> service;
  Field<std::string> zone;
  Field<std::size_t> clients;
  Field<std::size_t> reported;
};
void describe(Fields& fields, PlannedFailure& failure);

}  // namespace spillway::messages
