// A limit of concurrent requests that a circuit breaker should have.
//
//   auto limit = admitting_limit(variants, variant, rows, effort);
//   limit->max_requests;   // with it the requests of this row are admitted, as a simulation shows
#pragma once

#include <optional>
#include <vector>

namespace spillway::plan {

struct AdmittingLimit;  // plan.hpp
class Variants;         // variants.hpp
struct Effort;          // variants.hpp
struct Row;             // plan.hpp
struct Variant;         // variants.hpp

// Returns the limit for the row in which a breaker rejects most requests although no endpoint is overloaded: there a
// limit is reached whatever it is. Tried are one and a half times the mean number in flight, or four standard
// deviations of a Poisson number above it if that is more, then twice as much again and again; the first with which a
// simulation meets the row's measured objectives is returned. nullopt if there is no such row, or if no limit helps.
[[nodiscard]] std::optional<AdmittingLimit> admitting_limit(const Variants& variants, const Variant& variant,
                                                            const std::vector<Row>& rows, const Effort& effort);

}  // namespace spillway::plan
