// Loads of a scenario's endpoints and links at one time, derived from shares.
//
//   Loads loads = plan::loads_of(still, results);
//   loads.utilisation[endpoint.value];        // of the cores behind it, 1 is all of them
//   loads.services[service.value].failed;     // fraction of its requests
//
// For an exact run, loads follow from the shares of first attempts, which are complete if there are no retries. Behind
// zone proxies, each connection is on one endpoint (connections.hpp). For a run with simulated requests, loads are what
// was counted, including retries.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

// The length of a month: 730 hours.
inline constexpr double seconds_of_month = 730.0 * 3600.0;

// Causes of failed requests, in the order of a request's steps.
enum class Cause : std::uint8_t {
  drop_overload,  // dropped by the load assignment's policy
  no_host,        // the proxy has no endpoint for it
  overflow,       // a circuit breaker
  panic,          // panic sends it to a lost endpoint
  lost,           // a session, or a proxy that still sees the endpoint as healthy, sends it to a lost endpoint
  link,           // the link to the endpoint's zone is down
  queue_full,     // at the endpoint
  failing,        // the endpoint refuses it, answers with an error or breaks the connection
  timeout,        // its timeout expired
  unfinished,     // no answer by the end of the simulation, and no timeout
};

struct CausePart {
  Cause cause = Cause::no_host;
  double share = 0.0;  // of the client's requests for the service
};

// A client entry's failed requests for one service.
struct FailedRequests {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  double share = 0.0;                  // of its requests for the service
  std::vector<CausePart> causes = {};  // never empty. From shares: by the steps of a request, which all fail at
                                       // the same time. From counts: by time (Variants::order_in_time).

  // Returns the first cause, which led to the others if they are related.
  [[nodiscard]] Cause first_cause() const { return causes.front().cause; }
};

// Load of a requested service. Rates [requests/s] are of all clients together.
struct ServiceLoad {
  double rate = 0.0;
  double failed = 0.0;      // fraction of the requests, for any reason
  double no_host = 0.0;     // fraction that found no endpoint to go to
  double cross_zone = 0.0;  // fraction answered by an endpoint in another zone than the client's
  // nullopt if shares without a closed form leave the amount undetermined.
  std::optional<double> bytes = 0.0;  // [byte/s] between zones
  std::optional<double> cost = 0.0;   // per month of 730 hours
  // Sum of the prices of the service's endpoints, lost ones included, per month; nullopt if one has no price.
  std::optional<double> machine_cost = {};
  // Utilisation of the busiest link crossed by the service's requests and responses: the load of all services in one
  // direction, as a part of the bandwidth.
  std::optional<double> link_utilisation = 0.0;  // nullopt as for `bytes`
  // Mean part of the busiest proxy's connections that carry a request, of endless_pools() only.
  std::optional<double> connection_utilisation = {};
  std::uint64_t requests = 0;  // counted requests; 0 if derived from shares
};

// Rates [requests/s] of one service by EndpointIndex, kept from the first endpoint that has one to the last.
class EndpointRates {
 public:
  // False if no client requests the service.
  [[nodiscard]] bool are_requested() const noexcept { return requested_; }
  void request() noexcept { requested_ = true; }

  [[nodiscard]] double operator[](std::uint32_t endpoint) const noexcept {
    return endpoint >= first_ && endpoint < end() ? rates_[endpoint - first_] : 0.0;
  }
  // Rates outside first() to end() are 0.
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint32_t end() const noexcept { return first_ + static_cast<std::uint32_t>(rates_.size()); }
  [[nodiscard]] double sum() const;
  void add(std::uint32_t endpoint, double rate);

 private:
  std::uint32_t first_ = 0;
  std::vector<double> rates_ = {};
  bool requested_ = false;
};

struct Loads {
  std::vector<std::optional<double>> utilisation;  // by EndpointIndex; nullopt if its number of cores is unknown
  std::vector<bool> endless;                       // by EndpointIndex: from endless_queues()
  std::vector<double> rates;                       // by EndpointIndex: requests/s that it works on
  std::vector<double> answered;                    // by EndpointIndex: requests/s that succeed
  std::vector<EndpointRates> rates_by_service;     // by ServiceIndex: the service's part of `rates`
  std::vector<ServiceLoad> services;               // by ServiceIndex
  std::vector<FailedRequests> failing;             // in the order of clients
  std::vector<std::string> panics;  // "frontend -> backend P0", "frontend -> aggregate member P0", as in results
  bool exact = true;
  bool connections_even = true;   // from shares: as in Connections
  bool connections_held = false;  // from shares: requests stay on the endpoint of their connection
  bool equal_picks = false;       // from shares of equal picks (equal_picks.hpp) instead of the policy's own
  // For counted requests: the loads of each replication. This object is their mean.
  std::vector<Loads> replications = {};

  [[nodiscard]] double rate() const;
  [[nodiscard]] std::optional<double> cost() const;
  [[nodiscard]] std::optional<double> bytes() const;
  [[nodiscard]] double failed() const;      // of all requests
  [[nodiscard]] double no_host() const;     // of all requests
  [[nodiscard]] double cross_zone() const;  // of all requests
};

// Capacity of an endpoint's queue: its cores, and how long a request keeps a core busy.
struct ServerQueue {
  std::uint32_t number = 0;  // equal for endpoints of one node that share its cores
  double cores = 0.0;
  double seconds = 0.0;                     // per request, including slowness
  std::optional<std::uint32_t> queue = {};  // requests that may wait; nullopt if unlimited
};
// By EndpointIndex; nullopt if cores are unlimited.
[[nodiscard]] std::vector<std::optional<ServerQueue>> server_queues_of(const scenario::Scenario& still);

// Returns the rate [requests/s] of each client entry for each service it requests, at the end of the scenario.
[[nodiscard]] std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates_of_flows(const scenario::Scenario& still);

// True if `loads`, from shares of first attempts, cover the outcome of all requests. False if a request that fails may
// be retried or makes proxies eject the endpoint, or if active checks find what EDS did not report.
[[nodiscard]] bool first_attempts_suffice(const scenario::Scenario& still, const Loads& loads);

// Preconditions: `still` comes from moment.hpp, and `results` are of a run of it, measured from `measured_from` on.
[[nodiscard]] Loads loads_of(const scenario::Scenario& still, const run::Results& results,
                             std::chrono::nanoseconds measured_from = {});

}  // namespace spillway::plan
