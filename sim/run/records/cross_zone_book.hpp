// Traffic between zones: requests and bytes of each flow, by row of its table and pair of zones.
//
//   CrossZoneBook crossings(scenario, flows, mode);
//   crossings.send(flow, epoch, target, 120);                       // attempts to that target
//   crossings.take_back(flow, epoch, target, Lost::answer, 3);      // of which so many were not answered
//   crossings.add_way(ways, flow, target, 0.25);                    // a quarter of the requests, by exact shares
//   crossings.expect(flow, epoch, ways, 1000.0);                    // of 1000 requests; of other flows alike too
//   crossings.write(traffic, results);
//
// A request that travels through zone proxies crosses zones wherever two neighbours on its path are in different zones.
// Memory: in mode exact one block per flow and epoch, and one row per pair of zones of a class of flows. Otherwise one
// row per flow, epoch and pair of zones with traffic. O(log rows) per operation; rows of the latest epoch are appended.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/numeric/compensated_sum.hpp"
#include "sim/run/records/cross_zones.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/mode.hpp"

namespace spillway::run {

class Traffic;   // traffic.hpp
struct Results;  // results.hpp

class CrossZoneBook {
 public:
  CrossZoneBook(const scenario::Scenario& scenario, const Flows& flows, scenario::Mode mode)
      : scenario_(&scenario), flows_(&flows), mode_(mode), rows_(flows.size()), blocks_(flows.size()) {}

  void send(FlowIndex flow, std::uint32_t epoch, const Target& target, std::uint64_t attempts);

  // The losses of attempts: their responses, or everything, since the circuit breaker or the endpoint refused them.
  enum class Lost : std::uint8_t { answer, everything };
  void take_back(FlowIndex flow, std::uint32_t epoch, const Target& target, Lost lost, std::uint64_t attempts);

  // True if shares of targets that are known only jointly suffice to compute the bytes that cross.
  struct BytesKnown {
    bool of_requests = true;
    bool of_answers = true;
  };

  // True if any endpoint's requests or responses have bytes.
  struct Sized {
    bool of_requests = false;
    bool of_answers = false;
  };

  // The traffic from one zone to another, by exact shares.
  struct Crossing {
    config::ZoneIndex from;
    config::ZoneIndex to;
    numeric::CompensatedSum share{};  // of all requests
    bool known = true;                // it is exact
    BytesKnown bytes_known = {};      // given the share, for the sizes of endpoints
    Sized sized = {};
    numeric::CompensatedSum request_bytes{};   // share x bytes, by sizes of endpoints
    numeric::CompensatedSum response_bytes{};  // share x bytes, by sizes of endpoints
  };
  // Adds the crossings of requests to this target. `share` is the part of the flow's requests; nullopt if no exact
  // share is known. Sums in `crossings`, by pair of zones.
  using Crossings = std::vector<Crossing>;
  void add_way(Crossings& crossings, FlowIndex flow, const Target& target, std::optional<double> share,
               BytesKnown bytes_known) const;
  // Adds expected crossings. `requests` is the total number expected to be sent.
  void expect(FlowIndex flow, std::uint32_t epoch, const std::shared_ptr<const Crossings>& crossings, double requests);

  // Writes all flows of the leader's group together, and moves them out.
  void write(FlowIndex leader, const Traffic& traffic, Results& results);

 private:
  struct Place {
    std::uint32_t epoch = 0;
    config::ZoneIndex from;
    config::ZoneIndex to;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Row {
    double exact = 0.0;
    bool known = true;
    BytesKnown bytes_known = {};
    double requests = 0.0;
    double request_bytes = 0.0;
    double response_bytes = 0.0;

    [[nodiscard]] bool is_nothing() const { return known && exact == 0.0 && requests == 0.0; }
  };
  // The crossings of flows of a class by exact shares, and their clients' sizes of requests and responses.
  using Sent = std::tuple<std::shared_ptr<const Crossings>, std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

  template <class Visit>
  void for_each_crossing(FlowIndex flow, const Target& target, Visit visit) const;
  [[nodiscard]] Row& row_at(FlowIndex flow, const Place& place);
  [[nodiscard]] CrossZoneRow written(config::ZoneIndex from, config::ZoneIndex to, const Row& row) const;
  [[nodiscard]] static Row row_of(const Crossing& crossing, const scenario::Workload& workload);
  [[nodiscard]] std::shared_ptr<const CrossZoneRows> rows_of(const Sent& sent, const scenario::Workload& workload);
  void add(Row& row, FlowIndex flow, const Target& target, double requests, double answers) const;

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  scenario::Mode mode_;
  std::vector<std::vector<std::pair<Place, Row>>> rows_;         // by flow, each by place
  std::vector<std::vector<CrossZoneBlock>> blocks_;              // by flow; in mode exact, for single flows
  std::map<Sent, std::shared_ptr<const CrossZoneRows>> shared_;  // only looked up
};

}  // namespace spillway::run
