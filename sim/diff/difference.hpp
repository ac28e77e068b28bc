// The effect of a change of a scenario, of Envoy documents or of Kuma policies, before anything is printed.
//
//   diff::Difference difference = diff::compare(before, after, {});
//   difference.changed();               // false: the same traffic, load, keys, cost and lints
//   difference.moves[0].points;         // 0.4 of the client's requests go elsewhere
//
// Two scenarios share no indices, so everything here is identified by name. Clients, services, zones and endpoints of
// the same name are the same. Shares are fractions of a client's requests to a service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::diff {

// Health of one service's endpoints in one zone, as reported by EDS.
struct ZoneHealth {
  std::string service;
  std::string zone;
  std::uint32_t endpoints = 0;  // in the file
  std::uint32_t members = 0;    // of `endpoints`: in the endpoint set
  std::uint32_t healthy = 0;    // of `members`: healthy
};

// A situation in which both sides were compared.
struct Context {
  enum class Kind : std::uint8_t {
    moment,   // nothing happens in either from `start` to `end`
    failure,  // a failure of the plan, at `start`
    run,      // both scenarios with all their changes, from 0 to `end`
  };
  Kind kind = Kind::moment;
  double start = 0.0;  // [s]
  double end = 0.0;
  std::string failure;                      // its name
  std::vector<ZoneHealth> health = {};      // zones of the newer one with missing or unhealthy endpoints
  std::vector<ZoneHealth> health_old = {};  // the corresponding zones of the older one
  std::vector<std::string> nodes_out = {};  // in the newer one
  std::uint64_t ways = 1;                   // number of equivalent failures, including this one
};

// A number before and after; by default a share.
struct Part {
  std::string name;
  double before = 0.0;
  double after = 0.0;
  // For a counted part: half the width of the 95 % interval around its change.
  std::optional<double> half_width = {};
  [[nodiscard]] double change() const noexcept { return after - before; }
};

// The requests of one client to one service in one context, if some go to another target than before. Counts first
// attempts that an endpoint answers. Unchanged parts are left out, the others are in the order of the files.
struct Move {
  std::size_t context = 0;
  std::string client;
  std::string client_zone;
  std::string service;
  // Shares moved: half the sum of the changes of shares, over endpoints and priorities. A lower bound: more requests
  // move if some come to an endpoint while others leave it (KeyMove counts these).
  double points = 0.0;
  double zone_points = 0.0;  // likewise for shares of zones
  std::vector<Part> zones;
  std::vector<Part> priorities;  // "P0"; for children of an aggregate cluster "primary P0"
  std::vector<Part> endpoints;
  Part no_host = {"no host"};
  Part lost = {"lost endpoint"};  // first attempts sent to an endpoint that is gone or down, and not answered
  bool exact = true;              // if false, counted and significant: a G-test has one false alarm in a million
};

// The most loaded endpoint of a zone.
struct ZoneLoad {
  std::size_t context = 0;
  std::string zone;
  std::string endpoint_before;  // empty if there is none or if its cores are unlimited
  std::string endpoint_after;
  std::optional<double> before = {};  // utilisation; 1 if all of its cores are busy
  std::optional<double> after = {};
};

// An endpoint that exceeds its limit now, or does so no longer.
struct Overload {
  std::size_t context = 0;
  std::string endpoint;
  std::string zone;
  std::optional<double> before = {};  // utilisation; nullopt if it did not exist
  std::optional<double> after = {};
  double limit = 1.0;  // the limit crossed: the objective's, or 1
  // True if above the limit by more than rounding.
  [[nodiscard]] bool over() const noexcept { return after && *after > limit * (1.0 + 1e-9); }
};

// Hashed requests whose endpoint changes. Each key counts, even if the endpoints' shares stay the same.
struct KeyMove {
  std::size_t context = 0;
  std::string client;
  std::string service;
  bool named = true;       // if false, all hashes are compared, by the arcs of rings and the slots of tables
  std::uint64_t keys = 0;  // if named: number of keys; `moved` of them move
  std::uint64_t moved = 0;
  double share = 0.0;  // moved part of the hashed requests by weight, or of all hashes
  // If not named: share that must move with any hash function, because endpoints gain weight; 0 if nothing must.
  double least = 0.0;
  std::vector<std::string> names = {};  // some of the keys that move, heaviest first
};

// Traffic of a service between zones.
struct Crossing {
  std::size_t context = 0;
  std::string service;
  Part share = {"share"};            // of the service's requests
  Part bytes = {"bytes_per_month"};  // per 730 hours
  Part cost = {"cost_per_month"};    // by the price of links
};

// Changes of the services that a client's requests are for.
struct Split {
  std::size_t context = 0;
  std::string client;
  std::vector<Part> services = {};  // as fractions of the client's requests

  // Returns the fraction of the client's requests whose service changes.
  [[nodiscard]] double points() const noexcept;
};

struct RateChange {
  std::size_t context = 0;
  Part rate;  // [requests/s] of all clients of an entry; named after the client
};

struct Lint {
  std::string code;
  std::string place;  // "policies[mesh-lb].spec.to[0].default.localityAwareness"
  std::string message;
  Span where;
  bool gained = true;
};

// An item that is in only one of the scenarios.
struct Presence {
  std::string kind;  // "zone", "endpoint", "client", "request" (of a client to a service), "failure"
  std::string name;
  bool added = true;
};

// A place where the files differ, with or without an effect.
struct Edit {
  std::string place;
  Span where;  // in the newer file
};

