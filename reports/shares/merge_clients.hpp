// Merges the clients of each service into one client with index 0: see reports/shares/group_by.hpp.
#pragma once

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Merges the clients. Different clients' shares of the same place remain separate rows, each weighted by its client's
// fraction of the requests, so that their sum is the total. In mode exact, clients with common exact shares have one
// row. Rows stay in the order of the clients. O(epochs of all clients + rows that differ).
[[nodiscard]] run::Results merge_clients(const scenario::Scenario& scenario, const run::Results& results);

}  // namespace spillway::reports
