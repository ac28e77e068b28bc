// The routes that a VirtualService takes from one that it delegates to, as istiod merges them.
#pragma once

#include <cstddef>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

struct DelegatedRoutes {
  std::vector<documents::Node> routes = {};
  std::size_t in_conflict = 0;  // routes that istiod drops: no match of theirs is within one of the delegating route
};

// Joins `route`, which has a `delegate`, with the delegate's routes: matches of both hold, and a delegate's route gets
// what it does not have itself (rewrite, timeout, retries, fault). Source: MergeHTTPRoutes and hasConflict of istiod's
// pilot/pkg/model/virtualservice.go.
[[nodiscard]] DelegatedRoutes delegated_routes(const documents::Node& route,
                                               const std::vector<documents::Node>& of_delegate);

}  // namespace spillway::scenario::pasted
