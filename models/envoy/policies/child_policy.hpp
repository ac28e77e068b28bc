// The policy inside another one: it picks within each subset, or whenever no override names a host.
//
//   ChildPolicy child(ring_hash::Config{});    // needs policy_config.hpp
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
  bool written = false;                  // the field is written
  bool readable = true;                  // the field has the right type
  bool known = false;                    // Envoy knows one of the listed policies
  std::vector<std::string> names = {};   // of the listed policies
  const PolicyConfig* policy = nullptr;  // null if none of them is supported
};

}  // namespace spillway::envoy::policies
