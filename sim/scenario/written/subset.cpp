#include "sim/scenario/written/subset.hpp"

#include "sim/scenario/written/metadata.hpp"

namespace spillway::scenario::written {

using grammar::Choice;
using grammar::Flag;
using grammar::Record;
using grammar::Text;
namespace policies = envoy::policies;

void Grammar<policies::subset::Selector>::describe(Fields& fields, policies::subset::Selector& selector) {
  fields.message();
  optional(fields, "keys", selector.keys, Items<Text>{{1, 1'000}},
           "a subset for every combination of values that these keys have; without any, the selector is ignored");
  optional(fields, "single_host_per_subset", selector.single_host_per_subset, Flag{},
           "the first host of each combination is its subset; default: false");
  optional(fields, "fallback_policy", selector.fallback_policy,
           Choice{{"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET", "KEYS_SUBSET"}},
           "of requests with exactly these keys that find no subset; default: NOT_DEFINED, the cluster's");
  optional(fields, "fallback_keys_subset", selector.fallback_keys_subset, Items<Text>{{1, 1'000}},
           "of KEYS_SUBSET: the keys that are looked for then");
}

void Grammar<policies::subset::Config>::describe(Fields& fields, policies::subset::Config& config) {
  fields.message();
  optional(fields, "fallback_policy", config.fallback_policy,
           Choice{{"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"}, {}, {{"NO_ENDPOINT", "NO_FALLBACK"}}},
           "where requests go that find no subset; default: NO_FALLBACK");
  optional(fields, "default_subset", config.default_subset, StructShape{},
           "the hosts of DEFAULT_SUBSET have all of it");
  optional(fields, "subset_selectors", config.subset_selectors, Items<Message<policies::subset::Selector>>{},
           "by which keys hosts are grouped; without any there are no subsets");
  optional(fields, "locality_weight_aware", config.locality_weight_aware, Flag{},
           "localities keep their weights within subsets; default: false");
  optional(fields, "scale_locality_weight", config.scale_locality_weight, Flag{},
           "in proportion to the hosts that a subset has of them; default: false");
  optional(fields, "panic_mode_any", config.panic_mode_any, Flag{},
           "when the fallback finds no host either, any host will do; default: false");
  optional(fields, "list_as_any", config.list_as_any, Flag{}, "a list stands for each of its elements; default: false");
  optional(fields, "metadata_fallback_policy", config.metadata_fallback_policy,
           Choice{{"METADATA_NO_FALLBACK", "FALLBACK_LIST"}},
           "whether a criterion fallback_list holds criteria to try in turn; default: METADATA_NO_FALLBACK");
}

void Grammar<Subset>::describe(Fields& fields, Subset& policy) {
  Grammar<policies::subset::Config>::describe(fields, policy);
  optional(fields, "allow_redundant_keys", policy.allow_redundant_keys, Flag{},
           "requests may name keys that no selector has; default: false");
  fields.required("subset_lb_policy", policy.within, Record<LoadBalancingPolicy>{}, "within each subset");
}

}  // namespace spillway::scenario::written
