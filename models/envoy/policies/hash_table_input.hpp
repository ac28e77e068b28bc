// The input from which the table of a hash policy (ring hash, maglev) is built.
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

struct HashTableInput {
  std::span<const NormalizedHost> hosts;          // normalized_hosts(): one priority's, in Envoy's order
  std::span<const config::LbEndpoint> endpoints;  // by HostIndex
  config::EnvoyProfile profile = config::EnvoyProfile::current;
};

// The string that stands for a host in a ring or table: the text at hash_key of its metadata, or its hostname if that
// is asked for and there is one, or its address.
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

// The hosts that have a key in common with others, key by key. Envoy sorts what hosts of equal keys own in an order
// that it leaves open. O(hosts) expected.
[[nodiscard]] std::vector<std::vector<config::HostIndex>> hosts_of_equal_keys(const HashTableInput& input,
                                                                              bool use_hostname);

// Where a hash is looked up in a table, and why there.
struct HashPlace {
  config::HostIndex host;
  std::string words;  // "1234 % 65537", "point 3 of 1024, the first at or after the hash"
  std::optional<std::uint64_t> figure = std::nullopt;  // what the words come to, if they are a formula
};

// True if a host of one table is the same endpoint as a host of another.
using SameHost = std::function<bool(config::HostIndex before, config::HostIndex after)>;

}  // namespace policies
}  // namespace spillway::envoy
