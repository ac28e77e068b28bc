// The configuration of subset load balancing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/metadata.hpp"
#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/refusal.hpp"

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
  std::vector<std::string> keys = {};  // a set; if empty, the selector is ignored
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
    fields.optional(
        "fallback_policy", selector.fallback_policy,
        message::Choice{{"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET", "KEYS_SUBSET"}, {}, 1},
        "of requests with exactly these keys that find no subset; default: NOT_DEFINED, the cluster's");
    fields.optional("fallback_keys_subset", selector.fallback_keys_subset, message::Names{},
                    "of KEYS_SUBSET: the keys that are looked for then");
  }

  friend bool operator==(const Selector&, const Selector&) = default;
};

// Returns why Envoy refuses the selector; nullopt if it accepts it.
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
  bool allow_redundant_keys = false;  // exists only in the typed form
  ChildPolicy subset_lb_policy = {};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::subset
