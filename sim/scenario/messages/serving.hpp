// The grammar of cores, queues and service times of nodes and endpoints in a scenario file.
#pragma once

#include <cstdint>
#include <vector>

#include "models/documents/grammar/shapes.hpp"

namespace spillway::messages {

using grammar::Field;
using grammar::Fields;

// A service time: `4ms`, or an object with its distribution.
struct ServiceTime {
  static constexpr const char* definition = "service_time";
  Field<grammar::Nanoseconds> mean;
  Field<std::size_t> distribution;  // as ServiceDistribution, without `empirical`
  Field<double> coefficient_of_variation;
  Field<std::vector<Field<grammar::Nanoseconds>>> empirical;
  Field<std::vector<Field<double>>> weights;
};
void describe(Fields& fields, ServiceTime& time);

struct ServiceTimeShape {
  using Value = ServiceTime;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// The keys that a node and an endpoint have in common.
struct Servers {
  Field<std::uint64_t> cores;
  Field<std::uint64_t> queue;
  Field<std::size_t> discipline;  // as Discipline
};
void describe_servers(Fields& fields, Servers& servers, const char* cores);

}  // namespace spillway::messages
