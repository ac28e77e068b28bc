// A capacity plan: what every failure does to a scenario's endpoints at its busiest moment, and what that asks for.
//
//   scenario::ScenarioTemplate base("three-zones.yaml");
//   plan::Plan plan = plan::make_plan(base, {});
//   plan.rows[2].failure.name;        // "zone-2 endpoints"
//   plan.headroom.growth;             // 1.067: at so many times the requests everything still holds
//
// Utilisation, cross-zone traffic and requests that fail follow from exact shares where first attempts say it all; else
// they are counted. Latency and errors that come from queues are measured (measured.hpp). Deterministic.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/plan/busiest_moments.hpp"
#include "sim/plan/measured.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

// What one failure does.
struct Row {
  Failure failure;
  std::vector<std::optional<double>> zones;  // by ZoneIndex: utilisation of the zone's busiest endpoint; none: nothing
                                             // runs there any more, or cores are without limit
  std::vector<double> zone_shares = {};      // by ZoneIndex: of all requests, those that its endpoints answer
  std::optional<config::EndpointIndex> busiest = {};
  std::optional<double> utilisation = {};  // of the busiest
  double rate = 0.0;                       // requests a second
  double not_sent = 0.0;                   // that lost clients would have sent beside
  double failed = 0.0;                     // fraction of them, for whatever reason
  double no_host = 0.0;                    // fraction of them that found no endpoint to go to
  std::vector<FailedRequests> failing = {};
  double cross_zone = 0.0;            // fraction of them
  std::optional<double> bytes = 0.0;  // a second between zones; none: not known
  std::optional<double> cost = 0.0;   // a month; likewise
  std::vector<std::string> panics = {};
  std::vector<Margin> margins = {};
  std::optional<Margin> tightest = {};
  bool exact = true;
  std::vector<Estimate> estimates = {};                             // of bounds that must be measured
  std::vector<Bound> unknown = {};                                  // bounds that no one can tell
  double settled_growth = std::numeric_limits<double>::infinity();  // settled_growth()

  // No client is left that sends anything: neither good nor bad.
  [[nodiscard]] bool has_no_traffic() const noexcept { return rate <= 0.0; }
  // The worst of all margins and estimates; open, too, where a bound is not known.
  [[nodiscard]] Judgement judgement() const;
  [[nodiscard]] bool holds() const { return judgement() == Judgement::holds; }
};

// How far requests can grow, and the row and bound that end it.
struct Headroom {
  double growth = 0.0;  // infinite where no bound grows with the requests
  // The lowest growth that fails for sure: more than `growth` where that rests on counted requests. None: the same.
  std::optional<double> fails = {};
  // Of counted requests, where no growth was seen to hold: the lowest that was tried, whose row and margin these are.
  std::optional<double> lowest_tried = {};
  std::size_t row = 0;
  std::optional<Margin> margin = {};
};

// The same for what is measured. Between the two is undecided with so many replications.
struct MeasuredHeadroom {
  double holds = 0.0;                // the highest growth that was proven under every failure; 0: none
  std::optional<double> fails = {};  // the lowest that was seen to fail
  std::size_t row = 0;               // the failure that ended it, and its estimate
  std::optional<Estimate> estimate = {};
  double estimated_at = 0.0;  // growth that the estimate is of
  std::uint32_t replications = 0;
  std::uint32_t proofs = 0;  // replications with draws of their own by which `holds` was proven
  // Simulations that went on for longer, because queues had not settled: how many, and how many seconds each lasted.
  struct Longest {
    std::uint32_t replications = 0;
    double seconds = 0.0;
  };
  std::optional<Longest> longest = {};
};

struct ServiceHeadroom {
  config::ServiceIndex service;
  double rate = 0.0;    // requests a second now, while nothing fails
  double growth = 0.0;  // of this service alone
  std::size_t row = 0;
};

// So many endpoints of a group.
struct Part {
  scenario::EndpointGroup group;  // as the file has it
  std::uint32_t count = 1;
};

