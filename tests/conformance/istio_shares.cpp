// Where the requests of a proxy go, exactly.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "tests/conformance/istio.hpp"

namespace spillway::conformance {

json istio_shares(const istio::Cluster& cluster, const std::vector<std::string>& unhealthy) {
  const auto assignment = istio::to_envoy(*cluster.assignment, cluster.name);
  const auto without_port = [](const std::string& address) { return address.substr(0, address.rfind(':')); };
  std::vector<envoy::HostFlags> flags;
  std::vector<std::string> addresses;
  for (const config::LocalityLbEndpoints& locality : assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : locality.lb_endpoints) {
      addresses.push_back(without_port(endpoint.address));
      const bool ejected = std::find(unhealthy.begin(), unhealthy.end(), addresses.back()) != unhealthy.end();
      flags.push_back(ejected ? envoy::HostFlags{envoy::HostFlag::failed_outlier_check}
                              : envoy::eds_health_flags(endpoint.health_status, {}));
    }
  }
  const auto state =
      envoy::refresh(istio::to_envoy(cluster), nullptr, envoy::make_priority_set(assignment, {.flags = flags}), {});
  std::map<std::string, double> percent;
  double served = 0.0;
  for (const auto& row : envoy::exact_shares(*state).hosts) {
    percent[addresses.at(row.host.value)] += 100.0 * row.share;
    served += 100.0 * row.share;
  }
  if (served < 100.0 - 1e-6) {
    percent["no host"] = 100.0 - served;
  }
  return percent;
}

}  // namespace spillway::conformance
