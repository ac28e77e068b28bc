// Computes the size of a report from the scenario, before anything is simulated.
//
//   if (printed_cells(scenario, by) > most_printed_cells) { ... }
//
// A cell is the share of one client (or of all together), in one epoch, at one group of endpoints. Epochs are counted
// as times at which EDS state changes, so the result is an upper bound.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Dimensions;  // group_by.hpp

inline constexpr double most_printed_cells = 50e6;

// Returns a number that neither printed_cells() nor printed_crossings() exceeds, whatever `by`. Much cheaper than they
// are: O(flows + changes + hosts).
[[nodiscard]] double most_cells(const scenario::Scenario& scenario);

// Returns the number of shares. O(flows + changes + endpoints of each service).
[[nodiscard]] double printed_cells(const scenario::Scenario& scenario, const Dimensions& by);

// Returns the number of rows of requests between zones: client, epoch, pair of zones.
[[nodiscard]] double printed_crossings(const scenario::Scenario& scenario, const Dimensions& by);

// Returns the number of rows of endpoint loads: by epoch of all tables together, or by sample if an interval is given.
[[nodiscard]] double printed_loads(const scenario::Scenario& scenario, std::optional<std::chrono::nanoseconds> sample);

// Returns the number of pairs of client and requested service: the number of tables by client.
[[nodiscard]] std::size_t printed_tables(const scenario::Scenario& scenario);

// Returns the part of `by` that fits the limit of cells: first drops endpoints and nodes, then clients.
[[nodiscard]] Dimensions fewer_dimensions(const scenario::Scenario& scenario, Dimensions by);

// Returns the names as `--by` accepts them: "client,priority,zone".
[[nodiscard]] std::string names_of(const Dimensions& by);

}  // namespace spillway::reports
