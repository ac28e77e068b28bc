// How much a report would print, computed from the scenario alone, before anything is simulated.
//
//   if (printed_cells(scenario, by) > most_printed_cells) { ... }
//
// A cell is the share of one client (or of all together), in one epoch, at one group of endpoints. Epochs are counted
// by the moments at which proxies are told something, so that there are at most as many cells as this.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class Dimensions;  // group_by.hpp

inline constexpr double most_printed_cells = 50e6;

// Shares. O(flows + changes + endpoints of each service).
[[nodiscard]] double printed_cells(const scenario::Scenario& scenario, const Dimensions& by);

// Rows of requests from zone to zone: client, epoch, pair of zones.
[[nodiscard]] double printed_crossings(const scenario::Scenario& scenario, const Dimensions& by);

// Rows of what endpoints had to do: by epoch of all tables together, or by sample where an interval is given.
[[nodiscard]] double printed_loads(const scenario::Scenario& scenario, std::optional<std::chrono::nanoseconds> sample);

// Clients and the services that they ask for: as many tables as there are by client.
[[nodiscard]] std::size_t printed_tables(const scenario::Scenario& scenario);

// As much of `by` as is printed in few enough cells: first without endpoints and nodes, then without clients.
[[nodiscard]] Dimensions fewer_dimensions(const scenario::Scenario& scenario, Dimensions by);

// As `--by` takes them: "client,priority,zone".
[[nodiscard]] std::string names_of(const Dimensions& by);

}  // namespace spillway::reports
