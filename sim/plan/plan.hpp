// A capacity plan: the effect of every failure on a scenario's endpoints at its busiest time, and what is needed.
//
//   scenario::ScenarioTemplate base("three-zones.yaml");
//   plan::Plan plan = plan::make_plan(base, {});
//   plan.rows[2].failure.name;        // "zone-2 endpoints"
//   plan.headroom.growth;             // 1.067: at so many times the requests everything still holds
//
// Utilisation, cross-zone traffic and failed requests follow from exact shares if first attempts suffice; otherwise
// they are counted. Latency and errors caused by queues are measured (measured.hpp). Deterministic.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/plan/layout.hpp"
#include "sim/plan/measured.hpp"
#include "sim/plan/recovery.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {

// The effect of one failure on one service.
struct ServiceRow {
  config::ServiceIndex service;
  std::vector<std::optional<double>> zones = {};  // by ZoneIndex: utilisation of its busiest endpoint there
  std::optional<config::EndpointIndex> busiest = {};
  std::optional<double> utilisation = {};  // of the busiest
  double rate = 0.0;                       // requests/s
  double failed = 0.0;                     // fraction of them
  double cross_zone = 0.0;                 // fraction of them
};

// The effect of one failure.
struct Row {
  Failure failure;
  std::vector<std::optional<double>> zones;  // by ZoneIndex: utilisation of the zone's busiest endpoint; nullopt if
                                             // no endpoint is left there, or if cores are unlimited
  std::vector<double> zone_shares = {};      // by ZoneIndex: share of all requests that the zone's endpoints answer
  std::optional<config::EndpointIndex> busiest = {};
  std::optional<double> utilisation = {};  // of the busiest
  double rate = 0.0;                       // requests/s
  double not_sent = 0.0;                   // requests/s that lost clients would have sent in addition
  double failed = 0.0;                     // fraction of them, for any reason
  double lost_in_long_run = 0.0;           // fraction of them that overloaded endpoints cannot answer, by shares
  double no_host = 0.0;                    // fraction of them that found no endpoint to go to
  std::vector<FailedRequests> failing = {};
  double cross_zone = 0.0;            // fraction of them
  std::optional<double> bytes = 0.0;  // per second between zones; nullopt if unknown
  std::optional<double> cost = 0.0;   // per month; nullopt if unknown
  std::vector<std::string> panics = {};
  std::vector<Margin> margins = {};
  std::optional<Margin> tightest = {};
  bool exact = true;
  bool equal_picks = false;               // from shares of equal picks, confirmed by counting (equal_picks.hpp)
  std::vector<ServiceRow> services = {};  // of a plan's own rows: each requested service
  std::optional<Recovery> recovery = {};  // nullopt if nothing is lost
  std::vector<Estimate> estimates = {};   // of bounds that must be measured
  std::vector<Bound> unknown = {};        // bounds that cannot be determined
  double settled_growth = std::numeric_limits<double>::infinity();  // settled_growth()
  // By ServiceIndex: the growth from which load may fail requests in a way that shares do not show
  // (LoadLimits::growth_to). Empty if not known.
  std::map<std::uint32_t, double> load_fails_from = {};

  // True if shares tell the value of the bound at this growth, because no limit of load is near.
  [[nodiscard]] bool is_covered(const Bound& bound, double growth) const;
  // Returns the fraction of the requests that fail, counted ones and those of the long run included.
  [[nodiscard]] double failing_share() const;

  // True if no client is left that sends anything: neither good nor bad.
  [[nodiscard]] bool has_no_traffic() const noexcept { return rate <= 0.0; }
  // Returns the worst of all margins and estimates; open if a bound is unknown.
  [[nodiscard]] study::Verdict judgement() const;
  [[nodiscard]] bool holds() const { return judgement() == study::Verdict::met; }
};

