// What a change of a scenario, of Envoy documents or of Kuma policies moves: the outcome, before anything is printed.
//
//   diff::Difference difference = diff::compare(before, after, {});
//   difference.changed();               // false: the same traffic, load, keys, cost and lints
//   difference.moves[0].points;         // 0.4 of the client's requests go elsewhere
//
// Two scenarios share no indices: whatever stands here is a name. Clients, services, zones and endpoints of one name
// are the same. Shares are fractions of a client's requests to a service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::diff {

// Health of the endpoints of one service in one zone as everybody has been told it.
struct ZoneHealth {
  std::string service;
  std::string zone;
  std::uint32_t endpoints = 0;  // of the file
  std::uint32_t members = 0;    // of them in the endpoint set
  std::uint32_t healthy = 0;    // of these
};

// Something that both were looked at in.
struct Context {
  enum class Kind : std::uint8_t {
    moment,   // from `start` to `end` nothing happens in either
    failure,  // of the plan, at the moment `start`
    run,      // both scenarios with all that happens in them, from 0 to `end`
  };
  Kind kind = Kind::moment;
  double start = 0.0;  // seconds
  double end = 0.0;
  std::string failure;                      // its name
  std::vector<ZoneHealth> health = {};      // zones that lack something, of the newer one
  std::vector<ZoneHealth> health_old = {};  // the same of the older one
  std::vector<std::string> nodes_out = {};  // of the newer one
  std::uint64_t ways = 1;                   // failures that are like this one, itself among them
};

// One number before and after; by default a share.
struct Part {
  std::string name;
  double before = 0.0;
  double after = 0.0;
  // Of a counted part: half the width of the 95 % interval around its change.
  std::optional<double> half_width = {};
  [[nodiscard]] double change() const noexcept { return after - before; }
};

// The requests of one client to one service, in one context, where some go elsewhere than before: by first attempt,
// those that an endpoint answers. Parts that do not change are left out, the others in the order of the files.
struct Move {
  std::size_t context = 0;
  std::string client;
  std::string client_zone;
  std::string service;
  // Shares moved: half the sum of what the shares of endpoints at their priorities change by. The least part of the
  // requests that goes elsewhere: more do where some come to an endpoint as others leave it (KeyMove counts these).
  double points = 0.0;
  double zone_points = 0.0;  // the same of the shares of zones
  std::vector<Part> zones;
  std::vector<Part> priorities;  // "P0"; of children of an aggregate cluster "primary P0"
  std::vector<Part> endpoints;
  Part no_host = {"no host"};
  Part lost = {"lost endpoint"};  // first attempts that go to an endpoint that is gone or out, and are not answered
  bool exact = true;  // else counted, and no move by chance: a G-test tells, with one false alarm in a million
};

// The most loaded endpoint of a zone.
struct ZoneLoad {
  std::size_t context = 0;
  std::string zone;
  std::string endpoint_before;  // empty: none, or its cores are without limit
  std::string endpoint_after;
  std::optional<double> before = {};  // utilisation, 1: all of its cores
  std::optional<double> after = {};
};

// An endpoint that comes over what is allowed, or no longer is.
struct Overload {
  std::size_t context = 0;
  std::string endpoint;
  std::string zone;
  std::optional<double> before = {};  // utilisation; none: it was not there
  std::optional<double> after = {};
  double limit = 1.0;  // that it crosses: of the objective, or 1
  // More than rounding above the limit.
  [[nodiscard]] bool over() const noexcept { return after && *after > limit * (1.0 + 1e-9); }
};

// Hashed requests that another endpoint gets: each key counts, whatever becomes of the endpoints' shares.
struct KeyMove {
  std::size_t context = 0;
  std::string client;
  std::string service;
  bool named = true;       // else every hash there is, by the arcs of rings and the slots of tables
  std::uint64_t keys = 0;  // named: how many, and of them those that move
  std::uint64_t moved = 0;
  double share = 0.0;  // that moves: of the hashed requests by weight, or of all hashes
  // Not named: that must move whatever the hash, since endpoints gain so much by their weights; 0: nothing must.
  double least = 0.0;
  std::vector<std::string> names = {};  // of some that move, heaviest first
};

