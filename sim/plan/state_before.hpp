// The state of hosts before a failure, as proxies were told, and the changes that restore it.
//
//   StateBefore before(scenario, at);
//   before.undone(EdsHealth{service, {{host, unhealthy}}});   // EdsHealth{service, {{host, what was told before}}}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/strong.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class StateBefore {
 public:
  // Follows the changes before `failure`. Reports to the clients of some zones count as reports to all.
  StateBefore(const scenario::Scenario& scenario, scenario::Nanoseconds failure);

  // Returns the change that undoes this one; nullopt if that is not known.
  [[nodiscard]] std::optional<scenario::Effect> undone(const scenario::Effect& effect) const;

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // service, host or locality

  [[nodiscard]] config::HealthStatus health_of(config::ServiceIndex service, config::HostIndex host) const;
  [[nodiscard]] std::uint32_t weight_of(config::ServiceIndex service, config::HostIndex host) const;
  [[nodiscard]] bool is_member(config::ServiceIndex service, config::HostIndex host) const;
  // Returns the host as its load assignment has it at the start.
  [[nodiscard]] const config::LbEndpoint& host_of(config::ServiceIndex service, config::HostIndex host) const;

  const scenario::Scenario& scenario_;
  std::map<Place, config::HealthStatus> health_;
  std::map<Place, std::uint32_t> weights_;
  std::map<Place, std::uint32_t> localities_;
  std::map<Place, bool> members_;
};

}  // namespace spillway::plan
