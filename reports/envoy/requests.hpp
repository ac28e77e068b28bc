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

struct SentRequests {
  Json requests = Json::array();           // {"name", "weight", "headers": [[name, value]...]}
  std::vector<std::string> problems = {};  // what cannot be sent
};

// Returns the client's requests. Host addresses that they name for a policy or an original destination are replaced by
// the exported ones.
[[nodiscard]] SentRequests requests_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                                         const Addresses& addresses, const std::vector<config::ServiceIndex>& services);

}  // namespace spillway::reports::envoy_export
