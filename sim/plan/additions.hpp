// What one more endpoint gives, group by group.
#pragma once

#include <vector>

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class Variants;   // variants.hpp
struct Addition;  // plan.hpp
struct Bound;     // objectives.hpp
struct Row;       // plan.hpp
struct Variant;   // variants.hpp

// By group. `rows` are those of `variant`. An endpoint adds no headroom if it cannot change what the bound that ends
// the headroom is about, or if it leaves that bound where it is: the other failures are not evaluated then.
[[nodiscard]] std::vector<Addition> additions_of(const scenario::ScenarioTemplate& base, const Variants& variants,
                                                 const Variant& variant, const std::vector<Row>& rows,
                                                 const std::vector<Bound>& bounds);

}  // namespace spillway::plan
