// The columns of a share row, named as in the JSON: what `wide` and `csv` have in common.
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

// "epoch", "start_s", "end_s", "client", ... "attempts"; `at_rest` where those are asked for, else `exact`.
[[nodiscard]] std::vector<std::string> share_field_names(const run::Results& results);

// The fields of one row in this order; empty where there is nothing to say: unknown, dropped by grouping, or not there.
[[nodiscard]] std::vector<std::string> share_fields(const scenario::Scenario& scenario, const Grouped& grouped,
                                                    const run::Epoch* epoch, const run::Share& share);

// The shortest digits that read back as the same double: "0.7", "1e-9".
[[nodiscard]] std::string shortest(double number);

}  // namespace spillway::reports
