// Override host (envoy.load_balancing_policies.override_host, alpha): the request names hosts by address, and a policy
// of its own picks where it names none.
//
//   OverrideHosts named(config.override_host_sources, request);   // once per request
//   context.override_hosts = &named;
//   balancer.choose(draw, context);       // the first named host that exists; a retry gets the next one
//
// Whether a named host is healthy is not asked. Source: docs/behaviour/envoy-host-pick.md 13.1; Envoy's
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
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::policies::override_host {

// Exactly one of the two. Metadata is a string of the request's dynamic metadata; its first key on the path stands for
// the whole path.
struct OverrideHostSource {
  std::string header = {};
  std::optional<std::string> metadata = std::nullopt;

  using DescribesItself = void;
  static constexpr const char* definition = "OverrideHost.OverrideHostSource";
  template <class Fields>
  static void describe(Fields& fields, OverrideHostSource& source) {
    fields.optional("header", source.header, message::Text{}, "a header that names hosts");
    fields.optional("metadata", source.metadata, message::MetadataKey{}, "metadata that names hosts");
  }

  friend bool operator==(const OverrideHostSource&, const OverrideHostSource&) = default;
};

struct Config {
  std::vector<OverrideHostSource> override_host_sources = {};
  ChildPolicy fallback_policy = {};

  friend bool operator==(const Config&, const Config&) = default;
};

// The addresses that one request names, in the order of the sources; each is used up by the pick that looks at it.
class OverrideHosts {
 public:
  OverrideHosts() = default;
  OverrideHosts(std::span<const OverrideHostSource> sources, const routes::Request& request);

  // The next named host that is in the cluster; none: the fallback policy picks.
  [[nodiscard]] std::optional<config::HostIndex> next(const HostMap& hosts) noexcept;

 private:
  void append(std::string_view list);

  std::vector<std::string> addresses_;
  std::size_t used_ = 0;
};

// Why Envoy refuses it.
[[nodiscard]] Refusal refusal(const Config& config, const FoundChild& fallback);

struct Policy {
  using Config = override_host::Config;
  struct PickState {};  // a client keeps a balancer of the fallback policy (load_balancer.hpp)
  static constexpr std::string_view name = "envoy.load_balancing_policies.override_host";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost";
  static constexpr Explained explained{"13", "override_host/load_balancer.cc"};
  static constexpr auto refusal = &override_host::refusal;
  static const ChildPolicy& child(const Config& config) { return config.fallback_policy; }
  static ChildPolicy& child(Config& config) { return config.fallback_policy; }

  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.optional("override_host_sources", config.override_host_sources, message::ListOf<OverrideHostSource>{},
                    "where a request names its hosts, in this order");
    fields.child("fallback_policy", config.fallback_policy, message::Needed::no, "of requests that name none");
    fields.not_simulated("selected_host_key", "metadata that filters read is not supported");
  }
  template <class Release>
  static void in_release(Release& release, Config&) {
    release.refuse(true, 35, "the policy override_host");
  }
};

}  // namespace spillway::envoy::policies::override_host