// The headroom of measured bounds. Growths between `holds` and `fails` are undecided with this many replications.
struct MeasuredHeadroom {
  double holds = 0.0;                // highest growth confirmed under every failure; 0 if none
  std::optional<double> fails = {};  // the lowest observed to fail
  std::size_t row = 0;               // the limiting failure; `estimate` is its estimate
  std::optional<Estimate> estimate = {};
  double estimated_at = 0.0;  // growth of the estimate
  std::uint32_t replications = 0;
  std::uint32_t proofs = 0;  // replications with new seeds that confirmed `holds`
  // Simulations that were extended because queues had not settled: their number, and the length of each [s].
  struct Longest {
    std::uint32_t replications = 0;
    double seconds = 0.0;
  };
  std::optional<Longest> longest = {};
};

struct ServiceHeadroom {
  config::ServiceIndex service;
  double rate = 0.0;    // requests/s now, while nothing fails
  double growth = 0.0;  // of this service only
  std::size_t row = 0;
};

// The smallest set of endpoints that adds headroom.
struct NextStep {
  std::vector<Part> parts;           // `count` endpoints more of each group
  std::optional<double> price = {};  // of all of them, per hour; nullopt if a group has no price
  double growth = 0.0;               // the headroom with them
  double gain = 0.0;                 // of growth; the interval excludes zero
  bool measured = false;             // `growth` was simulated
};

// A limit of a circuit breaker with which the requests that it rejects are admitted (breaker_limit.hpp).
struct AdmittingLimit {
  std::size_t row = 0;
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  std::uint32_t max_requests = 0;
  double in_flight = 0.0;  // requests of one proxy at a time, by Little's law, while none waits
};

// The reason why no set of endpoints adds headroom.
enum class NoStep : std::uint8_t {
  unknown,           // not tried: capacities are unknown, or too many requests would have to be simulated
  not_limited,       // no objective depends on the rate of requests
  no_group,          // no endpoints of the file have a count
  not_by_endpoints,  // more endpoints do not help the objective that limits the headroom
};

// The answer to a larger number of requests.
struct GrowthRow {
  double growth = 1.0;  // of the scenario's requests
  double rate = 0.0;    // requests/s
  study::Verdict judgement = study::Verdict::met;
  std::string failure = {};                // the first of the worst failures
  std::string busiest = {};                // id of its busiest endpoint; empty if unknown
  std::optional<double> utilisation = {};  // of that endpoint
  double failed = 0.0;                     // fraction of its requests
  std::optional<Fewest> purchase = {};     // as Plan::purchase
};

// One more endpoint.
struct Addition {
  scenario::EndpointGroup group;
  Headroom headroom = {};
};

// The effect on a zone's clients while the zone loses endpoints of a service. Endpoints are lost in file order, or
// those of one alike kind first if fewer of these are enough.
struct Onset {
  config::ZoneIndex zone;
  config::ServiceIndex service;
  std::uint32_t endpoints = 0;  // in the zone
  double cross_zone = 0.0;      // fraction of their traffic that leaves the zone with no endpoint lost
  std::optional<std::uint32_t> leaves_zone_at = {};  // lost endpoints at which more traffic leaves than before
  std::optional<std::uint32_t> panic_at = {};
  // The kind of these endpoints, by its first one; nullopt if they are the first of the file.
  std::optional<config::EndpointIndex> leaves_zone_by = {};
  std::optional<config::EndpointIndex> panic_by = {};
};

// Another setting and its headroom.
struct WhatIf {
  std::string setting;  // "overprovisioning_factor"
  std::string value;    // "140"
  bool now = false;     // the scenario's present value
  Headroom headroom = {};
  // False if `headroom` is not known: its row was counted at a rate at which endpoints are overloaded.
  bool known = true;
  Row worst = {};  // the row that allows least growth
};

struct BusiestMoments {
  std::chrono::nanoseconds first{0};  // the time at which all clients together send most (moment.hpp)
  // `first` and other candidates, in order. Candidates are later times with the same total rate at which endpoints,
  // weights, priorities or clients have just changed. Other candidates are the first times at which the clients of a
  // service or zone send more than at any earlier candidate. No candidate has anything down, lost, unhealthy or slow
  // that is not so at `first` too.
  std::vector<std::chrono::nanoseconds> all;
  // Times of the same kind that the timeline itself makes worse: a plan's failures would come on top.
  std::vector<std::chrono::nanoseconds> in_trouble = {};
};

