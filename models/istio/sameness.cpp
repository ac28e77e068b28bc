#include "models/istio/sameness.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/istio/virtual_service.hpp"

namespace spillway::istio {

namespace {

// Returns the fields of a struct. Structured bindings fail to compile if their number changes.
auto fields(const Meta& of) {
  const auto& [kind, name, name_space, labels, annotations, age, created, owner] = of;
  return std::tie(kind, name, name_space, labels, annotations, age, created, owner);
}
auto fields(const Endpoint& of) {
  const auto& [address, port, port_name, labels, locality, weight, health, network, cluster, node, tls, source] = of;
  return std::tie(address, port, port_name, labels, locality, weight, health, network, cluster, node, tls, source);
}
auto fields(const ServicePort& of) {
  const auto& [name, number, protocol] = of;
  return std::tie(name, number, protocol);
}
auto fields(const Service& of) {
  const auto& [hostname, name_space, kind, name, labels, selector, ports, own_ports, resolution, export_to,
               distribution, node_local, external_name, endpoints] = of;
  return std::tie(hostname, name_space, kind, name, labels, selector, ports, own_ports, resolution, export_to,
                  distribution, node_local, external_name, endpoints);
}
auto fields(const LocalityLbSetting::Distribute& of) {
  const auto& [from, to] = of;
  return std::tie(from, to);
}
auto fields(const LocalityLbSetting::Failover& of) {
  const auto& [from, to] = of;
  return std::tie(from, to);
}
auto fields(const LocalityLbSetting& of) {
  const auto& [enabled, distribute, failover, priority] = of;
  return std::tie(enabled, distribute, failover, priority);
}
auto fields(const ZoneAwareLbSetting& of) {
  const auto& [enabled, failover, priority, size] = of;
  return std::tie(enabled, failover, priority, size);
}
auto fields(const ConsistentHash::Cookie& of) {
  const auto& [name, path, ttl] = of;
  return std::tie(name, path, ttl);
}
auto fields(const ConsistentHash& of) {
  const auto& [header, cookie, source_ip, query, ring, maglev, minimum] = of;
  return std::tie(header, cookie, source_ip, query, ring, maglev, minimum);
}
auto fields(const Warmup& of) {
  const auto& [duration, minimum, aggression] = of;
  return std::tie(duration, minimum, aggression);
}
auto fields(const LoadBalancerSettings& of) {
  const auto& [simple, hash, locality, zone_aware, warmup, duration] = of;
  return std::tie(simple, hash, locality, zone_aware, warmup, duration);
}
auto fields(const ConnectionPool::Tcp& of) {
  const auto& [connections, connect, idle, duration] = of;
  return std::tie(connections, connect, idle, duration);
}
auto fields(const ConnectionPool::Http& of) {
  const auto& [pending, requests, per_connection, retries, idle, upgrade, client_protocol, streams] = of;
  return std::tie(pending, requests, per_connection, retries, idle, upgrade, client_protocol, streams);
}
auto fields(const ConnectionPool& of) {
  const auto& [tcp, http] = of;
  return std::tie(tcp, http);
}
auto fields(const OutlierDetection& of) {
  const auto& [errors, gateway, interval, base, percent, health, split, local, old, codes] = of;
  return std::tie(errors, gateway, interval, base, percent, health, split, local, old, codes);
}
auto fields(const RetryBudget& of) {
  const auto& [percent, concurrency, interval] = of;
  return std::tie(percent, concurrency, interval);
}
auto fields(const TrafficPolicy& of) {
  const auto& [balancer, pool, outlier, budget, other, ports] = of;
  return std::tie(balancer, pool, outlier, budget, other, ports);
}
auto fields(const PortTrafficPolicy& of) {
  const auto& [port, policy] = of;
  return std::tie(port, policy);
}
auto fields(const Subset& of) {
  const auto& [name, labels, policy] = of;
  return std::tie(name, labels, policy);
}
auto fields(const DestinationRule& of) {
  const auto& [meta, host, policy, subsets, export_to, selector] = of;
  return std::tie(meta, host, policy, subsets, export_to, selector);
}
auto fields(const DefaultTrafficPolicy& of) {
  const auto& [pool, outlier] = of;
  return std::tie(pool, outlier);
}
auto fields(const HttpRetry& of) {
  const auto& [attempts, on, per_try, backoff, previous, remote] = of;
  return std::tie(attempts, on, per_try, backoff, previous, remote);
}
auto fields(const ServiceSetting& of) {
  const auto& [hosts, local] = of;
  return std::tie(hosts, local);
}
auto fields(const MeshConfig& of) {
  const auto& [root, connect, dns, locality, zone_aware, policy, retry, settings, upgrade, export_to] = of;
  return std::tie(root, connect, dns, locality, zone_aware, policy, retry, settings, upgrade, export_to);
}
auto fields(const Network::Gateway& of) {
  const auto& [address, port, cluster] = of;
  return std::tie(address, port, cluster);
}
auto fields(const Network& of) {
  const auto& [name, registries, gateways] = of;
  return std::tie(name, registries, gateways);
}
auto fields(const Switches& of) {
  const auto& [automatic, unhealthy, policy, zone_aware, network, codes] = of;
  return std::tie(automatic, unhealthy, policy, zone_aware, network, codes);
}

template <class Value>
bool equal(const Value& left, const Value& right);

template <class Value>
bool equal(const std::optional<Value>& left, const std::optional<Value>& right) {
  return left.has_value() == right.has_value() && (!left || equal(*left, *right));
}

template <class Value>
bool equal(const std::vector<Value>& left, const std::vector<Value>& right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [](const Value& one, const Value& other) { return equal(one, other); });
}

template <class Tuple, std::size_t... positions>
bool equal_each(const Tuple& left, const Tuple& right, std::index_sequence<positions...> /*of_all*/) {
  return (equal(std::get<positions>(left), std::get<positions>(right)) && ...);
}

template <class Value>
bool equal(const Value& left, const Value& right) {
  if constexpr (requires { fields(left); }) {
    const auto parts = fields(left);
    return equal_each(parts, fields(right), std::make_index_sequence<std::tuple_size_v<decltype(fields(left))>>{});
  } else {
    return left == right;
  }
}

}  // namespace

bool same(const Service& left, const Service& right) {
  return equal(left, right);
}

bool same(const DestinationRule& left, const DestinationRule& right) {
  return equal(left, right);
}

bool same(const MeshConfig& left, const MeshConfig& right) {
  return equal(left, right);
}

bool same(const Network& left, const Network& right) {
  return equal(left, right);
}

bool same(const Switches& left, const Switches& right) {
  return equal(left, right);
}

}  // namespace spillway::istio
