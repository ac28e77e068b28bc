// The kinds of memory that picks have.
#pragma once

#include <cstdint>

namespace spillway::envoy::policies {

// The state, besides fresh draws, that a pick from a list of at least two hosts depends on.
enum class Memory : std::uint8_t {
  none,
  cursor,     // a turn that every pick moves on
  in_flight,  // requests in flight
  scheduled,  // both, where hosts have equal weights
  runs,       // one host many times in a row
};

}  // namespace spillway::envoy::policies
