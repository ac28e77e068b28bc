// Makes the clients of each service one client, that with index 0: see reports/shares/group_by.hpp.
#pragma once

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// Shares of the same place by different clients stay rows of their own, each already weighted by its client's part of
// the requests, so that adding them up gives the whole; in mode exact those of clients that share their exact shares
// become one. They stay in the order of the clients. O(epochs of all clients + rows that differ).
[[nodiscard]] run::Results merge_clients(const scenario::Scenario& scenario, const run::Results& results);

}  // namespace spillway::reports
