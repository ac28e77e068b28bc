// Subset load balancing (envoy.load_balancing_policies.subset): hosts grouped by metadata, a policy of its own in each
// group.
//
//   subset::Config config;
//   config.subset_selectors = {{.keys = {"stage", "version"}}, {.keys = {"version"}}};
//   subset::Directory directory(config, hosts);           // stage=prod, version=1.0 -> hosts 0, 1; ...
//   directory.find({&criteria}, ...);                     // the subset of exactly these pairs
//
// A selector makes a subset for every combination of values that its keys have among the hosts. A request's criteria
// lead to the subset of exactly these keys and values, or else to a fallback: that of the selector with these keys, if
// it has one, or the cluster's. A subset that has hosts takes its requests whatever their health.
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
#include "models/envoy/host_set.hpp"
#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"

namespace spillway::envoy::policies::subset {

enum class FallbackPolicy : std::uint8_t { no_fallback, any_endpoint, default_subset };
enum class SelectorFallbackPolicy : std::uint8_t {
  not_defined,
  no_fallback,
  any_endpoint,
  default_subset,
  keys_subset
};
enum class MetadataFallbackPolicy : std::uint8_t { metadata_no_fallback, fallback_list };

struct Selector {
  std::vector<std::string> keys = {};  // a set; none: the selector is ignored
  bool single_host_per_subset = false;
  SelectorFallbackPolicy fallback_policy = SelectorFallbackPolicy::not_defined;
  std::vector<std::string> fallback_keys_subset = {};

  using DescribesItself = void;
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector";
  static constexpr const char* refused = "this selector of subsets";
  template <class Fields>
  static void describe(Fields& fields, Selector& selector) {
    fields.optional(
        "keys", selector.keys, message::Names{},
        "a subset for every combination of values that these keys have; without any, the selector is ignored");
    fields.optional("single_host_per_subset", selector.single_host_per_subset, message::Flag{},
                    "the first host of each combination is its subset; default: false");
    fields.optional("fallback_policy", selector.fallback_policy,
                    message::Choice{{"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET", "KEYS_SUBSET"}},
                    "of requests with exactly these keys that find no subset; default: NOT_DEFINED, the cluster's");
    fields.optional("fallback_keys_subset", selector.fallback_keys_subset, message::Names{},
                    "of KEYS_SUBSET: the keys that are looked for then");
  }

  friend bool operator==(const Selector&, const Selector&) = default;
};

// Why Envoy refuses it.
[[nodiscard]] Refusal refusal(const Selector& selector);

struct Config {
  FallbackPolicy fallback_policy = FallbackPolicy::no_fallback;
  config::Struct default_subset = {};
  std::vector<Selector> subset_selectors = {};
  bool locality_weight_aware = false;
  bool scale_locality_weight = false;
  bool panic_mode_any = false;
  bool list_as_any = false;
  MetadataFallbackPolicy metadata_fallback_policy = MetadataFallbackPolicy::metadata_no_fallback;
  bool allow_redundant_keys = false;  // of the typed form only
  ChildPolicy subset_lb_policy = {};

  friend bool operator==(const Config&, const Config&) = default;
};

// Names in byte order, each once.
using KeySet = std::vector<std::string>;
[[nodiscard]] KeySet key_set(std::vector<std::string> keys);

// The criteria of one attempt: those of `values` that are in `keys`, or all. Views what it is made of.
struct CriteriaView {
  const config::Struct* values = nullptr;  // null: the request asks for nothing
  const KeySet* keys = nullptr;            // null: no restriction
};

// What a request asks for. Built once per route and request metadata; picks then allocate nothing.
class Criteria {
 public:
  Criteria() = default;  // nothing
  explicit Criteria(config::Struct requested);

  [[nodiscard]] const std::optional<config::Struct>& requested() const noexcept { return requested_; }

  // What FALLBACK_LIST makes of a criterion fallback_list: criteria to try in turn; none: there is no such criterion.
  [[nodiscard]] const std::optional<std::vector<config::Struct>>& fallback_list() const noexcept {
    return fallback_list_;
  }

 private:
  std::optional<config::Struct> requested_;
  std::optional<std::vector<config::Struct>> fallback_list_;
};

// The selectors as picks need them.
class Selectors {
 public:
  Selectors() = default;
  explicit Selectors(const Config& config);

  struct Entry {
    KeySet keys;
    bool single_host_per_subset = false;
  };
  // In the order of the configuration, those without keys left out.
  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

  // allow_redundant_keys: of the selectors whose keys are all asked for, that with most keys. Null: none.
  [[nodiscard]] const KeySet* most_specific(CriteriaView criteria) const noexcept;

