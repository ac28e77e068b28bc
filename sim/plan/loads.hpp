// What one moment of a scenario asks of its endpoints and links: from shares to loads.
//
//   Loads loads = plan::loads_of(still, results);
//   loads.utilisation[endpoint.value];        // of the cores behind it, 1 is all of them
//   loads.services[service.value].failed;     // fraction of its requests
//
// Of an exact run: what its shares of first attempts come to, which is all there is where nothing is tried again;
// behind zone proxies with each connection on one endpoint (connections.hpp). Of a run that played requests: what was
// counted, retries among it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

// What a month is taken for: 730 hours.
inline constexpr double seconds_of_month = 730.0 * 3600.0;

// What ends a request badly, in the order of the steps that a request takes.
enum class Cause : std::uint8_t {
  drop_overload,  // the load assignment's policy drops it
  no_host,        // the proxy has no endpoint to send it to
  overflow,       // a circuit breaker
  panic,          // panic sends it to an endpoint that is lost
  lost,           // so does a proxy that still takes it for healthy, or a session
  link,           // the link to the endpoint's zone is out
  queue_full,     // at the endpoint
  failing,        // the endpoint refuses it, answers with an error or breaks the connection off
  timeout,        //
  unfinished,     // no answer by the end of the simulation, and no timeout
};

struct CausePart {
  Cause cause = Cause::no_host;
  double share = 0.0;  // of what the client sends for the service
};

// One client entry's requests for a service that fail.
struct FailedRequests {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  double share = 0.0;                  // of what it sends
  std::vector<CausePart> causes = {};  // never empty. Of shares by the steps that a request takes, which all fail at
                                       // the same time; of counts in time (Variants::order_in_time)

  // What fails first: the cause of the others, where one leads to the other.
  [[nodiscard]] Cause first_cause() const { return causes.front().cause; }
};

// Of a service that clients ask for. Rates are requests a second of all clients together.
struct ServiceLoad {
  double rate = 0.0;
  double failed = 0.0;      // fraction of the requests, for whatever reason
  double no_host = 0.0;     // fraction that found no endpoint to go to
  double cross_zone = 0.0;  // fraction that an endpoint of another zone than the client's answers
  // None: what shares without a closed form leave open.
  std::optional<double> bytes = 0.0;  // a second, from zone to zone
  std::optional<double> cost = 0.0;   // a month of 730 hours
  // Of the link that is busiest among those that its requests and answers cross: what all services send the one way, as
  // a part of its bandwidth.
  std::optional<double> link_utilisation = 0.0;  // none: likewise
  std::uint64_t requests = 0;                    // that were counted; 0 of shares
};

struct Loads {
  std::vector<std::optional<double>> utilisation;  // by EndpointIndex; none: its number of cores is not known
  std::vector<bool> endless;                       // by EndpointIndex: as endless_queues() has it
  std::vector<double> rates;                       // by EndpointIndex: requests a second that it works on
  std::vector<double> answered;                    // by EndpointIndex: those that it answers well
  // By ServiceIndex and EndpointIndex: its part of `rates`. Empty for services that no client asks for.
  std::vector<std::vector<double>> rates_by_service;
  std::vector<ServiceLoad> services;    // by ServiceIndex
  std::vector<FailedRequests> failing;  // in the order of clients
  std::vector<std::string> panics;      // "frontend -> backend P0", "frontend -> aggregate member P0", as results
  bool exact = true;
  bool connections_even = true;   // of shares: as Connections has it
  bool connections_held = false;  // likewise: requests stay on the endpoint of their connection
  // Where requests were counted: the same of each replication, which this is the mean of.
  std::vector<Loads> replications = {};

  [[nodiscard]] double rate() const;
  [[nodiscard]] std::optional<double> cost() const;
  [[nodiscard]] std::optional<double> bytes() const;
  [[nodiscard]] double failed() const;      // of all requests
  [[nodiscard]] double no_host() const;     // of all requests
  [[nodiscard]] double cross_zone() const;  // of all requests
};

// What each endpoint's station can do: the cores behind it and how long a request keeps one busy.
struct ServerQueue {
  std::uint32_t number = 0;  // endpoints on one node that share its cores have the same
  double cores = 0.0;
  double seconds = 0.0;                     // a request, slowness among it
  std::optional<std::uint32_t> queue = {};  // requests that may wait; nullopt: any number
};
// By EndpointIndex; none where cores are without limit.
[[nodiscard]] std::vector<std::optional<ServerQueue>> server_queues_of(const scenario::Scenario& still);

// Requests a second of each client entry for each service that it asks for, at the end of the scenario.
[[nodiscard]] std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates_of_flows(const scenario::Scenario& still);

// Whether shares of first attempts, `loads`, say what becomes of all requests: not where one that fails at an endpoint
// may be tried again, or makes proxies eject the endpoint, and not where active checks find out what proxies were not
// told.
[[nodiscard]] bool first_attempts_suffice(const scenario::Scenario& still, const Loads& loads);

// `still` as moment.hpp makes it, `results` of a run of it, measured from that moment on.
[[nodiscard]] Loads loads_of(const scenario::Scenario& still, const run::Results& results,
                             std::chrono::nanoseconds measured_from = {});

}  // namespace spillway::plan
