// Registers the policy ring hash: its names, and its fields in files, exports and explanations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/ring_hash/config.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies::ring_hash {

class Ring;  // ring_hash.hpp

// Returns why Envoy refuses the configuration; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const Config& config, Form form);

struct Policy {
  using Config = ring_hash::Config;
  using Table = Ring;
  static constexpr std::string_view name = "envoy.load_balancing_policies.ring_hash";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash";
  static constexpr message::Settings settings{"RING_HASH", 2, "ring_hash_lb_config",
                                              "envoy.config.cluster.v3.Cluster.RingHashLbConfig",
                                              "of lb_policy RING_HASH"};
  static constexpr Explained explained{"10.3", "ring_hash_lb.cc"};
  static constexpr auto refusal = &ring_hash::refusal;
  static constexpr std::uint64_t table_entries(const Config& config) {
    return std::min(config.minimum_ring_size, config.maximum_ring_size);
  }

  template <class Fields>
  static void describe_sizes(Fields& fields, Config& config) {
    fields.optional("minimum_ring_size", config.minimum_ring_size, message::Uint64{}, "points at least; default: 1024");
    fields.optional("maximum_ring_size", config.maximum_ring_size, message::Uint64{},
                    "points at most; default: 8388608");
  }
  template <class Fields>
  static void describe_settings(Fields& fields, Config& config) {
    fields.formerly("deprecated_v1", "hash_function");
    fields.formerly("use_std_hash", "hash_function");
    describe_sizes(fields, config);
    fields.optional("hash_function", config.hash_function, message::Choice{{"XX_HASH", "MURMUR_HASH_2"}},
                    "of the points; default: XX_HASH");
  }
  // Adds fields of the typed form only: the default hash function's name, and common settings in a deprecated place.
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    std::optional<std::size_t> function;
    std::optional<bool> use_hostname_for_hashing;
    std::optional<std::uint32_t> hash_balance_factor;
    std::optional<ConsistentHashingLbConfig> hashing;
    if (fields.writing()) {
      hashing = config.consistent_hashing_lb_config;
      if (config.hash_function) {
        function = static_cast<std::size_t>(*config.hash_function) + 1;
      }
    }
    fields.optional("hash_function", function, message::Choice{{"DEFAULT_HASH", "XX_HASH", "MURMUR_HASH_2"}, {}, 0},
                    "of the points; default: XX_HASH");
    describe_sizes(fields, config);
    fields.optional("use_hostname_for_hashing", use_hostname_for_hashing, message::Flag{},
                    "deprecated: that of consistent_hashing_lb_config");
    fields.optional("hash_balance_factor", hash_balance_factor, message::Uint32{},
                    "deprecated: that of consistent_hashing_lb_config");
    fields.optional("consistent_hashing_lb_config", hashing, message::Of<ConsistentHashingLbConfig>{},
                    "what hash policies have in common");
    fields.locality_weights();
    config.consistent_hashing_lb_config = hashing.value_or(
        ConsistentHashingLbConfig{use_hostname_for_hashing.value_or(false), hash_balance_factor.value_or(0)});
    if (function.value_or(0) > 0) {
      config.hash_function = static_cast<HashFunction>(*function - 1);
    }
  }
  template <class Release>
  static void in_release(Release& release, Config& config) {
    hashing_in_release(release, config.consistent_hashing_lb_config);
  }
};

}  // namespace spillway::envoy::policies::ring_hash