  struct Fallback {
    SelectorFallbackPolicy policy = SelectorFallbackPolicy::not_defined;
    KeySet keys_subset;
  };
  // Of the selector with exactly the keys asked for; null if none is stored: it is when the selector's keys were new
  // in the tree of all selectors' keys so far, so that one that comes after a longer one of the same start loses its.
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

// All subsets by keys and values. A lookup costs by the number of criteria, not of subsets.
class Directory {
 public:
  struct Subset {
    std::vector<config::HostIndex> hosts;  // in the order of the priorities' lists; a single-host subset's only one
    bool single_host = false;
    std::vector<config::Field> path;  // keys and values, by key
    std::uint32_t selector = 0;       // position in Selectors::entries() of the one that made it
    std::uint32_t duplicates = 0;     // hosts left out because a single-host subset had one already
  };

  Directory() = default;
  Directory(const Config& config, const Selectors& selectors, const PrioritySet& hosts);

  // The subset of exactly these criteria; none if it has no hosts. Does not allocate.
  [[nodiscard]] std::optional<SubsetIndex> find(CriteriaView criteria) const noexcept;
  [[nodiscard]] std::optional<SubsetIndex> find(std::span<const config::Field> path) const noexcept;

  // In order of creation: by host, then by selector.
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

// Whether a host has all pairs of the default subset; with list_as_any an element of a list will do.
[[nodiscard]] bool matches(const config::Struct& wanted, const config::Struct& metadata, bool list_as_any) noexcept;

// Where one attempt leads before any host is picked.
struct Resolution {
  enum class Kind : std::uint8_t {
    subset,          // `index`, even if it finds no host
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

// The weight of a locality among a subset's hosts under scale_locality_weight: in proportion to the hosts it keeps,
// rounded half away from zero. In floats, as Envoy computes it.
[[nodiscard]] std::uint32_t scaled_locality_weight(std::uint32_t weight, std::size_t subset_hosts,
                                                   std::size_t all_hosts) noexcept;

struct Policy {
  using Config = subset::Config;
  struct PickState {};  // a client keeps a balancer of each subset (load_balancer.hpp)
  static constexpr std::string_view name = "envoy.load_balancing_policies.subset";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.subset.v3.Subset";
  static constexpr message::Settings settings{nullptr, 0, "lb_subset_config",
                                              "envoy.config.cluster.v3.Cluster.LbSubsetConfig",
                                              "subsets of the hosts by their metadata"};
  static constexpr Explained explained{"12", "subset_lb.cc"};
  static const ChildPolicy& child(const Config& config) { return config.subset_lb_policy; }
  static ChildPolicy& child(Config& config) { return config.subset_lb_policy; }

  static constexpr auto parts = &Config::subset_selectors;  // without any there is nothing to hold

  template <class Fields>
  static void describe_settings(Fields& fields, Config& config) {
    using message::Choice;
    using message::Flag;
    fields.optional("fallback_policy", config.fallback_policy,
                    Choice{{"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"}, {{"NO_ENDPOINT", "NO_FALLBACK"}}},
                    "where requests go that find no subset; default: NO_FALLBACK");
    fields.optional("default_subset", config.default_subset, message::Struct{},
                    "the hosts of DEFAULT_SUBSET have all of it");
    fields.optional("subset_selectors", config.subset_selectors, message::ListOf<Selector>{},
                    "by which keys hosts are grouped; without any there are no subsets");
    fields.optional("locality_weight_aware", config.locality_weight_aware, Flag{},
                    "localities keep their weights within subsets; default: false");
    fields.optional("scale_locality_weight", config.scale_locality_weight, Flag{},
                    "in proportion to the hosts that a subset has of them; default: false");
    fields.optional("panic_mode_any", config.panic_mode_any, Flag{},
                    "when the fallback finds no host either, any host will do; default: false");
    fields.optional("list_as_any", config.list_as_any, Flag{}, "a list matches each of its elements; default: false");
    fields.optional(
        "metadata_fallback_policy", config.metadata_fallback_policy, Choice{{"METADATA_NO_FALLBACK", "FALLBACK_LIST"}},
        "whether a criterion fallback_list contains criteria to try in turn; default: METADATA_NO_FALLBACK");
  }
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    describe_settings(fields, config);
    fields.optional("allow_redundant_keys", config.allow_redundant_keys, message::Flag{},
                    "requests may name keys that no selector has; default: false");
    fields.child("subset_lb_policy", config.subset_lb_policy, message::Needed::yes, "within each subset");
  }
  template <class Release>
  static void in_release(Release& release, Config& config) {
    release.take_back(config.metadata_fallback_policy, Config{}.metadata_fallback_policy, 24,
                      "metadata_fallback_policy");
    release.take_back(config.allow_redundant_keys, false, 28, "allow_redundant_keys");
  }
};

}  // namespace spillway::envoy::policies::subset
