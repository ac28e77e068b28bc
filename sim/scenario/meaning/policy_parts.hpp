// What a cluster's own policy fields and the typed policies have in common.
#pragma once

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/grammar/field.hpp"
#include "sim/scenario/written/subset.hpp"

namespace spillway::scenario::meaning {

// Into a member of another width or an enumeration; what could not be read leaves it alone.
template <class Number, class Into>
void take_number(const grammar::Field<Number>& field, Into& into) {
  if (field) {
    into = static_cast<Into>(*field);
  }
}

// Selectors that Envoy refuses, each at its place. `source`: where the subsets stand.
void refuse_selectors(const envoy::policies::subset::Config& subsets, const written::Source& source,
                      Diagnostics& problems);

}  // namespace spillway::scenario::meaning
