#include "models/envoy/policies/hash_table_input.hpp"

#include <string_view>
#include <unordered_map>

#include "models/envoy/hash_balancer.hpp"

namespace spillway::envoy::policies {

std::vector<std::vector<config::HostIndex>> hosts_of_equal_keys(const HashTableInput& input, bool use_hostname) {
  struct Of {
    config::HostIndex first;
    std::size_t group = SIZE_MAX;  // set when a second host has the key
  };
  std::unordered_map<std::string_view, Of> known;
  known.reserve(input.hosts.size());
  std::vector<std::vector<config::HostIndex>> groups;
  for (const NormalizedHost& host : input.hosts) {
    const auto [found, fresh] =
        known.try_emplace(hash_key(input.endpoints[host.host.value], use_hostname), Of{host.host});
    if (fresh) {
      continue;
    }
    Of& of = found->second;
    if (of.group == SIZE_MAX) {
      of.group = groups.size();
      groups.push_back({of.first});
    }
    groups[of.group].push_back(host.host);
  }
  return groups;
}

Refusal refusal(const ConsistentHashingLbConfig& config, Form form) {
  constexpr std::uint32_t least_factor = 100;
  return form == Form::legacy && config.hash_balance_factor != 0 && config.hash_balance_factor < least_factor
             ? Refusal(at_least("hash_balance_factor", least_factor))
             : std::nullopt;
}

}  // namespace spillway::envoy::policies
