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

const Config* child_of(const Config& config) {
  return visit_policy(config, []<class Policy>(const auto& own) -> const Config* {
    if constexpr (HoldsPolicy<Policy>) {
      return &Policy::child(own).get().config;
    }
    return nullptr;
  });
}

const ConsistentHashingLbConfig* consistent_hashing(const Config& config) {
  if (const Config* const child = child_of(config)) {
    return consistent_hashing(*child);
  }
  return std::visit(
      [](const auto& own) -> const ConsistentHashingLbConfig* {
        if constexpr (requires { own.consistent_hashing_lb_config; }) {
          return &own.consistent_hashing_lb_config;
        }
        return nullptr;
      },
      config);
}

bool reads_active_requests(const Config& config) {
  if (const Config* const child = child_of(config)) {
    return reads_active_requests(*child);
  }
  if (const ConsistentHashingLbConfig* const hashing = consistent_hashing(config)) {
    return hashing->hash_balance_factor > 0;
  }
  return visit_policy(config, []<class Policy>(const auto&) {
    if constexpr (requires { Policy::reads_active_requests; }) {
      return Policy::reads_active_requests;
    }
    return false;
  });
}

}  // namespace spillway::envoy::policies
