// How large a scenario, or what one is made of by Envoy's documents, may be: what would take more memory or time than a
// machine has is refused in words before anything is made of it.
//
// Each limit is one on a product that a short file can make large: pairs of zones, points of hash rings, subsets of
// lists, rounds of short intervals. All of them are told as SP160, with the number that it is and what to reduce.
// Results are limited by memory alone (`--limit-memory`).
#pragma once

#include <cstdint>
#include <functional>

#include "models/config/strong.hpp"
#include "models/documents/diagnostic.hpp"

namespace spillway::messages {
struct Scenario;  // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

// SimGrid and the table of latencies hold every pair of zones: 17 bytes each.
inline constexpr std::size_t most_zones = 4'000;
inline constexpr std::uint64_t most_nodes_in_all = 200'000;
// Points of rings (16 bytes each) and slots of Maglev tables, of all views together: what the proxies of one place
// have for one cluster.
inline constexpr double most_table_entries = 4e7;
inline constexpr std::uint64_t most_subsets = 1'000'000;
// Sweeps of outlier detection and rounds of active checks, over all proxies and the whole run.
inline constexpr double most_rounds = 2e8;

// "SP160 the scenario is too large", at a place of the file, with what it would be, the limit, and what to reduce.
void refuse_size(Diagnostics& problems, Span where, const std::string& what, const std::string& help);

// Tables, subsets and rounds; each service at its place in what was read. Nothing where there are errors already.
using PlaceOfService = std::function<Span(config::ServiceIndex)>;
void refuse_large_clusters(const Scenario& scenario, const PlaceOfService& place, Diagnostics& problems);
// Of a scenario file, which must have a service.
void refuse_large_clusters(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems);

}  // namespace spillway::scenario::binding
