// What Kuma's failover rules would make of a client's endpoints if there were one rule less, or one more.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/explain/explanation.hpp"

namespace spillway::reports::explain {

class Variation;  // variation.hpp

// Each failover rule that placed hosts of the target, taken away: where its zones go then, and what the target gets.
// Endpoints of other rules that stand after it keep their priority.
[[nodiscard]] std::vector<Why::Turn> without_rules(const Variation& variation, const Sources& sources);

// A rule `to: { type: Only, zones: [target] }` behind all others, for a zone that no rule admits; none where it would
// change nothing. Computed twice: as things stand, and with no healthy host before it.
[[nodiscard]] std::vector<Why::Turn> with_another_rule(const Variation& variation);

// force_local_zone of zone-aware routing (Envoy 1.35), set where it is not: what the target gets then, if that is
// another share.
[[nodiscard]] std::vector<Why::Turn> with_forced_zone(const Variation& variation);

}  // namespace spillway::reports::explain
