// The criteria by which a request selects a subset, all under "envoy.lb". The metadata of the weighted cluster, of the
// connection and of the request itself override the route's, key by key.
//
//   merge_criteria({&route.metadata_match, &weighted_cluster.metadata_match});
//
// Source: docs/behaviour/envoy-host-pick.md 12; Envoy's router/metadatamatchcriteria_impl.cc.
#pragma once

#include <initializer_list>
#include <optional>

#include "models/config/metadata.hpp"

namespace spillway::envoy::routes {

// Merges the parts in order; null parts are skipped. Returns nullopt if all parts are null.
[[nodiscard]] inline std::optional<config::Struct> merge_criteria(std::initializer_list<const config::Struct*> parts) {
  std::optional<config::Struct> result;
  for (const config::Struct* const part : parts) {
    if (part != nullptr) {
      result = result ? std::move(result) : config::Struct();
      result->merge(*part);
    }
  }
  return result;
}

}  // namespace spillway::envoy::routes
