// The configuration of ring hash.
#pragma once

#include <cstdint>
#include <optional>

#include "models/envoy/policies/consistent_hashing_config.hpp"

namespace spillway::envoy::policies::ring_hash {

enum class HashFunction : std::uint8_t { xx_hash, murmur_hash_2 };

struct Config {
  std::optional<HashFunction> hash_function = std::nullopt;  // default: xx_hash; murmur_hash_2 in the seed profile
  std::uint64_t minimum_ring_size = 1024;
  std::uint64_t maximum_ring_size = 8388608;
  ConsistentHashingLbConfig consistent_hashing_lb_config = {};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::ring_hash