struct Plan {
  std::chrono::nanoseconds at{0};
  BusiestMoments busiest = {};      // `at` is the hardest of these; empty if the request names the time
  double growth = 1.0;              // as requested
  double mean_rate = 0.0;           // requests/s over the whole run, with that growth; costs are of `at`
  bool assumed_objectives = false;  // the scenario has none
  bool assumed_failures = false;
  std::vector<Bound> bounds;
  std::vector<Row> rows;  // the first is the baseline without a failure
  Headroom headroom;
  std::optional<MeasuredHeadroom> measured = {};  // nullopt if nothing must be measured
  bool measured_ends_first = false;               // `headroom` has its growth and no margin
  // The growth that follows from the present rows, as in `additions` and `what_ifs`. Unlike `headroom`, counted
  // requests are scaled from the present rate.
  double scaled_growth = 0.0;
  bool utilisation_known = true;  // some endpoint has cores, or no objective needs utilisation
  std::vector<ServiceHeadroom> services;
  // nullopt if no count that was tried is enough, no count may change, or endpoint capacities are unknown.
  std::optional<Fewest> fewest = {};
  bool fewest_bounded = false;  // the search became too long and ended early
  // Set if the search was skipped: the load needs at least this many endpoints.
  std::optional<std::uint64_t> fewest_needs_at_least = {};
  std::optional<Fewest> cheapest = {};   // nullopt without prices, or if `fewest` is nullopt
  std::optional<double> price_now = {};  // of all groups in question, per hour; nullopt if one has no price
  std::optional<Fewest> purchase = {};   // the present endpoints and the cheapest more that are enough; nullopt if
                                         // the present ones are, or if no number that was tried is
  std::optional<AdmittingLimit> admitting = {};  // if nothing is enough to buy, and a breaker rejects requests
  // If none is enough: the cheapest that meets all but the objectives on costs, the fewest if a group has no price.
  std::optional<Fewest> too_dear = {};
  std::optional<NextStep> next_step = {};  // nullopt if no set that was tried adds headroom
  NoStep no_step = NoStep::unknown;        // if there is no next step
  std::vector<GrowthRow> growths = {};     // of Request::growths
  std::vector<Addition> additions;         // by group; best first, the first of equals
  std::vector<Onset> onsets;
  std::vector<WhatIf> what_ifs;

  // A stop was requested: there are rows and nothing else. What had to be counted and was not is unknown.
  bool partial = false;

  // Returns the worst judgement of all rows with traffic.
  [[nodiscard]] study::Verdict judgement() const;
  [[nodiscard]] bool holds() const { return judgement() == study::Verdict::met; }
  // Returns the row with that judgement in which most requests fail, then the one with the busiest endpoint; null if no
  // row has traffic.
  [[nodiscard]] const Row* worst() const;
};

struct Request {
  std::optional<std::chrono::nanoseconds> at = {};  // default: the hardest of the busiest times
  double growth = 1.0;
  std::optional<double> rate = {};   // [requests/s] of all clients together, instead of `growth`
  std::vector<double> growths = {};  // further factors of the requests, for Plan::growths
  Evaluator::Effort effort = {};
  bool purchase_alone = false;  // no other settings, steps, onsets and recoveries
  bool rows_alone = false;      // rows and headroom from shares only: no measurement, no other counts or settings
  std::function<void(double done)> progress = {};  // receives 0 to 1; may be empty
};

// Returns a plan, or diagnostics of `failures`, or of a scenario that sends nothing. Precondition: `base` was read
// without an error. If run::stop_requested(), the plan is partial; throws Stopped if not even one row is known.
[[nodiscard]] std::variant<Plan, Diagnostics> make_plan(const scenario::ScenarioTemplate& base, const Request& request);

}  // namespace spillway::plan
