// Lists the requests of a client's workload so that a tool can send them to its proxy.
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
struct Ports;     // addresses.hpp

struct SentRequests {
  Json requests = Json::array();           // {"name", "weight", "address", "headers": [[name, value]...]}
  std::vector<std::string> problems = {};  // features of requests that cannot be sent
};

// Returns the client's requests. Host addresses that they name for a policy or an original destination are replaced by
// the exported ones. A kind whose requests enter several outbound listeners of Kuma is listed once for each.
[[nodiscard]] SentRequests requests_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                                         const Addresses& addresses, const std::vector<config::ServiceIndex>& services,
                                         const Ports& ports);

}  // namespace spillway::reports::envoy_export
