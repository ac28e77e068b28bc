// The columns of a share row, named as in the JSON, for `wide` and `csv`.
#pragma once

#include <string>
#include <vector>

namespace spillway::run {
struct Epoch;    // results.hpp
struct Results;  // results.hpp
struct Share;    // shares.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

struct Grouped;  // group_by.hpp

// Returns "epoch", "start_s", "end_s", "client", ... "attempts"; `at_rest` replaces `exact` if shares at rest were
// requested.
[[nodiscard]] std::vector<std::string> share_field_names(const run::Results& results);

// Returns the fields of one row in this order. A field is empty if it is unknown, dropped by grouping, or missing.
[[nodiscard]] std::vector<std::string> share_fields(const scenario::Scenario& scenario, const Grouped& grouped,
                                                    const run::Epoch* epoch, const run::Share& share);

// Formats with the fewest digits that read back as the same double: "0.7", "1e-9".
[[nodiscard]] std::string shortest(double number);

}  // namespace spillway::reports
