// Clients that no endpoint can help: under some failure all of their requests for a service fail, however many
// endpoints each group has.
#pragma once

#include <vector>

namespace spillway::scenario {
struct EndpointGroup;  // variation.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp
struct Row;      // plan.hpp

// True if under a failure some clients' requests for a service all fail, by shares, now and with twice the largest
// number of endpoints in every group, and if these alone are more than a bound allows. Simulates nothing. Precondition:
// `rows` are those of the file's own numbers of endpoints.
[[nodiscard]] bool any_cut_off(const Variants& variants, const std::vector<Row>& rows,
                               const std::vector<scenario::EndpointGroup>& groups, const std::vector<Bound>& bounds);

}  // namespace spillway::plan
