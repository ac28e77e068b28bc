// The grammar of objectives and failures of a capacity plan in a scenario file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/topology.hpp"

namespace spillway::messages {

struct Objective {
  static constexpr const char* definition = "objective";
  Field<std::string> service;
  Field<grammar::ExactPercent> utilisation;
  Field<grammar::Nanoseconds> p50;
  Field<grammar::Nanoseconds> p90;
  Field<grammar::Nanoseconds> p95;
  Field<grammar::Nanoseconds> p99;
  Field<grammar::Nanoseconds> p999;
  Field<grammar::ExactPercent> error_share;
  Field<grammar::ExactPercent> cross_zone_share;
  Field<double> cross_zone_cost;
  Field<double> machine_cost;
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
  Field<grammar::ExactPercent> from;
  Field<grammar::ExactPercent> to;
  Field<grammar::ExactPercent> step;
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
  Field<grammar::ExactPercent> fails;
  Field<std::string> service;
  Field<std::string> zone;
  Field<std::size_t> clients;
  Field<std::size_t> reported;
};
void describe(Fields& fields, PlannedFailure& failure);

}  // namespace spillway::messages
