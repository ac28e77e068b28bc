// The tables of the hash policies, as complete types.
#pragma once

#include <variant>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/policies/bounded_load.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"

namespace spillway::envoy::policies {

// The table of one priority under a hash policy, and its bound on loads.
struct HashTable {
  std::variant<ring_hash::Ring, maglev::Table> table;
  BoundedLoad bounded_load;                               // also stores the hosts
  std::vector<std::vector<config::HostIndex>> ties = {};  // hosts with equal keys; Envoy does not define their order
};

}  // namespace spillway::envoy::policies
