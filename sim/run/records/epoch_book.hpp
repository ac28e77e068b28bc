// The rows of every flow's table while they are being written: the states in force, the requests sent in each, and
// their outcomes.
//
//   book.open(flow, now);                   // a row begins
//   book.count_requests(flow, state, 120);  // so many went out under this state
//   ++book.record(flow).sent;
//   book.close(flow, now);                  // and ends
//   book.write(results);
//
// Flows of one class of clients in one state share derived data: the exact shares of a row and its initial health are
// computed once for all of them (ExactRows, EpochHealth). A closed row keeps its other counts if they are not zero; in
// mode exact none. Its latencies are summarised once its last response has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/envoy/forward.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/run/exact/exact_mean.hpp"
#include "sim/run/exact/slow_start_clock.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/records/cross_zone_book.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/mode.hpp"

namespace spillway::run {

// The weight of each balancing state within an epoch.
class StateUses {
 public:
  struct Use {
    BalancingState state;
    double weight = 0.0;
  };

  // Adds weight to a state. O(1).
  void add(const BalancingState& state, double weight) {
    const auto [position, is_new] = positions_.try_emplace(state.get(), uses_.size());
    if (is_new) {
      uses_.push_back({state, 0.0});
    }
    uses_[position->second].weight += weight;
    total_ += weight;
  }

  [[nodiscard]] double total() const noexcept { return total_; }
  // Returns the states in the order in which they were first added.
  [[nodiscard]] const std::vector<Use>& uses() const noexcept { return uses_; }

  void clear() {
    uses_.clear();
    positions_.clear();
    total_ = 0.0;
  }

 private:
  std::vector<Use> uses_;
  std::unordered_map<const envoy::ClusterState*, std::size_t> positions_;  // never iterated: in no fixed order
  double total_ = 0.0;
};

class ClosedForms;     // closed_forms.hpp
class ForwardedParts;  // remembered_parts.hpp
class Traffic;         // traffic.hpp
class Upstreams;       // upstreams.hpp

class EpochBook {
 public:
  // Lifetime: all arguments must outlive this object.
  EpochBook(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic, const Upstreams& upstreams,
            ClosedForms& closed_forms, scenario::Mode mode, std::vector<Nanoseconds> latency_limits = {},
            CountedPositions counted_positions = {});

  // Sets the start of measurement: latency over the whole run covers only rows that begin at this time or later.
  void measure_from(Nanoseconds moment) noexcept { measured_from_ = moment; }
  void keep_latency_cells(bool keep) noexcept { keeps_latency_cells_ = keep; }  // see Options::latency_cells

  [[nodiscard]] const Targets& targets(FlowIndex flow) const noexcept {
    return targets_of_service_[flows_->at(flow).service.value];
  }

  // Begins a row with the current state of the flow's class. Precondition: the row before is closed.
  void open(FlowIndex flow, Nanoseconds now);
  [[nodiscard]] bool is_open(FlowIndex flow) const noexcept { return entries_[flow.value].open; }
  // Returns the time up to which the flow's time has been counted.
  [[nodiscard]] Nanoseconds time_counted(FlowIndex flow) const noexcept { return entries_[flow.value].time_counted; }

  // Counts time: `state` of the class was in force since the last call, while each client sent `rate` requests per
  // second.
  void count_time(FlowIndex flow, const BalancingState& state, Nanoseconds now, double rate);
  // Counts the requests that one proxy of the flow has sent under this state since it entered the state.
  void count_requests(FlowIndex flow, const BalancingState& state, std::uint64_t sent, Nanoseconds now);

  // Records that the inputs of some of the flow's clients change within the row because of their own detections.
  void count_new_state(FlowIndex flow, Nanoseconds now);
  // Records that a proxy has detected something about the endpoint.
  void set_apart(config::EndpointIndex endpoint);
  // Records that a zone proxy has detected something about the hosts that it forwards the flow to.
  void note_own_state(FlowIndex of_zone_proxy);

  // Records that one balancing state follows another. Hosts that are new in it may be in slow start.
  void note_newcomers(FlowIndex flow, const envoy::ClusterState& before, const envoy::ClusterState& after,
                      Nanoseconds now);
  // Does what note_newcomers() does for hosts that EDS reported to the flow's class. Their slow start has a closed form
  // as long as no proxy has findings of its own.
  void note_reported(FlowIndex flow, const envoy::ClusterState& before, const envoy::ClusterState& after,
                     Nanoseconds now);

