// What istiod accepts and then does otherwise than it reads: the traps of docs/behaviour/istio.md 12, by their numbers.
//
//   for (const Lint& lint : lints_of({.documents = &documents, .registry = &registry})) { lint.number; lint.path; }
//
// Documents that admission refuses are not looked at. Source: docs/behaviour/istio.md 12, and the sections it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/istio/rule_index.hpp"

namespace spillway::istio {

struct Cluster;  // cluster.hpp

// The numbers behind the 31 of the text.
inline constexpr std::uint32_t subset_without_endpoints = 32;
inline constexpr std::uint32_t behind_a_gateway = 33;
inline constexpr std::uint32_t port_without_endpoints = 34;
inline constexpr std::uint32_t last_lint = port_without_endpoints;

struct Lint {
  std::uint32_t number = 0;
  std::size_t document = 0;  // meta.age of the document that it is about; 0: the mesh's configuration
  bool of_client = false;    // it is about the client instead
  std::string path = {};     // the field: "spec.trafficPolicy"
  std::string message = {};  // what follows here
  std::string unless = {};   // a field below `path`: where it is written, it is meant so
};

struct LintRequest {
  const Documents* documents = nullptr;
  const Registry* registry = nullptr;
};

// What the documents say by themselves, whoever asks. O(rules * (services of the host) * endpoints).
[[nodiscard]] std::vector<Lint> lints_of(const LintRequest& request);

// What one proxy gets of one service.
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

// Where a retry leaves the host that the request hashes to. `weighted`: the route has several destinations.
[[nodiscard]] std::vector<Lint> lints_of_hash(const RuleIndex::Found& found, const std::string& subset, bool weighted);

}  // namespace spillway::istio
