// Finds the policy items that a conf was merged from, and their places in the file.
//
//   PolicyTrails trails(policies);
//   scenario.clients[0].policy_trails.push_back(trails.of(confs, view, client));
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::kuma {
struct Client;       // client.hpp
struct PolicyConf;   // policy_conf.hpp
struct PolicyTrail;  // policy_trail.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {

struct ClusterConfs;  // policies.hpp
struct Policies;      // policies.hpp

class PolicyTrails {
 public:
  // Lifetime: the policies must outlive this object.
  explicit PolicyTrails(const Policies& policies) : policies_(&policies) {}

  // Returns the trail of a client. Clients with the same merged items share the result. Linear in the items and the
  // fields that they set.
  [[nodiscard]] kuma::PolicyTrail of(const ClusterConfs& confs, config::ServiceIndex view, const kuma::Client& client);

 private:
  const Policies* policies_;
  std::map<std::vector<std::pair<std::size_t, std::size_t>>, std::shared_ptr<const kuma::PolicyConf>>
      known_;  // by origins
};

}  // namespace spillway::scenario::kuma_binding
