// Computes a client's endpoints under Kuma's failover rules with one rule less, or one more.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/explain/explanation.hpp"

namespace spillway::reports::explain {

class Variation;  // variation.hpp

// Returns the effect of removing each failover rule that placed hosts of the target: where its zones go then, and the
// target's new share. Endpoints of later rules keep their priority.
[[nodiscard]] std::vector<Why::Turn> without_rules(const Variation& variation, const Sources& sources);

// Adds a rule `to: { type: Only, zones: [target] }` after all others, for a zone that no rule admits. Empty if it would
// change nothing. Computed twice: in the current state, and without a healthy host before it.
[[nodiscard]] std::vector<Why::Turn> with_another_rule(const Variation& variation);

// Sets force_local_zone of zone-aware routing (Envoy 1.35) if it is not set. Returns the target's share, if it changes.
[[nodiscard]] std::vector<Why::Turn> with_forced_zone(const Variation& variation);

}  // namespace spillway::reports::explain
