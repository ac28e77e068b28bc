// The grammar of a client's requests in a scenario file: to a named service, or routed by `routes`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/health_steps.hpp"
#include "sim/scenario/messages/serving.hpp"
#include "sim/scenario/messages/topology.hpp"

namespace spillway::messages {

inline constexpr std::uint64_t most_kinds = 1'000'000;

// The value of a header, or a list of values: the header then occurs several times.
struct HeaderValues {
  using Value = std::vector<std::string>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

using Headers = grammar::MapOf<HeaderValues>;

// The exponent of a popularity: "uniform", or "zipf 1.1", by which the key of rank r is requested in proportion to r to
// the power of -1.1.
struct Popularity {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A number of kinds of requests that differ in one value.
struct Keys {
  static constexpr const char* definition = "keys";
  Field<std::string> header;
  Field<std::string> cookie;
  Field<std::string> query_parameter;
  Field<bool> source_address;
  Field<std::uint64_t> count;
  Field<double> popularity;
  Field<std::string> prefix;
};
void describe(Fields& fields, Keys& keys);

// A kind of requests.
struct RequestKind {
  static constexpr const char* definition = "request";
  Field<std::string> name;
  Field<double> weight;
  Field<Headers::Value> headers;
  Field<std::string> path;
  Field<std::string> source_address;
  Field<std::string> destination_address;
};
void describe(Fields& fields, RequestKind& kind);

struct Workload {
  static constexpr const char* definition = "workload";
  Field<std::string> service;
  Field<double> rate;
  Field<std::vector<Phase>> phases;
  Field<std::size_t> arrivals;
  Field<std::string> trace;
  Field<std::uint64_t> users;
  Field<ServiceTime> think_time;
  Field<Headers::Value> headers;
  Field<std::string> path;
  Field<std::string> source_address;
  Field<std::string> destination_address;
  Field<Keys> keys;
  FieldList<RequestKind> requests;
  Field<std::uint64_t> request_bytes;
  Field<std::uint64_t> response_bytes;
};
void describe(Fields& fields, Workload& workload);

// Describes sizes, for traffic between zones.
void describe_bytes(Fields& fields, Field<std::uint64_t>& request, Field<std::uint64_t>& response,
                    const char* of_request, const char* of_response);

}  // namespace spillway::messages
