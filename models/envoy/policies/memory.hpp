// The kinds of state on which picks depend.
#pragma once

#include <cstdint>

namespace spillway::envoy::policies {

// The state, in addition to new draws, on which a pick from a list of at least two hosts depends.
enum class Memory : std::uint8_t {
  none,
  cursor,     // a position that every pick advances
  in_flight,  // requests in flight
  scheduled,  // both, for lists of hosts with equal weights
  runs,       // one host many times in a row
};

}  // namespace spillway::envoy::policies
