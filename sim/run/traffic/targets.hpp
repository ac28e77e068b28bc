// The numbered endpoints at which a service's requests can end: those of its own hosts, or of an aggregate cluster's
// children. A host that is a zone proxy is followed by the endpoints that it forwards to. The last target is the proxy
// itself: requests end there if it has no endpoints.
//
//   Targets targets(scenario, service);
//   targets.index_of(pick.child, pick.host);                        // index of the host, or of its first endpoint
//   scenario.endpoints[targets.at(index).endpoint.value].id;        // and back
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Target {
  std::uint32_t child = 0;       // position in an aggregate's list, 0 for a plain cluster
  config::ServiceIndex service;  // the service of the host, or of the endpoint behind it
  config::HostIndex host;
  config::Priority priority;
  config::EndpointIndex endpoint;               // the endpoint that answers
  std::vector<config::EndpointIndex> via = {};  // zone proxies in between, in their order
  bool first_of_host = true;
  bool ends_at_zone_proxy = false;  // the zone proxy has no endpoint to forward to
  // The host is a zone proxy, and a client's requests share a connection to it, which leads to one endpoint.
  bool on_connection = false;

  // True if the host is a zone proxy.
  [[nodiscard]] bool forwarded() const noexcept { return ends_at_zone_proxy || !via.empty(); }
  [[nodiscard]] const scenario::Endpoint& endpoint_in(const scenario::Scenario& scenario) const;
};

class Targets {
 public:
  // Precondition: zone proxies do not forward in cycles.
  Targets(const scenario::Scenario& scenario, config::ServiceIndex service);

  [[nodiscard]] std::uint32_t index_of(std::uint32_t child, config::HostIndex host) const noexcept {
    const std::uint32_t position = child_begin_[child] + host.value;
    return host_begin_.empty() ? position : host_begin_[position];
  }
  [[nodiscard]] const Target& at(std::uint32_t index) const noexcept { return targets_[index]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(targets_.size()); }

  // Returns rows of shares (engine::row_of) in output order: by child, priority, availability, target.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const noexcept { return rows_; }

  // True if any host is a zone proxy.
  [[nodiscard]] bool forwarded() const noexcept { return !host_begin_.empty(); }

 private:
  std::vector<std::uint32_t> child_begin_;  // by child: the first of its hosts, counted over all children
  std::vector<std::uint32_t> host_begin_;   // by host, over all children: its first target; empty if equal
  std::vector<Target> targets_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace spillway::run
