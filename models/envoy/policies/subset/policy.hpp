// Registers the policy subset load balancing: its names, and its fields in files, exports and explanations.
#pragma once

#include <string_view>

#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/subset/config.hpp"

namespace spillway::envoy::policies::subset {

struct Policy {
  using Config = subset::Config;
  static constexpr std::string_view name = "envoy.load_balancing_policies.subset";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.subset.v3.Subset";
  static constexpr message::Settings settings{nullptr, 0, "lb_subset_config",
                                              "envoy.config.cluster.v3.Cluster.LbSubsetConfig",
                                              "subsets of the hosts by their metadata"};
  static constexpr Explained explained{"12", "subset_lb.cc"};
  static const ChildPolicy& child(const Config& config) { return config.subset_lb_policy; }
  static ChildPolicy& child(Config& config) { return config.subset_lb_policy; }

  static constexpr auto parts = &Config::subset_selectors;  // without selectors there are no subsets

  // Typed policies are not validated: numbers without a name act as in a live Envoy 1.40.
  template <class Fields>
  static void describe_settings(Fields& fields, Config& config, bool typed = false) {
    using message::Choice;
    using message::Flag;
    const auto otherwise = [&](std::size_t word) { return typed ? std::optional(word) : std::nullopt; };
    fields.optional(
        "fallback_policy", config.fallback_policy,
        Choice{{"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"}, {{"NO_ENDPOINT", "NO_FALLBACK"}}, otherwise(2)},
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
        "metadata_fallback_policy", config.metadata_fallback_policy,
        Choice{{"METADATA_NO_FALLBACK", "FALLBACK_LIST"}, {}, otherwise(0)},
        "whether a criterion fallback_list contains criteria to try in turn; default: METADATA_NO_FALLBACK");
  }
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    describe_settings(fields, config, true);
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