// What goes from zone to zone.
struct Crossing {
  std::size_t context = 0;
  std::string service;
  Part share = {"share"};            // of the service's requests
  Part bytes = {"bytes_per_month"};  // in 730 hours
  Part cost = {"cost_per_month"};    // by the price of links
};

// Requests a second of all clients of an entry.
// Services whose parts of a client's requests change.
struct Split {
  std::size_t context = 0;
  std::string client;
  std::vector<Part> services = {};  // parts of what the client sends

  // Of its requests, those that ask for another service.
  [[nodiscard]] double points() const noexcept;
};

struct RateChange {
  std::size_t context = 0;
  Part rate;  // the client's name
};

struct Lint {
  std::string code;
  std::string place;  // "policies[mesh-lb].spec.to[0].default.localityAwareness"
  std::string message;
  Span where;
  bool gained = true;
};

// That stands in one of them alone.
struct Presence {
  std::string kind;  // "zone", "endpoint", "client", "request" (of a client to a service), "failure"
  std::string name;
  bool added = true;
};

// A place where the files differ, whether that has an effect or not.
struct Edit {
  std::string place;
  Span where;  // in the newer one
};

// What requests show when both sides are simulated, which shares do not.
enum class Figure : std::uint8_t {
  failed,  // fraction of the requests, for whatever reason; then by reason, as in run::Outcomes
  no_healthy_upstream,
  upstream_error,
  timeout,
  overflow,
  queue_full,
  connect_failure,
  drop_overload,
  unfinished,
  p50,  // seconds, of the successful answers
  p90,
  p99,
  attempts,     // for each request
  utilisation,  // fraction of the cores, of the busiest endpoint of a zone, mean over the time
};

// One figure of both sides: means over the replications.
struct SimulatedFigure {
  std::size_t context = 0;
  Figure figure = Figure::failed;
  std::string client;  // empty: of all clients
  std::string service;
  std::string zone;  // of a utilisation, which is of no client or service
  double before = 0.0;
  double after = 0.0;
  double half_width = 0.0;  // of the interval around the change
  bool identical = false;   // both sides show the same number in every replication

  [[nodiscard]] double change() const noexcept { return after - before; }
  // The interval leaves out 0.
  [[nodiscard]] bool differs() const noexcept;
};

// Of one kind of figure: all those that do not differ.
struct NoDifference {
  Figure figure = Figure::failed;
  std::size_t compared = 0;
  double within = 0.0;  // the widest of their intervals: half of it
};

// Both sides simulated in mode requests with the same draws, replication by replication (random streams hang on names).
// A figure differs where Student's interval around the mean of the paired differences leaves out 0. All intervals
// together hold with `confidence` (Bonferroni over the figures that are not identical on both sides).
struct Simulated {
  std::uint32_t replications = 0;  // 0: nothing was simulated
  double confidence = 0.99;
  std::uint64_t seed = 0;      // of the first replication, on both sides
  std::uint64_t requests = 0;  // of both sides, all replications and contexts
  std::size_t failures = 0;    // contexts of failures among them
  double failure_seconds = 0;  // for how long each of them was simulated
  bool by_client = true;       // else of all clients of a service together
  // Of the context `run` all; of failures those that differ. In the order of contexts, clients, services and figures.
  std::vector<SimulatedFigure> figures = {};
  std::vector<NoDifference> no_difference = {};

  [[nodiscard]] bool differs() const noexcept;
};

struct Difference {
  std::string name_before;  // of the file
  std::string name_after;
  std::vector<Context> contexts;
  double failures_at = 0.0;          // seconds: the moment that failures happen at
  std::vector<Move> moves;           // most points first
  bool utilisation_known = true;     // in both
  std::vector<Overload> overloads;   // those that come over first, highest first
  std::vector<ZoneLoad> zone_loads;  // those that change
  std::vector<KeyMove> keys;         // largest share first
  std::vector<Crossing> crossings;   // largest change of cost, then of bytes, first
  std::vector<Split> splits;
  std::vector<RateChange> rates;
  std::vector<Lint> lints;  // gained first
  std::vector<Presence> presences;
  std::vector<Edit> edits;
  Simulated simulated = {};
  std::vector<std::string> not_compared = {};  // each with the reason
  std::vector<std::string> notes;              // how firm this is

  // Something that is compared is not as it was.
  [[nodiscard]] bool changed() const noexcept;
};

}  // namespace spillway::diff
