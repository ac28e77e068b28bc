#include "sim/run/traffic/targets.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "sim/engine/epoch_record.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {
namespace {

// Returns rows of shares (engine::row_of) by child, priority, availability, target.
std::vector<std::uint32_t> rows_in_order(const std::vector<Target>& targets) {
  std::vector<std::uint32_t> order(targets.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto block = [&](std::uint32_t target) { return std::tie(targets[target].child, targets[target].priority); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return block(left) != block(right) ? block(left) < block(right) : left < right;
  });
  std::vector<std::uint32_t> rows;
  rows.reserve(order.size() * engine::availabilities);
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end =
        std::find_if(begin, order.end(), [&](std::uint32_t target) { return block(target) != block(*begin); });
    for (std::uint32_t availability = 0; availability < engine::availabilities; ++availability) {
      std::transform(begin, end, std::back_inserter(rows),
                     [&](std::uint32_t target) { return target * engine::availabilities + availability; });
    }
    begin = end;
  }
  return rows;
}

}  // namespace

const scenario::Endpoint& Target::endpoint_in(const scenario::Scenario& scenario) const {
  return scenario.endpoints[endpoint.value];
}

Targets::Targets(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::uint32_t hosts = 0;
  std::size_t expected = 0;
  for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
    expected += scenario.services[member.value].hosts.size();
  }
  targets_.reserve(expected);
  host_begin_.reserve(expected);
  for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
    const auto child = static_cast<std::uint32_t>(child_begin_.size());
    const scenario::Service& cluster = scenario.services[member.value];
    child_begin_.push_back(hosts);
    config::HostIndex host{0};
    for (const config::LocalityLbEndpoints& group : cluster.load_assignment.endpoints) {
      for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host.value, ++hosts) {
        host_begin_.push_back(size());
        const scenario::Host& of = cluster.hosts[host.value];
        Target target{child, member, host, group.priority, of.endpoint};
        if (of.forwards_to) {
          target.ends_at_zone_proxy = true;
          target.on_connection = !cluster.connection_per_request;
          const Targets behind(scenario, *of.forwards_to);
          for (Target further : behind.targets_) {
            further.via.insert(further.via.begin(), of.endpoint);
            targets_.push_back({child, member, host, group.priority, further.endpoint, std::move(further.via),
                                target.first_of_host, further.ends_at_zone_proxy, target.on_connection});
            target.first_of_host = false;
          }
        }
        targets_.push_back(std::move(target));
      }
    }
  }
  // A zone proxy with no endpoint to forward to also has a single target.
  if (std::none_of(targets_.begin(), targets_.end(), [](const Target& target) { return target.forwarded(); })) {
    host_begin_.clear();
  }
  rows_ = rows_in_order(targets_);
}

}  // namespace spillway::run
