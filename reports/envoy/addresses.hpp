// An address on loopback for every endpoint: 127.a.b.c reaches whatever listens on its port, so that one listener
// answers for all of them and the address says which endpoint was meant.
//
//   const Addresses addresses(scenario, moment, ports_from(15000));
//   addresses.of({0}, {3})         // "127.1.0.4", 15002
//
// An endpoint whose own address is 127.x.y.z:port keeps it, unless it is taken or the endpoint is gone.
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

// Four ports in a row.
struct Ports {
  std::uint32_t inbound = 0;  // where requests go in
  std::uint32_t admin = 0;
  std::uint32_t upstream = 0;  // of the endpoints
  std::uint32_t gone = 0;      // of endpoints that are gone: nothing listens there
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

  // Where endpoints listen, in ascending order.
  [[nodiscard]] const std::set<std::uint32_t>& listening_ports() const noexcept { return listening_ports_; }

 private:
  std::vector<std::vector<LoopbackAddress>> addresses_;
  std::set<std::uint32_t> listening_ports_;
};

// "127.0.0.9:80" is; none of the other networks is anybody's own.
[[nodiscard]] bool is_loopback(const std::string& address);

}  // namespace spillway::reports::envoy_export
