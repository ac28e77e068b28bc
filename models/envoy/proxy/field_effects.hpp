// What fields of listeners, connection managers, route configurations and virtual hosts, and filters do to a request.
// One table, as data; what is not in it may do anything.
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

// What `changes` may write; several together.
namespace part {
inline constexpr std::uint8_t nothing = 0;
inline constexpr std::uint8_t headers = 1;
inline constexpr std::uint8_t source = 2;          // the address that the request comes from
inline constexpr std::uint8_t metadata = 4;        // dynamic metadata, which subsets read
inline constexpr std::uint8_t filter_state = 8;    // which hash policies read
inline constexpr std::uint8_t route = 16;          // before the route is chosen, or the route is chosen anew
inline constexpr std::uint8_t after_filters = 32;  // after the filters: sessions do not see it
inline constexpr std::uint8_t anything = headers | source | metadata | filter_state | route;
}  // namespace part

struct FieldEffect {
  std::string_view name;
  Effect effect = Effect::both;
  std::uint8_t parts = part::anything;
  // Names of the headers that it may write, parted by commas, `*` at the end for any ending; empty: any header.
  std::string_view written = {};
  // Of filters: without any of these keys in its configuration it does nothing; empty: it always acts.
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

// Of an unknown field: both, with anything. Linear in the table. `name`: of a filter the type of its configuration.
[[nodiscard]] FieldEffect effect_of(Message message, std::string_view name);

}  // namespace spillway::proxy