  // Returns the end of the next time step, at most `now`. While hosts may be in slow start, time has to be counted in
  // steps much shorter than the window.
  [[nodiscard]] Nanoseconds end_of_step(FlowIndex flow, Nanoseconds now) const;

  // Ends the row. Precondition: time and requests have been counted.
  void close(FlowIndex flow, Nanoseconds now);

  // Returns the open row's record; mode exact has none. epoch() returns the row's number.
  [[nodiscard]] engine::EpochRecord& record(FlowIndex flow) noexcept { return *entries_[flow.value].records.back(); }
  // The record and number of the open row, for callers at every request; default values in mode exact.
  struct OpenRow {
    engine::EpochRecord* record = nullptr;
    std::uint32_t epoch = UINT32_MAX;  // UINT32_MAX if no row is open
  };
  [[nodiscard]] const OpenRow& open_row(FlowIndex flow) const noexcept { return open_rows_[flow.value]; }
  [[nodiscard]] std::uint32_t epoch(FlowIndex flow) const noexcept {
    return static_cast<std::uint32_t>(entries_[flow.value].epochs.size()) - 1;
  }

  // Counts a retry of a request of that row.
  void count_retry(FlowIndex flow, std::uint32_t epoch) noexcept {
    entries_[flow.value].retried = entries_[flow.value].disturbed = true;
    ++entries_[flows_->leader(flow).value].records[epoch]->retries;
  }

  // Counts attempts of that row's record that got no response, or were never sent.
  void count_lost(FlowIndex flow, std::uint32_t epoch, std::uint32_t target, CrossZoneBook::Lost lost,
                  std::uint64_t attempts = 1) {
    crossings_.take_back(flow, epoch, targets(flow).at(target), lost, attempts);
  }

  // Returns by target the exact shares of the flow's first picks now, for the time in [start, end). nullopt if there is
  // no closed form, or was none at `start`.
  [[nodiscard]] std::vector<std::optional<double>> present_shares(FlowIndex flow, Nanoseconds start,
                                                                  Nanoseconds end) const;

  // Flows with equal PresentClass have the same present shares if they send anything.
  using PresentClass = std::tuple<std::uint32_t, std::uint32_t, bool>;
  [[nodiscard]] PresentClass present_class(FlowIndex flow, Nanoseconds start) const;

  // Records the outcome of a request of that row, and its latency.
  void finish(FlowIndex flow, std::uint32_t epoch, scenario::Outcome outcome, Nanoseconds latency);
  // Does what finish() does for a success, by the flow's leader.
  void succeed(FlowIndex leader, std::uint32_t epoch, Nanoseconds latency) {
    const OpenRow& row = open_rows_[leader.value];
    if (row.epoch != epoch) {
      finish(leader, epoch, scenario::Outcome::ok, latency);
      return;
    }
    ++row.record->outcomes[scenario::Outcome::ok];
    ++row.record->finished;
    row.record->latency.add(latency);
  }

  // Writes all rows, and moves them out: call it once. Precondition: every row is closed and every request is finished.
  void write(Results& results);

 private:
  // The requests that a client is expected to send in a step of slow start.
  struct Step {
    Nanoseconds middle{0};
    double requests = 0.0;
  };
  struct Entry {
    std::vector<Epoch> epochs;
    std::vector<ShareBlock> shares;                             // by epoch, for closed ones
    std::vector<std::unique_ptr<engine::EpochRecord>> records;  // by epoch; empty in mode exact
    std::vector<Latency> latency;                               // by epoch
    std::vector<WithinLimit> within;                            // by epoch, and by limit
    engine::LatencyHistogram latency_of_all;                    // of rows that are summarised; of the leader
    engine::LatencyHistogram errors_of_all;                     // of rows that are summarised; of the leader
    bool open = false;
    Nanoseconds time_counted{0};
    Nanoseconds last_new_state{0};
    Nanoseconds slow_start_until{0};
    std::vector<Step> steps;  // of the row, in slow start
    StateUses by_requests;
    StateUses by_rate;  // expected requests of a client
    StateUses by_time;
    // The mean over the states that have ended within the row, if there were many.
    std::optional<ExactMean> ended;
    std::vector<double> forwarded;        // `ended` refers to it
    std::vector<std::uint8_t> connected;  // `ended` refers to it
    double ended_requests = 0.0;
    std::uint64_t stays = 0;  // of a worker of a proxy in a state, within the row
    bool retried = false;     // within the row
    bool disturbed = false;   // ever: picks have affected where later ones go
  };

