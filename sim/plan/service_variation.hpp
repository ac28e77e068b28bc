// Variation of an endpoint's service times.
#pragma once

namespace spillway::scenario {
struct Endpoint;  // endpoint.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

// Returns one plus the squared coefficient of variation.
[[nodiscard]] double one_and_squared_variation(const scenario::Endpoint& endpoint);

}  // namespace spillway::plan
