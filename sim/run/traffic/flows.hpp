// A flow is the traffic of the clients of one entry to one service. A client whose routes lead to several services has
// a flow, a table and a balancer for each.
//
//   Flows flows(scenario);
//   flows.at(flow).service;
//   for (FlowIndex flow : flows.of_client(entry)) { ... }
//
// Flows of a client to several Views of one service, as made by Kuma's traffic splits, are a group: they share one
// table.
#pragma once

#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

using FlowIndex = config::Strong<struct FlowIndexTag, std::uint32_t>;

struct Flow {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
};

class Flows {
  [[nodiscard]] static auto range(std::uint32_t begin, std::uint32_t end) noexcept {
    return std::views::iota(begin, end) | std::views::transform([](std::uint32_t index) { return FlowIndex{index}; });
  }

 public:
  explicit Flows(const scenario::Scenario& scenario);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(flows_.size()); }
  [[nodiscard]] const Flow& at(FlowIndex flow) const noexcept { return flows_[flow.value]; }

  // Flows in order: by client entry, then in the order of scenario::services_of.
  [[nodiscard]] auto all() const noexcept { return range(0, size()); }
  [[nodiscard]] auto of_client(config::ClientEntryIndex client) const noexcept {
    return range(begin_[client.value], begin_[client.value + 1]);
  }

  // leader() returns the first flow of the flow's group; group() returns all of it in order.
  [[nodiscard]] FlowIndex leader(FlowIndex flow) const noexcept { return leaders_[flow.value]; }
  [[nodiscard]] const std::vector<FlowIndex>& group(FlowIndex leader) const noexcept { return groups_[leader.value]; }

  // Returns the client's flow to the service. Precondition: the client requests the service.
  [[nodiscard]] FlowIndex find(config::ClientEntryIndex client, config::ServiceIndex service) const noexcept;

  // Returns the flow that a zone proxy forwards to a service. Precondition: the proxy forwards to the service.
  [[nodiscard]] FlowIndex of_zone_proxy(config::EndpointIndex proxy, config::ServiceIndex service) const noexcept {
    return find(zone_proxies_.find(proxy)->second, service);
  }

 private:
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> begin_;  // by client entry, and the end
  std::vector<FlowIndex> leaders_;
  std::vector<std::vector<FlowIndex>> groups_;  // empty except for leaders
  std::unordered_map<config::EndpointIndex, config::ClientEntryIndex> zone_proxies_;
};

}  // namespace spillway::run
