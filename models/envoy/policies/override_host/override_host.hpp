// Override host (envoy.load_balancing_policies.override_host, alpha): a request names hosts by address. If it names
// none, the policy inside picks.
//
//   OverrideHosts named(config.override_host_sources, request);   // once per request
//   context.override_hosts = &named;
//   balancer.choose(draw, context);       // the first named host that exists; a retry gets the next one
//
// A named host is used whether healthy or not. Source: docs/behaviour/envoy-host-pick.md 13.1; Envoy's
// override_host/load_balancer.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/host_map.hpp"
#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/override_host/config.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::policies::override_host {

// The addresses that one request names, in the order of the sources. Each is used at most once.
class OverrideHosts {
 public:
  OverrideHosts() = default;
  OverrideHosts(std::span<const OverrideHostSource> sources, const routes::Request& request);

  // Returns the next named host that is in the cluster; nullopt if there is none, so that the fallback policy picks.
  [[nodiscard]] std::optional<config::HostIndex> next(const HostMap& hosts) noexcept;

 private:
  void append(std::string_view list);

  std::vector<std::string> addresses_;
  std::size_t used_ = 0;
};

}  // namespace spillway::envoy::policies::override_host
