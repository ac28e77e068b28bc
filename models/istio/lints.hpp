// Lints of documents that istiod treats otherwise than they read: docs/behaviour/istio.md 12, by its numbers.
//
//   for (const Lint& lint : lints_of({.documents = &documents, .registry = &registry})) { lint.number; lint.path; }
//
// Documents that admission refuses are skipped. Source: docs/behaviour/istio.md 12, and the sections it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/istio/rule_index.hpp"

namespace spillway::istio {

struct Cluster;  // cluster.hpp

// The numbers after the 31 of that section.
inline constexpr std::uint32_t subset_without_endpoints = 32;
inline constexpr std::uint32_t behind_a_gateway = 33;
inline constexpr std::uint32_t port_without_endpoints = 34;
inline constexpr std::uint32_t listed_codes = 35;
inline constexpr std::uint32_t last_lint = listed_codes;

struct Lint {
  std::uint32_t number = 0;
  std::size_t document = 0;  // meta.age of the document concerned; 0 for the mesh's configuration
  bool of_client = false;    // the lint concerns the client instead
  std::string path = {};     // the field: "spec.trafficPolicy"
  std::string message = {};  // the consequence here
  std::string unless = {};   // a field below `path`; if it is written, the setting is deliberate and there is no lint
};

struct LintRequest {
  const Documents* documents = nullptr;
  const Registry* registry = nullptr;
};

// Returns the lints of the documents themselves, for any client. O(rules * (services of the host) * endpoints).
[[nodiscard]] std::vector<Lint> lints_of(const LintRequest& request);

// The configuration of one proxy for one service.
struct ViewLintRequest {
  const Documents* documents = nullptr;
  const Proxy* proxy = nullptr;
  const Service* service = nullptr;
  std::uint32_t port = 0;
  RuleIndex::Found found = {};
  const TrafficPolicy* policy = nullptr;  // policy_of the cluster
  const Cluster* cluster = nullptr;       // with its load assignment
};
[[nodiscard]] std::vector<Lint> lints_of_view(const ViewLintRequest& request);

// Warns that a retry leaves the host that the request hashes to. `weighted` is true if the route has several
// destinations.
[[nodiscard]] std::vector<Lint> lints_of_hash(const RuleIndex::Found& found, const std::string& subset, bool weighted);

}  // namespace spillway::istio
