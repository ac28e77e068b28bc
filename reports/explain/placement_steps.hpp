// The steps before any balancing: which policy of Kuma concerns the service, where each endpoint stands and by which
// rule, and the overprovisioning factor.
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

// What a client has for a service.
struct ViewOfClient {
  const scenario::Scenario& scenario;
  const Sources& sources;
  const scenario::ClientEntry& client;
  config::ServiceIndex view;
  const kuma::PolicyTrail* trail = nullptr;  // null: no document of Kuma is played
};

// The trail of a client's view, or of the view that an aggregate cluster with this member is; null: there is none.
[[nodiscard]] const kuma::PolicyTrail* trail_of(const scenario::ClientEntry& client, config::ServiceIndex view);

// Whether the policy made this load assignment, and wrote its overprovisioning factor. It leaves alone what an
// aggregate cluster has for another zone.
[[nodiscard]] bool is_rewritten(const ViewOfClient& of);

// "failover.yaml:33".
[[nodiscard]] std::string line_text(const ViewOfClient& of, const Span& where);

// The rule of a placement: "crossZone.failover[0] to Only zone-2", and its line.
[[nodiscard]] Fact rule_fact(const ViewOfClient& of, const kuma::Placement& placement);

// "to Only zone-2", "from zone-1 to Any".
[[nodiscard]] std::string failover_text(const kuma::Failover& rule);

[[nodiscard]] std::optional<Step> policy_step(const ViewOfClient& of);  // none without documents of Kuma
[[nodiscard]] Step placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported);
[[nodiscard]] Step factor_step(const ViewOfClient& of);

}  // namespace spillway::reports::explain
