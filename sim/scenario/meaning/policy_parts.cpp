#include "sim/scenario/meaning/policy_parts.hpp"

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/refused.hpp"

namespace spillway::scenario::meaning {

void refuse_selectors(const envoy::policies::subset::Config& subsets, const written::Source& source,
                      Diagnostics& problems) {
  const std::vector<written::Source> places = source.items_of("subset_selectors");
  for (std::size_t i = 0; i < subsets.subset_selectors.size() && i < places.size(); ++i) {
    refuse(envoy::refusal(subsets.subset_selectors[i]),
           {"this selector of subsets", places[i].object, places[i].object->span}, problems);
  }
}

}  // namespace spillway::scenario::meaning
