// The policy inside another one: of every subset, or of the picks that no override decides.
//
//   ChildPolicy child(ring_hash::Config{});    // by policy_config.hpp, which knows all configurations
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies {

struct PolicyConfig;  // policy_config.hpp: the variant of all configurations in a box, since it contains this class

class ChildPolicy {
 public:
  ChildPolicy() = default;  // the registry's first policy, round robin
  explicit ChildPolicy(PolicyConfig config);

  [[nodiscard]] const PolicyConfig& get() const;

  friend bool operator==(const ChildPolicy& left, const ChildPolicy& right);

 private:
  std::shared_ptr<const PolicyConfig> config_;
};

// The parse result of a policy inside another policy.
struct FoundChild {
  bool written = false;                  // its field is there
  bool readable = true;                  // and of the right kind
  bool known = false;                    // one of the policies that it lists is Envoy's
  std::vector<std::string> names = {};   // of those
  const PolicyConfig* policy = nullptr;  // null: none of them is supported
};

}  // namespace spillway::envoy::policies
