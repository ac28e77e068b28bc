// Limits on the size of a scenario, or of one assembled from Envoy's documents. Scenarios that need more memory or time
// than a machine has are refused with an error before anything is built.
//
// Each limit is on a product that a short file can make large: pairs of zones, points of hash rings, subsets of lists,
// rounds of short intervals. All of them are reported as SP160, with the actual number and a suggestion what to reduce.
// Results are limited only by memory (`--limit-memory`).
#pragma once

#include <cstdint>
#include <functional>

#include "models/config/strong.hpp"
#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::messages {
struct Scenario;  // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario::binding {

// SimGrid and the table of latencies store every pair of zones: 17 bytes each.
inline constexpr std::size_t most_zones = 4'000;
inline constexpr std::uint64_t most_nodes_in_all = 200'000;
// Points of rings (16 bytes each) and slots of Maglev tables, summed over all views: the tables that the proxies of one
// zone have for one cluster.
inline constexpr double most_table_entries = 4e7;
inline constexpr std::uint64_t most_subsets = 1'000'000;
// Sweeps of outlier detection and rounds of active checks, over all proxies and the whole run.
inline constexpr double most_rounds = 2e8;

// Adds "SP160 the scenario is too large" at a place of the file, with the actual size, the limit, and a suggestion what
// to reduce.
void refuse_size(Diagnostics& problems, Span where, const std::string& what, const std::string& help);

// Checks tables, subsets and rounds, and reports each service at its place in the input. Does nothing if there are
// errors already.
using PlaceOfService = std::function<Span(config::ServiceIndex)>;
void refuse_large_clusters(const Scenario& scenario, const PlaceOfService& place, Diagnostics& problems);
// Checks those of a scenario file. Precondition: the file has a service.
void refuse_large_clusters(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems);

}  // namespace spillway::scenario::binding
