// The effects of fields of Envoy's messages on the simulation, from the data file field_effects.txt: simulated, without
// influence, refused, or what they may do to a request.
//
//   api::effect_of("envoy.config.route.v3.VirtualHost", "cors").effect;    // Effect::none
//   api::describe_idle_fields(fields, "envoy.config.cluster.v3.Cluster");  // in the description of a message
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/documents/grammar/fields.hpp"
#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {

enum class Effect : std::uint8_t {
  simulated,
  none,     // no influence on where a request goes
  answers,  // may answer the request, so that no cluster gets it
  changes,  // may change what hashes, subsets, sessions or routes read
  both,
  unsupported  // refused
};

// The parts of a request that a `changes` effect may write, as a bit set.
namespace part {
inline constexpr std::uint8_t nothing = 0;
inline constexpr std::uint8_t headers = 1;
inline constexpr std::uint8_t source = 2;          // the source address
inline constexpr std::uint8_t metadata = 4;        // dynamic metadata, which subsets read
inline constexpr std::uint8_t filter_state = 8;    // read by hash policies
inline constexpr std::uint8_t route = 16;          // before the route is chosen, or causes a new choice
inline constexpr std::uint8_t after_filters = 32;  // after the filters, so sessions do not see it
inline constexpr std::uint8_t anything = headers | source | metadata | filter_state | route;
}  // namespace part

struct FieldEffect {
  std::string_view name;
  Effect effect = Effect::both;
  std::uint8_t parts = part::anything;
  // Names of headers that it may write, separated by commas; a trailing `*` matches any ending. Any header if empty.
  std::string_view written = {};
  // Filters only: keys, separated by commas, of which one must be in the configuration for the filter to act. If empty,
  // it always acts.
  std::string_view needs = {};
};

// The filters of each kind are listed by the type of their configuration.
inline constexpr std::string_view listener_filters = "listener_filters";
inline constexpr std::string_view network_filters = "network_filters";
inline constexpr std::string_view http_filters = "http_filters";

// Returns the effect of a field; for an unknown field `both`, with anything. `message`: its full name, or a kind of
// filters, where `name` is a type. Linear in the message's lines.
[[nodiscard]] FieldEffect effect_of(std::string_view message, std::string_view name);

// Returns all lines of a message, in order.
[[nodiscard]] const std::vector<FieldEffect>& effects_of(std::string_view message);

// Adds the fields of a message that have no influence, whose values are checked against the tables, and those that are
// refused. Precondition: the tables have the message and its fields.
void describe_idle_fields(grammar::Fields& fields, std::string_view message);

// The shape of a field that is checked against the tables and not read. Its JSON Schema accepts any value.
struct TableField {
  using Value = bool;  // true once it is written
  const ApiField* field = nullptr;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Returns the shape of a field. Precondition: the tables have it.
[[nodiscard]] TableField table_field(std::string_view message, std::string_view field);

}  // namespace spillway::api