  // The common part of a row of all flows of a class.
  struct ClassRows {
    std::shared_ptr<const ExactRows> exact;
    std::shared_ptr<const CrossZoneBook::Crossings> crossings;
    double least_of_schedules = 0.0;
  };
  // The key of class_rows_: the balancing state (kept alive so that its address stays unique), the class of requests,
  // and four flags: it sends, hosts are in slow start, requests were retried, schedules continue within a round.
  using ClassKey = std::tuple<BalancingState, std::uint32_t, bool, bool, bool, bool>;

  [[nodiscard]] std::shared_ptr<const EpochHealth> health(FlowIndex flow);
  [[nodiscard]] const StateUses& uses(FlowIndex flow) const;
  [[nodiscard]] bool in_slow_start(FlowIndex flow) const;
  [[nodiscard]] ExactMean& begin_mean(FlowIndex flow);
  void add_states(ExactMean& mean, FlowIndex flow, const StateUses& uses, Nanoseconds now);
  [[nodiscard]] const SlowStartClock* clock_of_row(FlowIndex flow) const;
  [[nodiscard]] bool add_slow_start(ExactMean& mean, FlowIndex flow, Nanoseconds now);
  [[nodiscard]] bool keeps_up(FlowIndex flow, const SlowStartClock& clock, const std::vector<double>& shares) const;
  [[nodiscard]] bool carries_schedules(FlowIndex flow, double least_of_schedules) const;
  [[nodiscard]] std::shared_ptr<const ClassRows> class_rows(FlowIndex flow, Nanoseconds now);
  [[nodiscard]] std::shared_ptr<const ClassRows> class_rows(FlowIndex flow, Nanoseconds now, bool carried);
  [[nodiscard]] std::shared_ptr<const ClassRows> work_out(FlowIndex flow, Nanoseconds now, bool carried);
  [[nodiscard]] CrossZoneBook::Crossings crossings(FlowIndex flow, ExactMean& mean) const;
  [[nodiscard]] std::map<std::uint32_t, CrossZoneBook::BytesKnown> bytes_known_of(FlowIndex flow,
                                                                                  ExactMean& mean) const;
  [[nodiscard]] double expected_requests(FlowIndex flow) const;
  [[nodiscard]] std::shared_ptr<const CountedRows> counted_rows(FlowIndex flow);
  [[nodiscard]] const std::vector<std::uint32_t>& position_of_count(FlowIndex flow);
  [[nodiscard]] const std::shared_ptr<const SharePlaces>& places(FlowIndex flow);
  void count_crossings(const ShareBlock& block, FlowIndex flow, const ClassRows& rows);
  void summarise_latency(FlowIndex leader, std::uint32_t epoch);
  void summarise_limits(Entry& entry, std::uint32_t epoch) const;
  [[nodiscard]] std::uint64_t sent_in(FlowIndex leader, std::uint32_t epoch) const;
  void write_rows(FlowIndex leader, Results& results) const;
  void write_shares(FlowIndex leader, Results& results);

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  const Traffic* traffic_;
  const Upstreams* upstreams_;
  ClosedForms* closed_forms_;
  scenario::Mode mode_;
  std::vector<Nanoseconds> latency_limits_;
  CountedPositions counted_positions_;
  Nanoseconds measured_from_{0};
  bool keeps_latency_cells_ = false;
  std::vector<std::vector<std::uint32_t>> position_of_count_;  // by service, then position; empty if not computed yet
  std::vector<Targets> targets_of_service_;
  std::vector<std::shared_ptr<const SharePlaces>> places_of_service_;  // null if not computed yet
  // By class of clients: what EDS reported in its latest state.
  std::vector<std::pair<BalancingState, std::shared_ptr<const EpochHealth>>> healths_;
  std::map<ClassKey, std::shared_ptr<const ClassRows>> class_rows_;  // only looked up; of rows that close at...
  Nanoseconds class_rows_at_{0};                                     // ...this time
  std::shared_ptr<ForwardedParts> forwarded_;                        // never null
  OpenedConnections opened_;
  std::vector<std::optional<SlowStartClock>> clocks_;  // by class of clients; nullopt if no host has come
  std::vector<Entry> entries_;
  std::vector<OpenRow> open_rows_;  // by flow
  CrossZoneBook crossings_;
};

}  // namespace spillway::run
