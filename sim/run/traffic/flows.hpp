// Who asks whom: a flow is what the clients of one entry send to one service. A client that is sent to several services
// by its routes has a flow, a table and a balancer for each.
//
//   Flows flows(scenario);
//   flows.at(flow).service;
//   for (FlowIndex flow : flows.of_client(entry)) { ... }
//
// Flows of a client to several views of one service, as a split by Kuma makes them, are a group: they share one table.
#pragma once

#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

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

  // In order: by client entry, then in the order of scenario::services_of.
  [[nodiscard]] auto all() const noexcept { return range(0, size()); }
  [[nodiscard]] auto of_client(config::ClientEntryIndex client) const noexcept {
    return range(begin_[client.value], begin_[client.value + 1]);
  }

  // The first of the flow's group, and all of it in order.
  [[nodiscard]] FlowIndex leader(FlowIndex flow) const noexcept { return leaders_[flow.value]; }
  [[nodiscard]] const std::vector<FlowIndex>& group(FlowIndex leader) const noexcept { return groups_[leader.value]; }

  // The client must have such a flow.
  [[nodiscard]] FlowIndex find(config::ClientEntryIndex client, config::ServiceIndex service) const noexcept;

  // What a zone proxy sends on to a service. There must be such a flow.
  [[nodiscard]] FlowIndex of_zone_proxy(config::EndpointIndex proxy, config::ServiceIndex service) const noexcept {
    return find(zone_proxies_.find(proxy)->second, service);
  }

 private:
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> begin_;  // by client entry, and the end
  std::vector<FlowIndex> leaders_;
  std::vector<std::vector<FlowIndex>> groups_;  // empty but for leaders
  std::unordered_map<config::EndpointIndex, config::ClientEntryIndex> zone_proxies_;
};

}  // namespace spillway::run
