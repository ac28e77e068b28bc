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
  const auto comes_before = [&](std::uint32_t left, std::uint32_t right) {
    return block(left) != block(right) ? block(left) < block(right) : left < right;
  };
  // Priorities usually come in order.
  if (!std::is_sorted(order.begin(), order.end(), comes_before)) {
    std::sort(order.begin(), order.end(), comes_before);
  }
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

// Adds the targets behind a zone proxy that forwards to `service`. `next` has all but their endpoint, and the way
// there.
void add_behind(const scenario::Scenario& scenario, config::ServiceIndex service, Target& next,
                std::vector<Target>& targets) {
  scenario::for_each_member(scenario, service, [&](config::ServiceIndex member) {
    for (const scenario::Host& host : scenario.services[member.value].hosts) {
      if (host.forwards_to) {
        next.via.push_back(host.endpoint);
        add_behind(scenario, *host.forwards_to, next, targets);
        next.via.pop_back();
      }
      next.endpoint = host.endpoint;
      next.ends_at_zone_proxy = host.forwards_to.has_value();
      targets.push_back(next);
      next.first_of_host = false;
    }
  });
}

}  // namespace

const scenario::Endpoint& Target::endpoint_in(const scenario::Scenario& scenario) const {
  return scenario.endpoints[endpoint.value];
}

Targets::Targets(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::uint32_t hosts = 0;
  std::size_t expected = 0;
  scenario::for_each_member(scenario, service, [&](config::ServiceIndex member) {
    expected += scenario.services[member.value].hosts.size();
  });
  targets_.reserve(expected);
  host_begin_.reserve(expected);
  scenario::for_each_member(scenario, service, [&](config::ServiceIndex member) {
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
          target.on_connection = !cluster.connection_per_request;
          target.via = {of.endpoint};
          add_behind(scenario, *of.forwards_to, target, targets_);
          target.via.clear();
          target.endpoint = of.endpoint;
          target.ends_at_zone_proxy = true;
        }
        targets_.push_back(std::move(target));
      }
    }
  });
  // A zone proxy with no endpoint to forward to also has a single target.
  if (std::none_of(targets_.begin(), targets_.end(), [](const Target& target) { return target.forwarded(); })) {
    host_begin_.clear();
  }
  rows_ = rows_in_order(targets_);
}

}  // namespace spillway::run
