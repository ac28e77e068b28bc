// Clients that no endpoint can help: under some failure all of their requests for a service fail, however many
// endpoints each group has.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario {
struct EndpointGroup;  // variation.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class Variants;         // variants.hpp
struct Bound;           // objectives.hpp
struct FailedRequests;  // loads.hpp
struct Row;             // plan.hpp

// True if under a failure some clients' requests for a service all fail, by shares, now and with twice the largest
// number of endpoints in every group, and if these alone are more than a bound allows. Simulates nothing. Precondition:
// `rows` are those of the file's own numbers of endpoints.
[[nodiscard]] bool any_cut_off(const Variants& variants, const std::vector<Row>& rows,
                               const std::vector<scenario::EndpointGroup>& groups, const std::vector<Bound>& bounds);

// Returns the flows of which every request fails and no endpoint in reach answers, whatever is tried again.
[[nodiscard]] std::set<std::pair<config::ClientEntryIndex, config::ServiceIndex>> unanswered(
    const scenario::Scenario& still, const std::vector<FailedRequests>& failing);

}  // namespace spillway::plan
