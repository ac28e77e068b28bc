// The owner of a random stream, as a number. Streams depend on names, so that adding something to a scenario changes no
// other draws.
//
//   entity("backend-1");                // an endpoint
//   entity("frontend", 3);              // the fourth client of an entry
//   entity("frontend", 3, "backend");   // its proxy's balancer of a service
//   worker_of(proxy, 1);                // the balancer of its second worker; that of the first one is the proxy's
#pragma once

#include <cstdint>
#include <string_view>

namespace spillway::engine {

[[nodiscard]] std::uint64_t entity(std::string_view name, std::uint64_t number = 0, std::string_view part = {});
[[nodiscard]] std::uint64_t worker_of(std::uint64_t proxy, std::uint64_t worker);

}  // namespace spillway::engine
