// Failures of a variant, each with its loads and margins; and what they leave of headroom.
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class Variants;   // variants.hpp
struct Bound;     // objectives.hpp
struct Failure;   // failures.hpp
struct Headroom;  // plan.hpp
struct Loads;     // loads.hpp
struct Row;       // plan.hpp
struct Variant;   // variants.hpp

// No plan looks at more than so many times the requests.
inline constexpr double most_growth = 64.0;

// `loads` are those of `still`, in which `failure` has happened.
[[nodiscard]] Row row_of(const scenario::Scenario& still, const Loads& loads, const Failure& failure,
                         const std::vector<Bound>& bounds);

// Of all failures of the variant.
[[nodiscard]] std::vector<Row> rows_of(const Variants& variants, const Variant& variant,
                                       const std::vector<Bound>& bounds);

// The least growth that any row allows, the first of equals. Of counted rows by scaling what was counted.
[[nodiscard]] Headroom headroom_of(const std::vector<Row>& rows);

// The same, `rows` being those of the variant. Where a row was counted, rows are counted at other rates too, until the
// highest that holds and the lowest that fails are 2 % apart or the interval of the counts allows no closer look.
[[nodiscard]] Headroom headroom_of(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                                   const std::vector<Bound>& bounds);

}  // namespace spillway::plan
