// Policies, routes and sessions from the JSON of Envoy's documents. Everything throws for fields that it does not know.
#pragma once

#include "models/config/common_lb_config.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/routes/route.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

[[nodiscard]] envoy::policies::ring_hash::Config read_ring_hash(const json& object);
[[nodiscard]] envoy::policies::maglev::Config read_maglev(const json& object);
[[nodiscard]] envoy::policies::subset::Config read_subset(const json& object);
[[nodiscard]] envoy::policies::ConsistentHashingLbConfig read_consistent_hashing(const json& object);
[[nodiscard]] envoy::routes::HashPolicy read_hash_policy(const json& object);

// The field envoy.lb of a Metadata object.
[[nodiscard]] config::Struct read_metadata(const json& metadata);

}  // namespace spillway::conformance
