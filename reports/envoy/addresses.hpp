// Assigns a loopback address to every endpoint. 127.a.b.c reaches any listener on its port, so one listener serves all
// endpoints and the address identifies the endpoint.
//
//   const Addresses addresses(scenario, moment, ports_from(15000));
//   addresses.of({0}, {3})         // "127.1.0.4", 15002
//
// An endpoint with an address 127.x.y.z:port of its own keeps it, unless it is taken or the endpoint is gone.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

struct Moment;  // moment.hpp

// Four consecutive ports.
struct Ports {
  std::uint32_t inbound = 0;  // where requests enter
  std::uint32_t admin = 0;
  std::uint32_t upstream = 0;  // of the endpoints
  std::uint32_t gone = 0;      // of gone endpoints: no listener
};
[[nodiscard]] constexpr Ports ports_from(std::uint32_t first) noexcept {
  return {first, first + 1, first + 2, first + 3};
}

struct LoopbackAddress {
  std::string ip;
  std::uint32_t port = 0;

  [[nodiscard]] std::string text() const { return ip + ":" + std::to_string(port); }
};

class Addresses {
 public:
  Addresses(const scenario::Scenario& scenario, const Moment& moment, const Ports& ports);

  [[nodiscard]] const LoopbackAddress& of(config::ServiceIndex service, config::HostIndex host) const noexcept {
    return addresses_[service.value][host.value];
  }

  // Returns the ports on which endpoints listen, in ascending order.
  [[nodiscard]] const std::set<std::uint32_t>& listening_ports() const noexcept { return listening_ports_; }

 private:
  std::vector<std::vector<LoopbackAddress>> addresses_;
  std::set<std::uint32_t> listening_ports_;
};

// True for loopback addresses such as "127.0.0.9:80", the only ones that an endpoint keeps.
[[nodiscard]] bool is_loopback(const std::string& address);

}  // namespace spillway::reports::envoy_export
