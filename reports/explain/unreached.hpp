// Finds endpoints of a service that never get a client's requests, with the cause: the client's route, a rule of its
// policy, or the mesh.
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
  std::string reason = {};               // empty if the verdict contains it
  std::optional<Span> where = {};        // location of the rule, if any
};

// Returns "zone-2 gets nothing: MeshTCPRoute r sends all requests to backend{kuma.io/zone=zone-1}".
[[nodiscard]] std::string unreached_text(const Unreached& of);

// Returns zones without traffic, in the order of the scenario. `views`: the client's clusters for one service.
[[nodiscard]] std::vector<Unreached> unreached_zones(const scenario::Scenario& scenario,
                                                     config::ClientEntryIndex client,
                                                     const std::vector<config::ServiceIndex>& views);

// Returns nullopt if the endpoint is in one of the views, or does not belong to their service.
[[nodiscard]] std::optional<Unreached> unreached_endpoint(const scenario::Scenario& scenario,
                                                          config::ClientEntryIndex client,
                                                          const std::vector<config::ServiceIndex>& views,
                                                          const std::string& endpoint);

// Returns a client's views, grouped by the service that it requests.
[[nodiscard]] std::vector<std::vector<config::ServiceIndex>> views_by_service(const scenario::Scenario& scenario,
                                                                              const scenario::ClientEntry& client);

// Returns one line per zone and service, for printing below a table: "zone-3 is reached by no rule from frontend (see:
// ...)". Empty without documents of Kuma. Clients with the same views are inspected once.
[[nodiscard]] std::vector<std::string> unreached_lines(const scenario::Scenario& scenario);

}  // namespace spillway::reports::explain
