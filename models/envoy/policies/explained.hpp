// The sources for a policy's behaviour: a section of docs/behaviour/envoy-host-pick.md, and Envoy's source file.
#pragma once

#include <cstdint>

namespace spillway::envoy::policies {

struct ShareInput;  // pick_input.hpp

struct Explained {
  const char* section = nullptr;
  const char* code = nullptr;
};

// The state, in addition to new draws, on which a pick from a list of at least two hosts depends.
enum class Memory : std::uint8_t {
  none,
  cursor,     // a position that every pick advances
  in_flight,  // requests in flight
  scheduled,  // both, for lists of hosts with equal weights
  runs,       // one host many times in a row
};

}  // namespace spillway::envoy::policies