struct Fewest {
  std::vector<Part> parts;
  std::uint32_t endpoints = 0;
  std::uint32_t now = 0;
  // Every smaller total was tried or is ruled out, since as many or more of each group are too few for their load; else
  // this is the smallest that was found.
  bool proved = false;
  std::uint32_t at_least = 0;  // so many are needed: all smaller totals are ruled out
  // Endpoints among them that latency or errors ask for beyond what shares do, and whether these hold now; none:
  // nothing had to be measured.
  std::uint32_t raised = 0;
  std::optional<Judgement> measured = {};
  bool lacks_requests = false;  // open for nothing but the number of requests that were simulated
  // Another of the busiest moments (Plan::busiest), at which so few fail an objective.
  std::optional<std::chrono::nanoseconds> fails_at = {};
  Headroom headroom = {};     // with them, whose rows and endpoints are not those of the plan...
  std::string failure = {};   // ...but are called so: what ends it
  std::string endpoint = {};  // of its margin, if it is about one
};

// One endpoint more.
struct Addition {
  scenario::EndpointGroup group;
  Headroom headroom = {};
};

// What happens to the clients of a zone while it loses endpoints of a service: the first ones first, or first those of
// one kind that are alike, where fewer of these are enough.
struct Onset {
  config::ZoneIndex zone;
  config::ServiceIndex service;
  std::uint32_t endpoints = 0;                       // in the zone
  double cross_zone = 0.0;                           // fraction of their traffic that leaves the zone with none lost
  std::optional<std::uint32_t> leaves_zone_at = {};  // so many lost: more of their traffic leaves the zone than before
  std::optional<std::uint32_t> panic_at = {};
  // Of which kind those are, by its first one. None: the first of the file.
  std::optional<config::EndpointIndex> leaves_zone_by = {};
  std::optional<config::EndpointIndex> panic_by = {};
};

// Another setting, and what it would give.
struct WhatIf {
  std::string setting;  // "overprovisioning_factor"
  std::string value;    // "140"
  bool now = false;     // as the scenario has it
  Headroom headroom = {};
  Row worst = {};  // the row that allows least growth
};

struct Plan {
  std::chrono::nanoseconds at{0};
  BusiestMoments busiest = {};      // of which `at` is the hardest; empty: the request names the moment
  double growth = 1.0;              // that the plan was asked for
  double mean_rate = 0.0;           // requests a second over the whole run, with that growth; costs are of the moment's
  bool assumed_objectives = false;  // the scenario has none
  bool assumed_failures = false;
  std::vector<Bound> bounds;
  std::vector<Row> rows;  // the first: nothing fails
  Headroom headroom;
  std::optional<MeasuredHeadroom> measured = {};  // where something must be measured
  bool measured_ends_first = false;               // `headroom` has its growth, and no margin
  // The growth that follows from the rows as they are, as in `additions` and `what_ifs`: where requests are counted,
  // scaled from the present rate, unlike `headroom`.
  double scaled_growth = 0.0;
  bool utilisation_known = true;  // some endpoint has cores, or no objective asks
  std::vector<ServiceHeadroom> services;
  // None: no number of endpoints that was tried is enough, or none may change, or what an endpoint can do is not known.
  std::optional<Fewest> fewest = {};
  bool fewest_bounded = false;  // the search ended where it became too long
  // Not searched: the load alone needs at least so many.
  std::optional<std::uint64_t> fewest_needs_at_least = {};
  std::vector<Addition> additions;  // by group; the first of the best first
  std::vector<Onset> onsets;
  std::vector<WhatIf> what_ifs;

  // The worst of all rows that have traffic.
  [[nodiscard]] Judgement judgement() const;
  [[nodiscard]] bool holds() const { return judgement() == Judgement::holds; }
};

struct Request {
  std::optional<std::chrono::nanoseconds> at = {};  // else the hardest of the busiest moments
  double growth = 1.0;
  std::optional<double> rate = {};  // of all clients together, instead of `growth`
  Evaluator::Effort effort = {};
  bool rows_alone = false;  // and the headroom from shares: nothing is measured, no other number or setting tried
  std::function<void(double done)> progress = {};  // from 0 to 1; may be empty
};

// Nothing but problems (of `failures`, of a scenario that sends nothing), or a plan. `base` has been read without
// error.
[[nodiscard]] std::variant<Plan, Diagnostics> make_plan(const scenario::ScenarioTemplate& base, const Request& request);

}  // namespace spillway::plan
