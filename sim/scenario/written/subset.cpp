#include "sim/scenario/written/subset.hpp"

namespace spillway::scenario::written {

using grammar::Choice;
using grammar::Flag;
using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, LbSubsetConfig::Selector& selector) {
  fields.message();
  selector.source.keep(fields);
  fields.optional(
      "keys", selector.keys, ListOf<Text>{{1, 1'000}},
      "a subset for every combination of values that these keys have; without any, the selector is ignored");
  fields.optional("single_host_per_subset", selector.single_host_per_subset, Flag{},
                  "the first host of each combination is its subset; default: false");
  fields.optional("fallback_policy", selector.fallback_policy, Choice{LbSubsetConfig::Selector::fallback_policies, {}},
                  "of requests with exactly these keys that find no subset; default: NOT_DEFINED, the cluster's");
  fields.optional("fallback_keys_subset", selector.fallback_keys_subset, ListOf<Text>{{1, 1'000}},
                  "of KEYS_SUBSET: the keys that are looked for then");
}

void describe(Fields& fields, LbSubsetConfig& config) {
  fields.message();
  fields.optional("fallback_policy", config.fallback_policy,
                  Choice{LbSubsetConfig::fallback_policies, {}, {{"NO_ENDPOINT", "NO_FALLBACK"}}},
                  "where requests go that find no subset; default: NO_FALLBACK");
  fields.optional("default_subset", config.default_subset, StructShape{}, "the hosts of DEFAULT_SUBSET have all of it");
  fields.optional("subset_selectors", config.subset_selectors, ListOf<Record<LbSubsetConfig::Selector>>{},
                  "by which keys hosts are grouped; without any there are no subsets");
  fields.optional("locality_weight_aware", config.locality_weight_aware, Flag{},
                  "localities keep their weights within subsets; default: false");
  fields.optional("scale_locality_weight", config.scale_locality_weight, Flag{},
                  "in proportion to the hosts that a subset has of them; default: false");
  fields.optional("panic_mode_any", config.panic_mode_any, Flag{},
                  "when the fallback finds no host either, any host will do; default: false");
  fields.optional("list_as_any", config.list_as_any, Flag{}, "a list stands for each of its elements; default: false");
  fields.optional("metadata_fallback_policy", config.metadata_fallback_policy,
                  Choice{LbSubsetConfig::metadata_fallback_policies, {}},
                  "whether a criterion fallback_list holds criteria to try in turn; default: METADATA_NO_FALLBACK");
}

void describe(Fields& fields, Subset& policy) {
  describe(fields, static_cast<LbSubsetConfig&>(policy));
  fields.optional("allow_redundant_keys", policy.allow_redundant_keys, Flag{},
                  "requests may name keys that no selector has; default: false");
  fields.required("subset_lb_policy", policy.subset_lb_policy, Record<LoadBalancingPolicy>{}, "within each subset");
}

}  // namespace spillway::scenario::written
