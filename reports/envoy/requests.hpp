// The requests of a client's workload as somebody can send them to its proxy.
#pragma once

#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

class Addresses;  // addresses.hpp

struct SentRequests {
  Json requests = Json::array();           // {"name", "weight", "headers": [[name, value]...]}
  std::vector<std::string> problems = {};  // what cannot be sent
};

// Addresses that requests name, of hosts that a policy or an original destination shall take, become those here.
[[nodiscard]] SentRequests requests_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                                         const Addresses& addresses, const std::vector<config::ServiceIndex>& services);

}  // namespace spillway::reports::envoy_export
