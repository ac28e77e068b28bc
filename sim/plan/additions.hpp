// The headroom gained by one more endpoint, per group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Variants;   // variants.hpp
struct Addition;  // plan.hpp
struct Bound;     // objectives.hpp
struct Row;       // plan.hpp
struct Variant;   // variants.hpp

// Returns one addition per group. Precondition: `rows` are the rows of `variant`. An endpoint adds no headroom if no
// number of endpoints helps (`hopeless`), if it cannot affect the limiting bound, or if it leaves that bound unchanged.
// The other failures are not evaluated in these cases.
[[nodiscard]] std::vector<Addition> additions_of(const scenario::ScenarioTemplate& base, const Variants& variants,
                                                 const Variant& variant, const std::vector<Row>& rows,
                                                 const std::vector<Bound>& bounds, bool hopeless);

// Returns the row of the failure of that name, which limits the headroom now; nullopt if the variant has none.
[[nodiscard]] std::optional<Row> limiting_row(const Variants& variants, const Variant& variant,
                                              const std::string& failure, const std::vector<Bound>& bounds);

}  // namespace spillway::plan
