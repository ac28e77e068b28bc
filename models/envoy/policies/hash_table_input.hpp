// The input for building the table of a hash policy (ring hash, maglev).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy {

struct NormalizedHost;

namespace policies {

struct ResidueRange;  // pick_input.hpp

struct HashTableInput {
  std::span<const NormalizedHost> hosts;          // of one priority, from normalized_hosts(), in Envoy's order
  std::span<const config::LbEndpoint> endpoints;  // by HostIndex
  config::EnvoyProfile profile = config::EnvoyProfile::current;
};

// Returns the string hashed for a host in a ring or table: its metadata's `hash_key` if that is a text and not empty,
// else its hostname if `use_hostname`, else its address.
//
// Source: docs/behaviour/envoy-host-pick.md 10.1; Envoy's thread_aware_lb_impl.h (hashKey).
[[nodiscard]] inline const std::string& hash_key(const config::LbEndpoint& endpoint, bool use_hostname) noexcept {
  const config::Value* const given = endpoint.metadata.find("hash_key");
  const std::string* const text = given == nullptr ? nullptr : given->as_string();
  if (text != nullptr && !text->empty()) {
    return *text;
  }
  return use_hostname ? endpoint.hostname : endpoint.address;
}

// Returns the groups of hosts with equal keys. Envoy does not define the order in which such hosts are sorted. O(hosts)
// expected.
[[nodiscard]] std::vector<std::vector<config::HostIndex>> hosts_of_equal_keys(const HashTableInput& input,
                                                                              bool use_hostname);

// The host that a table has for a hash, and how the lookup found it.
struct HashPlace {
  config::HostIndex host;
  std::string words;  // "1234 % 65537", "point 3 of 1024, the first at or after the hash"
  std::optional<std::uint64_t> figure = std::nullopt;  // the value of `words` if they are a formula
};

// True if a host of the table before and a host of the table after are the same endpoint.
using SameHost = std::function<bool(config::HostIndex before, config::HostIndex after)>;

}  // namespace policies
}  // namespace spillway::envoy
