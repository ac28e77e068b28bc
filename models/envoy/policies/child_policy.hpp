// The policy inside another one: of every subset, or of the picks that no override decides.
//
//   ChildPolicy child(ring_hash::Config{});    // by registry.hpp, which knows all policies
#pragma once

#include <memory>

namespace spillway::envoy::policies {

struct PolicyConfig;  // registry.hpp: the variant of all configurations in a box, since it contains this class

class ChildPolicy {
 public:
  ChildPolicy() = default;  // the registry's first policy, round robin
  explicit ChildPolicy(PolicyConfig config);

  [[nodiscard]] const PolicyConfig& get() const;

  friend bool operator==(const ChildPolicy& left, const ChildPolicy& right);

 private:
  std::shared_ptr<const PolicyConfig> config_;
};

}  // namespace spillway::envoy::policies
