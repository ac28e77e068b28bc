// The load of every endpoint over time: requests, utilisation and queue, by epoch and at even intervals.
//
//   EndpointBook loads(scenario, flows, book, sample);
//   stations.measure(loads.ends());
//   loads.end_period(now);                  // at each of ends(), before anything else of that time
//   loads.close(flow);                      // before a row of the flow's table is closed
//   loads.write(stations, epochs, results);  // once all rows and the stations' periods have ended
//
// Time is cut into periods (load_periods.hpp); epochs, samples and windows consist of whole periods. Requests are
// counted when their proxies send them, without work per request. Utilisation and queues come from the servers' own
// integrals.
//
// Memory: 16 bytes per endpoint and period with requests. Ending a period is O(targets of all flows).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class EpochBook;      // epoch_book.hpp
class ServerQueues;   // server_queues.hpp
struct EndpointLoad;  // results.hpp
struct Results;       // results.hpp
struct Stretch;       // load_periods.hpp

class EndpointBook {
 public:
  // Lifetime: all arguments must outlive this object.
  EndpointBook(const scenario::Scenario& scenario, const Flows& flows, EpochBook& book,
               std::optional<Nanoseconds> sample, std::span<const Nanoseconds> cuts = {});

  // Returns the ends of the periods, ascending; the last one is the end of the scenario.
  [[nodiscard]] std::span<const Nanoseconds> ends() const noexcept { return ends_; }

  void end_period();
  void close(FlowIndex flow) { count(flow, closed_); }

  // Writes a row for each of these epochs, of whole periods, and for samples and windows.
  void write(const ServerQueues& server_queues, std::span<const Stretch> epochs, Results& results) const;

 private:
  // Adds the requests that the flow's open row has sent, by endpoint.
  void count(FlowIndex flow, std::vector<std::uint64_t>& sums) const;
  [[nodiscard]] std::vector<EndpointLoad> loads(const ServerQueues& server_queues,
                                                std::span<const Stretch> stretches) const;
  static bool add_server(const ServerQueues& server_queues, std::size_t first, std::size_t last, EndpointLoad& row);

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  EpochBook* book_;
  std::optional<Nanoseconds> sample_;
  std::vector<Nanoseconds> ends_;
  std::vector<std::optional<config::ServiceIndex>> service_of_;  // by endpoint; nullopt for a zone proxy
  std::vector<std::uint64_t> closed_;                            // by endpoint: sent in rows that are closed
  std::vector<std::uint64_t> counted_;                           // by endpoint: sent in periods that have ended
  std::vector<std::vector<std::pair<config::EndpointIndex, std::uint64_t>>> requests_;  // by period
};

}  // namespace spillway::run
