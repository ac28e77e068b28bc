// Failures of a variant, each with its loads and margins, and the headroom that they leave.
#pragma once

#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Variants;     // variants.hpp
struct Bound;       // objectives.hpp
struct Failure;     // failures.hpp
struct Headroom;    // plan.hpp
struct Loads;       // loads.hpp
struct Row;         // plan.hpp
struct ServiceRow;  // plan.hpp
struct Variant;     // variants.hpp

// The largest growth that a plan considers.
inline constexpr double most_growth = 64.0;

// Returns the row of a failure. Precondition: `loads` are those of `still`, in which `failure` has happened.
[[nodiscard]] Row row_of(const scenario::Scenario& still, const Loads& loads, const Failure& failure,
                         const std::vector<Bound>& bounds);

// Returns one row per requested service.
[[nodiscard]] std::vector<ServiceRow> service_rows_of(const scenario::Scenario& still, const Loads& loads,
                                                      const Failure& failure);

// Returns one row per failure of the variant.
[[nodiscard]] std::vector<Row> rows_of(const Variants& variants, const Variant& variant,
                                       const std::vector<Bound>& bounds);

// Returns the least growth that any row allows; the first of equals. Counted rows are scaled.
[[nodiscard]] Headroom headroom_of(const std::vector<Row>& rows);

// Like headroom_of(rows), but counts rows also at other rates if a row was counted. Stops when the highest growth that
// holds and the lowest that fails are 2 % apart, or when the interval of the counts is too wide. Precondition: `rows`
// are those of the variant.
[[nodiscard]] Headroom headroom_of(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                                   const std::vector<Bound>& bounds);

}  // namespace spillway::plan
