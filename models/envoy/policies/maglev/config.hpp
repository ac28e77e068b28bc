// The configuration of maglev.
#pragma once

#include <cstdint>

#include "models/envoy/policies/consistent_hashing_config.hpp"

namespace spillway::envoy::policies::maglev {

struct Config {
  std::uint64_t table_size = 65537;  // precondition: a prime above 1
  ConsistentHashingLbConfig consistent_hashing_lb_config = {};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::maglev
