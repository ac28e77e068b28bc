// What a described request passes on its way to a cluster that is not simulated: fields and filters that may answer it,
// or change what decides where it goes.
//
//   const PassedFields passed = passed_fields(entrance, chosen, *listener);
//   passed.notes;                                      // "HTTP filter `envoy.filters.http.fault` lets the request
//   pass" unknown_choice(passed, {.route = &route, ...});    // "... may change `x-user`, which a hash policy reads"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::proxy {
struct ChosenRoute;  // route_choice.hpp
struct Entrance;     // route_tables.hpp
}  // namespace spillway::proxy

namespace spillway::scenario {
struct Route;    // route.hpp
struct Service;  // service.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::envoy_binding {

// What one field or filter may write.
struct Writer {
  std::string who;                        // "HTTP filter `lua`"
  std::uint8_t parts = 0;                 // as in FieldEffect
  std::vector<std::string> headers = {};  // with `*` for any ending; empty: any header
};

struct PassedFields {
  std::vector<std::string> notes = {};
  std::vector<Writer> writers = {};
  // What the choice of the route reads, where there is another one to choose: headers.
  std::vector<std::string> route_reads = {};
};

// Linear in the entrance's filters and in the routes of the virtual host. `source_known`: whether the address is known
// that use_remote_address appends to x-forwarded-for.
[[nodiscard]] PassedFields passed_fields(const proxy::Entrance& entrance, const proxy::ChosenRoute& chosen,
                                         bool source_known);
// Of a TCP proxy.
[[nodiscard]] PassedFields passed_fields(const proxy::Entrance& entrance);

// Why it is not known where the request goes: what may be written before something reads it. Empty if it is known.
// `services`: those that it may go to, with their members.
[[nodiscard]] std::string unknown_choice(const PassedFields& passed, const Route& route,
                                         const std::vector<const Service*>& services);

}  // namespace spillway::scenario::envoy_binding
