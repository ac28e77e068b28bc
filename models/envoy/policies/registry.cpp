#include "models/envoy/policies/registry.hpp"

#include <memory>
#include <utility>

namespace spillway::envoy::policies {

ChildPolicy::ChildPolicy(PolicyConfig config) : config_(std::make_shared<const PolicyConfig>(std::move(config))) {}

const PolicyConfig& ChildPolicy::get() const {
  static const PolicyConfig by_default{};
  return config_ == nullptr ? by_default : *config_;
}

bool operator==(const ChildPolicy& left, const ChildPolicy& right) {
  return left.config_ == right.config_ || left.get().config == right.get().config;
}

const ConsistentHashingLbConfig* consistent_hashing(const Config& config) {
  if (const auto* const ring = std::get_if<ring_hash::Config>(&config)) {
    return &ring->consistent_hashing_lb_config;
  }
  if (const auto* const table = std::get_if<maglev::Config>(&config)) {
    return &table->consistent_hashing_lb_config;
  }
  if (const auto* const subsets = std::get_if<subset::Config>(&config)) {
    return consistent_hashing(subsets->subset_lb_policy.get().config);
  }
  if (const auto* const override_host = std::get_if<override_host::Config>(&config)) {
    return consistent_hashing(override_host->fallback_policy.get().config);
  }
  return nullptr;
}

bool reads_active_requests(const Config& config) {
  if (const auto* const subsets = std::get_if<subset::Config>(&config)) {
    return reads_active_requests(subsets->subset_lb_policy.get().config);
  }
  if (const auto* const override_host = std::get_if<override_host::Config>(&config)) {
    return reads_active_requests(override_host->fallback_policy.get().config);
  }
  if (const ConsistentHashingLbConfig* const hashing = consistent_hashing(config)) {
    return hashing->hash_balance_factor > 0;
  }
  return std::visit(
      [](const auto& alternative) {
        using Policy = typename PolicyOf<std::decay_t<decltype(alternative)>>::type;
        if constexpr (requires { Policy::reads_active_requests; }) {
          return Policy::reads_active_requests;
        }
        return false;
      },
      config);
}

}  // namespace spillway::envoy::policies
