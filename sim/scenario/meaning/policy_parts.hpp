// What a cluster's own policy fields and the typed policies have in common.
#pragma once

#include "models/config/slow_start.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/grammar/field.hpp"
#include "sim/scenario/written/policies.hpp"
#include "sim/scenario/written/subset.hpp"

namespace spillway::scenario::meaning {

// Into a member of another width or an enumeration; what could not be read leaves it alone.
template <class Number, class Into>
void take_number(const grammar::Field<Number>& field, Into& into) {
  if (field) {
    into = static_cast<Into>(*field);
  }
}

[[nodiscard]] config::SlowStartConfig slow_start_of(const grammar::Field<written::SlowStartConfig>& field);
[[nodiscard]] envoy::policies::least_request::Config least_request_of(const written::LeastRequestLbConfig& written);
[[nodiscard]] envoy::policies::ConsistentHashingLbConfig hashing_of(const written::ConsistentHashingLbConfig& written);
[[nodiscard]] envoy::policies::ConsistentHashingLbConfig hashing_of(
    const written::TypedConsistentHashingLbConfig& written, Diagnostics& problems);

// Without the policy within the subsets.
[[nodiscard]] envoy::policies::subset::Config subsets_of(const written::LbSubsetConfig& written, Diagnostics& problems);

}  // namespace spillway::scenario::meaning
