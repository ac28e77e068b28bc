// The steps before any balancing: the Kuma policy that applies to the service, the priority of each endpoint with the
// rule behind it, and the overprovisioning factor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::kuma {
struct Failover;     // mesh_load_balancing_strategy.hpp
struct Placement;    // placement.hpp
struct PolicyTrail;  // policy_trail.hpp
}  // namespace spillway::kuma

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct EdsHosts;     // state_at.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Fact;  // explanation.hpp
struct Step;  // explanation.hpp

// A client's cluster for a service, with its context.
struct ViewOfClient {
  const scenario::Scenario& scenario;
  const Sources& sources;
  const scenario::ClientEntry& client;
  config::ServiceIndex view;
  const kuma::PolicyTrail* trail = nullptr;  // null if no Kuma document is simulated
};

// Returns the trail of a client's view, or of the view behind an aggregate cluster with this member; null if it has
// none.
[[nodiscard]] const kuma::PolicyTrail* trail_of(const scenario::ClientEntry& client, config::ServiceIndex view);

// True if the policy made this load assignment and wrote its overprovisioning factor. The policy leaves an aggregate
// cluster's members for other zones unchanged.
[[nodiscard]] bool is_rewritten(const ViewOfClient& of);

// Returns "failover.yaml:33".
[[nodiscard]] std::string line_text(const ViewOfClient& of, const Span& where);

// Returns the rule of a placement, "crossZone.failover[0] to Only zone-2", and its line.
[[nodiscard]] Fact rule_fact(const ViewOfClient& of, const kuma::Placement& placement);

// Returns "to Only zone-2" or "from zone-1 to Any".
[[nodiscard]] std::string failover_text(const kuma::Failover& rule);

[[nodiscard]] std::optional<Step> policy_step(const ViewOfClient& of);  // nullopt without documents of Kuma
[[nodiscard]] Step placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported);
[[nodiscard]] Step factor_step(const ViewOfClient& of);

}  // namespace spillway::reports::explain
