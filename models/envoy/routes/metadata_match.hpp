// What a request asks of subsets: the metadata of its route, overwritten key by key by that of the weighted cluster,
// of the connection, and of the request itself (all under "envoy.lb").
//
//   merge_criteria({&route.metadata_match, &weighted_cluster.metadata_match});
//
// Source: docs/behaviour/envoy-host-pick.md 12; Envoy's router/metadatamatchcriteria_impl.cc.
#pragma once

#include <initializer_list>
#include <optional>

#include "models/config/metadata.hpp"

namespace spillway::envoy::routes {

// Null stands for a part that says nothing. None if no part says anything.
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
