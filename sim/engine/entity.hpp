// What a random stream belongs to, as a number: streams hang on names, so that something added to a scenario changes
// nobody else's draws.
//
//   entity("backend-1");                // an endpoint
//   entity("frontend", 3);              // the fourth client of an entry
//   entity("frontend", 3, "backend");   // its proxy's balancer of a service
#pragma once

#include <cstdint>
#include <string_view>

namespace spillway::engine {

[[nodiscard]] std::uint64_t entity(std::string_view name, std::uint64_t number = 0, std::string_view part = {});

}  // namespace spillway::engine
