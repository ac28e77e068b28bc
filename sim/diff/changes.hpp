// The kinds of changes of a difference, each found in one context or between the two files.
//
//   append(difference.moves, moves_of(before, after, context, none));
//
// Functions of two looks return rows of one context, whose index they write into each. Clients and services that only
// one side has are left out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

class Look;  // look.hpp

// True if the numbers are equal except for rounding.
[[nodiscard]] bool same(double before, double after) noexcept;

// True if the counts before and after are consistent with equal shares. Uses the likelihood-ratio (G) test of two
// samples; its statistic has a chi-square distribution with categories - 1 degrees of freedom. False alarms happen at
// most once in a million. Source: Wilson and Hilferty's approximation, which is slightly stricter for few categories
// (27.5 instead of 23.9 for two).
[[nodiscard]] bool same_by_count(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts);

// Returns the requests whose target changes: one row per client and service, if anything moves. `none` receives the
// counted shares of which no move is found.
[[nodiscard]] std::vector<Move> moves_of(const Look& before, const Look& after, std::size_t context,
                                         NoDifference& none);

// Returns the hashed requests that go to another endpoint: one row per client and service, if any key moves. If a
// workload names its requests, each one's endpoint is looked up in both. Requests with one endpoint in both are
// compared, by weight and by number. Otherwise all 2^64 hashes are compared: rings arc by arc and tables slot by slot,
// for each residue modulo 100, which selects the priority. Two tables of different lengths, or a ring and a table, are
// assumed to use independent parts of the hash. The error is less than the table's length in 2^64.
[[nodiscard]] std::vector<KeyMove> key_moves_of(const Look& before, const Look& after, std::size_t context);

// Returns the changes in the services that a client's requests go to: by weighted clusters, routes and workloads. In
// the order of the newer one's clients. O(flows).
[[nodiscard]] std::vector<Split> splits_of(const Look& before, const Look& after, std::size_t context);

// Returns the endpoints that go above or below their limit or all of their cores. The limit is the lowest `utilisation`
// objective of the services that the endpoint answers; 1 without an objective.
[[nodiscard]] std::vector<Overload> overloads_of(const Look& before, const Look& after, std::size_t context);
// Returns the zones whose most loaded endpoint has another load than before.
[[nodiscard]] std::vector<ZoneLoad> zone_loads_of(const Look& before, const Look& after, std::size_t context);
// Returns the services whose traffic between zones changes.
[[nodiscard]] std::vector<Crossing> crossings_of(const Look& before, const Look& after, std::size_t context);
// Returns the clients whose rate changes.
[[nodiscard]] std::vector<RateChange> rate_changes_of(const Look& before, const Look& after, std::size_t context);

// Returns zones, endpoints, clients, and requests of clients to services that only one scenario has, by name. Zone
// proxies that are in no document are left out. Items of the newer one come first, then those of the older one.
[[nodiscard]] std::vector<Presence> presences_of(const scenario::Scenario& before, const scenario::Scenario& after);

// Returns new and resolved warnings. A warning with the same code at the same place (places.hpp) is unchanged, even if
// its text or line differs. New ones come first, each side in the order of its file.
[[nodiscard]] std::vector<Lint> lints_of(const Side& before, const Side& after);

// Returns the zones and services for which another number of lost endpoints makes traffic leave the zone or panic, in
// the order of the newer side. Empty for Envoy documents, which describe no traffic, and for more than 2,000 endpoints.
// Takes one plan::onsets_of() per side.
[[nodiscard]] std::vector<OnsetChange> onset_changes(const Side& before, const Side& after, Nanoseconds at);

}  // namespace spillway::diff
