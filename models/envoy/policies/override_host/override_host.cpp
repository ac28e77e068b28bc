#include "models/envoy/policies/override_host/override_host.hpp"

#include <algorithm>

#include "models/config/trimmed.hpp"
#include "models/envoy/policies/override_host/policy.hpp"

namespace spillway::envoy::policies::override_host {

OverrideHosts::OverrideHosts(std::span<const OverrideHostSource> sources, const routes::Request& request) {
  for (const OverrideHostSource& source : sources) {
    if (!source.header.empty()) {
      if (const std::string* const value = routes::first_value(request, source.header)) {
        append(*value);
      }
    } else if (source.metadata) {
      const config::Value* const value = request.dynamic_metadata.find(*source.metadata);
      if (const std::string* const text = value == nullptr ? nullptr : value->as_string()) {
        append(*text);
      }
    }
  }
}

void OverrideHosts::append(std::string_view list) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (const std::string_view item = config::trimmed(list.substr(begin, end - begin), config::white_space);
        !item.empty()) {
      addresses_.emplace_back(item);
    }
    begin = end + 1;
  }
}

std::optional<config::HostIndex> OverrideHosts::next(const HostMap& hosts) noexcept {
  while (used_ < addresses_.size()) {
    if (const auto host = hosts.find(addresses_[used_++])) {
      return host;
    }
  }
  return std::nullopt;
}

Refusal refusal(const Config& config, const FoundChild& fallback) {
  if (config.override_host_sources.empty()) {
    return config::out_of_bounds("", "override_host_sources", "value must contain at least 1 item(s)");
  }
  if (!fallback.written) {
    return config::out_of_bounds("", "fallback_policy", "value is required");
  }
  if (!fallback.known && fallback.readable) {
    return Reason{"dynamic forwarding LB: didn't find a registered fallback load balancer factory with names from " +
                      joined_names(fallback.names),
                  {"fallback_policy.policies.0.typed_extension_config.name"}};
  }
  for (std::size_t i = 0; i < config.override_host_sources.size(); ++i) {
    const OverrideHostSource& source = config.override_host_sources[i];
    if (source.header.empty() != source.metadata.has_value()) {
      return Reason{source.metadata ? "Only one override source must be set" : "Empty override source",
                    {"override_host_sources." + std::to_string(i)}};
    }
  }
  return std::nullopt;
}

}  // namespace spillway::envoy::policies::override_host
