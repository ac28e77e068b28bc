// What a cluster's own policy fields and the typed policies have in common.
#pragma once

#include <vector>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/written/pick_policies.hpp"
#include "sim/scenario/written/refused.hpp"

namespace spillway::scenario::meaning {

// Parts of a policy that Envoy refuses, as selectors of subsets, each at its place. `source`: where the policy stands.
template <class Policy>
void refuse_parts(const typename Policy::Config& config, const written::Source& source, Diagnostics& problems) {
  if constexpr (requires { typename Policy::Parts; }) {
    const auto& parts = config.*Policy::Parts::of;
    const std::vector<written::Source> places = source.items_of(Policy::Parts::field);
    for (std::size_t i = 0; i < parts.size() && i < places.size(); ++i) {
      refuse(refusal(parts[i]), {Policy::Parts::words, places[i].object, places[i].object->span}, problems);
    }
  }
}

}  // namespace spillway::scenario::meaning
