// The policy MeshLoadBalancingStrategy as it is written, field by field with Kuma's YAML keys.
//
//   Conf conf;
//   conf.localityAwareness.emplace().localZone.emplace();   // localityAwareness: { localZone: {} }
//
// Absent and empty differ (`localZone: {}` switches the rewrite on), so every field is optional, even those that
// validation requires. Kinds and types are text, since a policy may name one that does not exist; validation.hpp
// reports that. `default` and `namespace` are C++ keywords and carry an underscore.
// Source: docs/behaviour/kuma.md 2; Kuma's meshloadbalancingstrategy/api/v1alpha1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/kuma/names.hpp"

namespace spillway::kuma {

// A number in plain YAML, or a decimal in quotes.
using IntOrString = std::variant<std::int32_t, std::string>;

struct TargetRef {
  std::optional<std::string> kind = {};
  std::optional<std::string> name = {};
  std::optional<std::string> namespace_ = {};
  std::optional<std::string> mesh = {};
  std::optional<Tags> tags = {};
  std::optional<Tags> labels = {};
  std::optional<std::string> sectionName = {};
  std::optional<std::vector<std::string>> proxyTypes = {};  // Sidecar, Gateway

  friend bool operator==(const TargetRef&, const TargetRef&) = default;
};

struct AffinityTag {
  std::optional<std::string> key = {};
  std::optional<std::uint32_t> weight = {};  // default: see affinity_groups.hpp

  friend bool operator==(const AffinityTag&, const AffinityTag&) = default;
};

struct LocalZone {
  std::optional<std::vector<AffinityTag>> affinityTags = {};

  friend bool operator==(const LocalZone&, const LocalZone&) = default;
};

struct FromZone {
  std::optional<std::vector<std::string>> zones = {};

  friend bool operator==(const FromZone&, const FromZone&) = default;
};

struct ToZone {
  std::optional<std::string> type = {};  // None, Only, Any, AnyExcept
  std::optional<std::vector<std::string>> zones = {};

  friend bool operator==(const ToZone&, const ToZone&) = default;
};

struct Failover {
  std::optional<FromZone> from = {};  // absent means every zone
  std::optional<ToZone> to = {};

  friend bool operator==(const Failover&, const Failover&) = default;
};

struct FailoverThreshold {
  std::optional<IntOrString> percentage = {};

  friend bool operator==(const FailoverThreshold&, const FailoverThreshold&) = default;
};

struct CrossZone {
  std::optional<std::vector<Failover>> failover = {};
  std::optional<FailoverThreshold> failoverThreshold = {};

  friend bool operator==(const CrossZone&, const CrossZone&) = default;
};

struct LocalityAwareness {
  std::optional<bool> disabled = {};
  std::optional<LocalZone> localZone = {};
  std::optional<CrossZone> crossZone = {};

  friend bool operator==(const LocalityAwareness&, const LocalityAwareness&) = default;
};

struct Header {
  std::optional<std::string> name = {};

  friend bool operator==(const Header&, const Header&) = default;
};

struct Cookie {
  std::optional<std::string> name = {};
  std::optional<std::string> ttl = {};  // Go's notation: 1h30m
  std::optional<std::string> path = {};

  friend bool operator==(const Cookie&, const Cookie&) = default;
};

struct Connection {
  std::optional<bool> sourceIP = {};

  friend bool operator==(const Connection&, const Connection&) = default;
};

struct QueryParameter {
  std::optional<std::string> name = {};

  friend bool operator==(const QueryParameter&, const QueryParameter&) = default;
};

struct FilterState {
  std::optional<std::string> key = {};

  friend bool operator==(const FilterState&, const FilterState&) = default;
};

struct HashPolicy {
  std::optional<std::string> type = {};  // Header, Cookie, Connection, SourceIP (2.14), QueryParameter, FilterState
  std::optional<bool> terminal = {};
  std::optional<Header> header = {};
  std::optional<Cookie> cookie = {};
  std::optional<Connection> connection = {};
  std::optional<QueryParameter> queryParameter = {};
  std::optional<FilterState> filterState = {};

  friend bool operator==(const HashPolicy&, const HashPolicy&) = default;
};

struct LeastRequest {
  std::optional<std::uint32_t> choiceCount = {};
  std::optional<IntOrString> activeRequestBias = {};

  friend bool operator==(const LeastRequest&, const LeastRequest&) = default;
};

struct RingHash {
  std::optional<std::string> hashFunction = {};  // XXHash, MurmurHash2
  std::optional<std::uint32_t> minRingSize = {};
  std::optional<std::uint32_t> maxRingSize = {};
  std::optional<std::vector<HashPolicy>> hashPolicies = {};  // 2.14

  friend bool operator==(const RingHash&, const RingHash&) = default;
};

struct Maglev {
  std::optional<std::uint32_t> tableSize = {};
  std::optional<std::vector<HashPolicy>> hashPolicies = {};  // 2.14

  friend bool operator==(const Maglev&, const Maglev&) = default;
};

// The bodies of RoundRobin and Random have no fields and are not kept.
struct LoadBalancer {
  std::optional<std::string> type = {};  // RoundRobin, LeastRequest, RingHash, Random, Maglev
  std::optional<LeastRequest> leastRequest = {};
  std::optional<RingHash> ringHash = {};
  std::optional<Maglev> maglev = {};

  friend bool operator==(const LoadBalancer&, const LoadBalancer&) = default;
};

// The settings of a policy for the destinations of one `to` item.
struct Conf {
  std::optional<LocalityAwareness> localityAwareness = {};
  std::optional<LoadBalancer> loadBalancer = {};
  std::optional<std::vector<HashPolicy>> hashPolicies = {};

  friend bool operator==(const Conf&, const Conf&) = default;
};

struct To {
  std::optional<TargetRef> targetRef = {};
  Conf default_ = {};

  friend bool operator==(const To&, const To&) = default;
};

struct MeshLoadBalancingStrategy {
  std::optional<TargetRef> targetRef = {};  // absent means kind Mesh
  std::optional<std::vector<To>> to = {};

  friend bool operator==(const MeshLoadBalancingStrategy&, const MeshLoadBalancingStrategy&) = default;
};

// A policy with its resource's name and labels.
struct Policy {
  std::string name = {};
  Tags labels = {};
  MeshLoadBalancingStrategy spec = {};
};

// Returns the name that users gave the policy, even if a control plane renamed it.
[[nodiscard]] inline std::string_view display_name(const Policy& policy) {
  const std::string_view label = value_of(policy.labels, display_name_label);
  return label.empty() ? std::string_view(policy.name) : label;
}

// Returns the kind of the top-level targetRef.
[[nodiscard]] inline std::string_view top_level_kind(const MeshLoadBalancingStrategy& spec) {
  return spec.targetRef ? value_of(spec.targetRef->kind) : std::string_view("Mesh");
}

// True if the endpoints of a cluster are rewritten zone by zone: the mere presence of either section decides.
[[nodiscard]] inline bool rewrites_endpoints(const Conf& conf) {
  return conf.localityAwareness && (conf.localityAwareness->localZone || conf.localityAwareness->crossZone);
}

}  // namespace spillway::kuma
