// Policies from cases: Envoy's messages, read by their descriptions. Fields that those do not know throw.
#pragma once

#include "models/envoy/policies/registry.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// Typed policies in the cases' short form: what hash policies have in common beside the rest, and `locality_weighted`,
// which is the caller's.
[[nodiscard]] envoy::policies::ring_hash::Config read_ring_hash(const json& object);
[[nodiscard]] envoy::policies::maglev::Config read_maglev(const json& object);

// An lb_subset_config.
[[nodiscard]] envoy::policies::subset::Config read_subset(const json& object);

}  // namespace spillway::conformance