// Figures that are measured by simulating both sides, because shares do not show them.
enum class Figure : std::uint8_t {
  failed,      // fraction of the requests, for any reason
  first_kind,  // then by kind: kinds_of_failed
  last_kind = first_kind + scenario::failures.size() - 1,
  p50,  // [s], of successful responses
  p90,
  p99,
  attempts,     // per request
  throughput,   // [successful responses/s] to users, who wait for them
  utilisation,  // fraction of the cores, for a zone's busiest endpoint, mean over time
  share,        // of a client's requests, counted at one target: in NoDifference alone
};

// The kinds of failed requests, in the order of their figures: what had not ended is the last.
inline constexpr auto kinds_of_failed = [] {
  auto kinds = scenario::failures;
  std::size_t place = 0;
  for (const scenario::Outcome failure : scenario::failures) {
    if (failure != scenario::Outcome::unfinished) {
      kinds[place++] = failure;
    }
  }
  kinds[place] = scenario::Outcome::unfinished;
  return kinds;
}();

// Returns the figure of this kind of failed requests.
[[nodiscard]] constexpr Figure figure_of(scenario::Outcome kind) noexcept {
  std::size_t place = 0;
  while (kinds_of_failed[place] != kind) {
    ++place;
  }
  return static_cast<Figure>(static_cast<std::size_t>(Figure::first_kind) + place);
}

// Returns the kind of failed requests that a figure is about; nullopt if it is none.
[[nodiscard]] constexpr std::optional<scenario::Outcome> kind_of_failed(Figure figure) noexcept {
  return figure < Figure::first_kind || figure > Figure::last_kind
             ? std::nullopt
             : std::optional(kinds_of_failed[static_cast<std::size_t>(figure) - 1]);
}

[[nodiscard]] constexpr bool is_latency(Figure figure) {
  return figure == Figure::p50 || figure == Figure::p90 || figure == Figure::p99;
}

// A figure of both sides: means over the replications.
struct SimulatedFigure {
  std::size_t context = 0;
  Figure figure = Figure::failed;
  std::string client;  // empty means all clients
  std::string service;
  std::string zone;  // of a utilisation, which has no client or service
  double before = 0.0;
  double after = 0.0;
  double half_width = 0.0;  // of the interval around the change; at least the precision of a latency
  bool identical = false;   // both sides have equal numbers in every replication

  [[nodiscard]] double change() const noexcept { return after - before; }
  // True if the interval excludes 0.
  [[nodiscard]] bool differs() const noexcept;
};

// Summary of all figures of one kind that do not differ.
struct NoDifference {
  Figure figure = Figure::failed;
  std::size_t compared = 0;
  double within = 0.0;  // half the width of the widest of their intervals; of shares, that of the G-test

  void add(double half_width) noexcept {
    ++compared;
    within = half_width > within ? half_width : within;
  }
};

// Results of simulating both sides in mode requests with the same random streams, replication by replication. (Random
// streams depend on names.) A figure differs if Student's interval around the mean of the paired differences excludes
// 0. All intervals hold together with `confidence` (Bonferroni over the figures that are not identical on both sides).
struct Simulated {
  std::uint32_t replications = 0;  // 0 if nothing was simulated
  double confidence = 0.99;
  std::uint64_t seed = 0;      // of the first replication, on both sides
  std::uint64_t requests = 0;  // of both sides, all replications and contexts
  std::size_t failures = 0;    // number of contexts that are failures
  double failure_seconds = 0;  // simulated time of each failure [s]
  bool by_client = true;       // if false, all clients of a service together
  bool instant = false;        // limits or timeouts are edited, and have no effect as no endpoint takes time to answer
  // All figures of the context `run`; only differing ones of failures. Sorted by context, client, service and figure.
  std::vector<SimulatedFigure> figures = {};
  std::vector<NoDifference> no_difference = {};

  [[nodiscard]] bool differs() const noexcept;
};

// The number of lost endpoints of a zone at which its clients' requests begin to leave it, or to panic, if either
// changes. nullopt if that never happens.
struct OnsetChange {
  std::string zone;
  std::string service;
  std::uint32_t endpoints_before = 0;  // of the service in the zone
  std::uint32_t endpoints_after = 0;
  std::optional<std::uint32_t> leaves_before = {};
  std::optional<std::uint32_t> leaves_after = {};
  std::optional<std::uint32_t> panic_before = {};
  std::optional<std::uint32_t> panic_after = {};

  [[nodiscard]] bool spill_changes() const noexcept { return leaves_before != leaves_after; }
};

struct Difference {
  std::string name_before;  // of the file
  std::string name_after;
  std::vector<Context> contexts;
  double failures_at = 0.0;                 // time of the failures [s]
  std::vector<Move> moves;                  // most points first
  NoDifference no_moves = {Figure::share};  // counted shares of which no move was found
  bool utilisation_known = true;            // on both sides
  std::vector<Overload> overloads;          // new overloads first, highest first
  std::vector<ZoneLoad> zone_loads;         // only those that change
  std::vector<KeyMove> keys;                // largest share first
  std::vector<Crossing> crossings;          // largest change of cost, then of bytes, first
  std::vector<Split> splits;
  std::vector<RateChange> rates;
  std::vector<OnsetChange> onsets;  // of every number of lost endpoints, from 1 to all
  std::vector<Lint> lints;          // gained first
  std::vector<Presence> presences;
  std::vector<Edit> edits;
  Simulated simulated = {};
  std::vector<std::string> not_compared = {};  // each with the reason
  std::vector<std::string> notes;              // how reliable the results are

  // True if anything compared has changed.
  [[nodiscard]] bool changed() const noexcept;
};

}  // namespace spillway::diff
