// The effects on requests of fields of listeners, connection managers, route configurations, virtual hosts and filters.
// They form one data table. A field that is not listed may have any effect.
#pragma once

#include <cstdint>
#include <string_view>

namespace spillway::proxy {

enum class Effect : std::uint8_t {
  simulated,
  none,     // no influence on where a request goes
  answers,  // may answer the request, so that no cluster gets it
  changes,  // may change what hashes, subsets, sessions or routes read
  both
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
  // Filters only: keys of which one must be in the configuration for the filter to act. If empty, it always acts.
  std::string_view needs = {};
};

enum class Message : std::uint8_t {
  listener,
  filter_chain,
  listener_filter,
  network_filter,
  connection_manager,
  http_options,
  route_configuration,
  virtual_host,
  http_filter
};

// Returns the effect of a field; for an unknown field `both`, with anything. `name`: of a filter, the type of its
// configuration. Linear in the table.
[[nodiscard]] FieldEffect effect_of(Message message, std::string_view name);

}  // namespace spillway::proxy
