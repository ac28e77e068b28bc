#include "reports/envoy/addresses.hpp"

#include <optional>
#include <set>

#include "models/envoy/routes/address.hpp"
#include "reports/envoy/moment.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::envoy_export {
namespace {

// Generates addresses from 127.1.0.1, skipping last bytes 0 and 255.
class FreshAddresses {
 public:
  std::string next() {
    constexpr std::uint32_t in_a_byte = 254;
    const std::uint32_t last = number_ % in_a_byte + 1;
    const std::uint32_t rest = number_ / in_a_byte;
    ++number_;
    constexpr std::uint32_t byte = 256;
    return "127." + std::to_string(1 + rest / byte) + "." + std::to_string(rest % byte) + "." + std::to_string(last);
  }

 private:
  std::uint32_t number_ = 0;
};

bool is_ours(std::uint32_t port, const Ports& ports) {
  return port == ports.inbound || port == ports.admin || port == ports.gone;
}

}  // namespace

bool is_loopback(const std::string& address) {
  const auto parsed = envoy::routes::parse_ip_address(address);
  return parsed && !parsed->v6 && parsed->ip.starts_with("127.");
}

Addresses::Addresses(const scenario::Scenario& scenario, const Moment& moment, const Ports& ports) {
  // If an original destination cluster sends all requests to one port, its endpoints have that port.
  const auto fixed_port = [&](std::size_t service) -> std::optional<std::uint32_t> {
    const auto& original_dst = scenario.services[service].cluster.original_dst;
    return original_dst ? original_dst->upstream_port_override : std::nullopt;
  };
  std::set<std::string> taken;
  addresses_.resize(scenario.services.size());
  const auto for_each_host = [&](auto visit) {
    for (std::size_t service = 0; service < scenario.services.size(); ++service) {
      std::size_t host = 0;
      for (const auto& group : scenario.services[service].load_assignment.endpoints) {
        for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
          visit(service, host, endpoint, moment.hosts[service][host].behaviour);
          ++host;
        }
      }
    }
  };
  for_each_host(
      [&](std::size_t service, std::size_t /*host*/, const config::LbEndpoint& endpoint, const Behaviour& what) {
        LoopbackAddress& address = addresses_[service].emplace_back();
        const auto own = envoy::routes::parse_ip_address(endpoint.address);
        if (!what.gone && own && is_loopback(endpoint.address) && !is_ours(own->port, ports) &&
            taken.insert(own->ip).second) {
          address = {own->ip, fixed_port(service).value_or(own->port)};
          listening_ports_.insert(address.port);
        }
      });
  FreshAddresses fresh;
  for_each_host(
      [&](std::size_t service, std::size_t host, const config::LbEndpoint& /*endpoint*/, const Behaviour& what) {
        LoopbackAddress& address = addresses_[service][host];
        while (address.ip.empty()) {
          const std::string ip = fresh.next();
          if (taken.insert(ip).second) {
            const std::uint32_t port = fixed_port(service).value_or(ports.upstream);
            address = {ip, what.gone ? ports.gone : port};
            listening_ports_.insert(port);
          }
        }
      });
}

}  // namespace spillway::reports::envoy_export
