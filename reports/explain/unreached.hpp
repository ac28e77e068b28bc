// Endpoints of a service that never get a client's requests, and what keeps the requests from them: the client's route,
// a rule of its policy, or the mesh.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Unreached {
  std::string zone = {};
  std::string verdict = "gets nothing";  // or "is reached by no rule"
  std::string reason = {};               // empty: the verdict has it
  std::optional<Span> where = {};        // what a route says
};

// "zone-2 gets nothing: MeshTCPRoute r sends all requests to backend{kuma.io/zone=zone-1}".
[[nodiscard]] std::string unreached_text(const Unreached& of);

// `views`: what the client has for one service. In the order of the scenario's zones.
[[nodiscard]] std::vector<Unreached> unreached_zones(const scenario::Scenario& scenario,
                                                     config::ClientEntryIndex client,
                                                     const std::vector<config::ServiceIndex>& views);

// Returns nullopt if the endpoint is in one of the views, or is none of their service.
[[nodiscard]] std::optional<Unreached> unreached_endpoint(const scenario::Scenario& scenario,
                                                          config::ClientEntryIndex client,
                                                          const std::vector<config::ServiceIndex>& views,
                                                          const std::string& endpoint);

// Of a client, the views of each service that it asks for.
[[nodiscard]] std::vector<std::vector<config::ServiceIndex>> views_by_service(const scenario::Scenario& scenario,
                                                                              const scenario::ClientEntry& client);

// "zone-3 is reached by no rule from frontend (see: ...)": a line for each zone and service, for what stands below a
// table. Only under documents of Kuma. Clients that have the same views are looked at once.
[[nodiscard]] std::vector<std::string> unreached_lines(const scenario::Scenario& scenario);

}  // namespace spillway::reports::explain
