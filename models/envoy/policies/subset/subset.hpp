// Subset load balancing (envoy.load_balancing_policies.subset): groups hosts by metadata, with a policy in each group.
//
//   subset::Config config;
//   config.subset_selectors = {{.keys = {"stage", "version"}}, {.keys = {"version"}}};
//   subset::Directory directory(config, hosts);           // stage=prod, version=1.0 -> hosts 0, 1; ...
//   directory.find({&criteria}, ...);                     // the subset of exactly these pairs
//
// A selector creates a subset for each combination of values that its keys have among the hosts. A request's criteria
// select the subset with exactly these keys and values. If there is none, a fallback applies: that of the selector with
// these keys if it has one, else the cluster's. A subset with hosts gets its requests whatever their health.
//
// Source: docs/behaviour/envoy-host-pick.md 12; Envoy's subset_lb.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/config/metadata.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/subset/config.hpp"
#include "models/envoy/policies/subset/criteria.hpp"

namespace spillway::envoy::policies::subset {

// The selectors, indexed for picks.
class Selectors {
 public:
  Selectors() = default;
  explicit Selectors(const Config& config);

  struct Entry {
    KeySet keys;
    bool single_host_per_subset = false;
  };
  // Returns the selectors in configured order, without those that have no keys.
  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

  // For allow_redundant_keys: returns the keys of the selector with the most keys of which the request has all; null if
  // there is none.
  [[nodiscard]] const KeySet* most_specific(CriteriaView criteria) const noexcept;

  struct Fallback {
    SelectorFallbackPolicy policy = SelectorFallbackPolicy::not_defined;
    KeySet keys_subset;
  };
  // Returns the fallback of the selector with exactly these keys; null if none is stored. Envoy stores it only if the
  // keys are a new node in its tree of all selectors' keys. So a selector loses its fallback if an earlier selector's
  // keys begin with the same keys.
  [[nodiscard]] const Fallback* fallback(CriteriaView criteria) const noexcept;
  [[nodiscard]] const Fallback* fallback(const KeySet& keys) const noexcept;

 private:
  struct Node {
    std::map<std::string, std::uint32_t, std::less<>> next;
    Fallback fallback;
  };
  void store_fallback(const Selector& selector, const KeySet& keys);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> most_keys_first_;  // positions in entries_
  std::vector<Node> tree_;
};

// Number of a subset in a Directory.
using SubsetIndex = config::Strong<struct SubsetIndexTag, std::uint32_t>;

// All subsets by keys and values. The cost of a lookup depends on the number of criteria, not of subsets.
class Directory {
 public:
  struct Subset {
    std::vector<config::HostIndex> hosts;  // in the order of the priorities' lists; of a single-host subset only one
    bool single_host = false;
    std::vector<config::Field> path;  // keys and values, by key
    std::uint32_t selector = 0;       // index in Selectors::entries() of the selector that created it
    std::uint32_t duplicates = 0;     // number of hosts that a single-host subset ignores because it already has one
  };

  Directory() = default;
  Directory(const Config& config, const Selectors& selectors, const PrioritySet& hosts);

  // Returns the subset of exactly these criteria; nullopt if there is none. Does not allocate.
  [[nodiscard]] std::optional<SubsetIndex> find(CriteriaView criteria) const noexcept;
  [[nodiscard]] std::optional<SubsetIndex> find(std::span<const config::Field> path) const noexcept;

  // Returns the subsets in order of creation: by host, then by selector.
  [[nodiscard]] const std::vector<Subset>& subsets() const noexcept { return subsets_; }

 private:
  struct HashOfValue {
    std::size_t operator()(const config::Value& value) const noexcept { return static_cast<std::size_t>(value.hash()); }
  };
  using Values = std::unordered_map<config::Value, std::uint32_t, HashOfValue>;
  struct Node {
    std::map<std::string, Values, std::less<>> next;
    std::optional<SubsetIndex> subset;
  };

  void add(const Selectors& selectors, std::uint32_t selector, std::vector<config::Field> path, config::HostIndex host);
  [[nodiscard]] const Node* step(const Node& node, std::string_view key, const config::Value& value) const noexcept;

  std::vector<Node> nodes_{1};
  std::vector<Subset> subsets_;
};

// True if a host has all fields of `wanted`. With list_as_any, one element of a list has to match.
[[nodiscard]] bool matches(const config::Struct& wanted, const config::Struct& metadata, bool list_as_any) noexcept;

// The result of looking up one attempt's criteria, before a host is picked.
struct Resolution {
  enum class Kind : std::uint8_t {
    subset,          // `index`, even if it then has no available host
    any,             // the selector's fallback
    default_subset,  // the selector's fallback
    none,            // the selector wants no fallback
    cluster_fallback
  };
  Kind kind = Kind::cluster_fallback;
  SubsetIndex index;
};
[[nodiscard]] Resolution resolve(const Config& config, const Selectors& selectors, const Directory& directory,
                                 CriteriaView criteria) noexcept;

// Returns a locality's weight among a subset's hosts under scale_locality_weight: proportional to the hosts that
// remain, rounded half away from zero. Computed in float, as in Envoy.
[[nodiscard]] std::uint32_t scaled_locality_weight(std::uint32_t weight, std::size_t subset_hosts,
                                                   std::size_t all_hosts) noexcept;

}  // namespace spillway::envoy::policies::subset
