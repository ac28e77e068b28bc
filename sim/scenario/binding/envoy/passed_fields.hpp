// The fields and filters that a described request passes on its path to a cluster but that are not simulated. They may
// answer the request, or change the inputs of routing.
//
//   const PassedFields passed = passed_fields(entrance, chosen, true);
//   passed.notes;                              // "HTTP filter `envoy.filters.http.fault` lets the request pass"
//   unknown_choice(passed, route, services);   // "... may change `x-user`, which a hash policy reads"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::proxy {
struct ChosenRoute;  // route_choice.hpp
struct Entrance;     // route_tables.hpp
}  // namespace spillway::proxy

namespace spillway::scenario::envoy_binding {

// The parts of a request that one field or filter may write.
struct Writer {
  std::string who;                        // "HTTP filter `lua`"
  std::uint8_t parts = 0;                 // as in FieldEffect
  std::vector<std::string> headers = {};  // with `*` for any ending; empty means any header
};

struct PassedFields {
  std::vector<std::string> notes = {};
  std::vector<Writer> writers = {};
  // Headers that the choice of the route reads: of the routes up to the chosen one whose path takes the request.
  std::vector<std::string> route_reads = {};
};

// Returns the passed fields of a request as its routes see it. `source_known` is true if the address that
// use_remote_address appends to x-forwarded-for is known. Linear in the entrance's filters and in the routes of the
// virtual host.
[[nodiscard]] PassedFields passed_fields(const proxy::Entrance& entrance, const proxy::ChosenRoute& chosen,
                                         const envoy::routes::Request& request, bool source_known);
// Returns the passed fields of a TCP proxy.
[[nodiscard]] PassedFields passed_fields(const proxy::Entrance& entrance);

// Returns the reason why the destination of the request is unknown: something may be written before it is read. Empty
// if the destination is known. `services` are the possible destinations, with their members.
[[nodiscard]] std::string unknown_choice(const PassedFields& passed, const Route& route,
                                         const std::vector<const Service*>& services);

}  // namespace spillway::scenario::envoy_binding
