#include "sim/run/proxies/proxy.hpp"

#include "sim/run/eds/cluster_watch.hpp"

namespace spillway::run {

ProxyCluster::ProxyCluster(config::ClientEntryIndex client, config::ServiceIndex of,
                           const config::CircuitBreakers& limits)
    : entry(client),
      service(of),
      breakers{health::CircuitBreaker(limits, config::RoutingPriority::default_priority),
               health::CircuitBreaker(limits, config::RoutingPriority::high)} {}

ProxyCluster::~ProxyCluster() = default;

ProxyCluster::ProxyCluster(ProxyCluster&&) noexcept = default;

}  // namespace spillway::run
