// The rows of every client entry's table while they are being written: which states were in force, what was sent in
// each, and what became of the requests.
//
//   book.open(entry, now);                  // a row begins
//   book.count_requests(entry, state, 120);  // so many went out under this state
//   ++book.record(entry).sent;
//   book.close(entry, now);                 // and ends
//   book.write(results);
//
// A closed row keeps what is not zero only. Its latencies are summarised as soon as its last answer is in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/epoch_record.hpp"
#include "sim/run/results.hpp"
#include "sim/run/state_uses.hpp"
#include "sim/run/targets.hpp"
#include "sim/run/upstreams.hpp"

namespace spillway::run {

class EpochBook {
 public:
  EpochBook(const scenario::Scenario& scenario, const Upstreams& upstreams, scenario::Mode mode);

  [[nodiscard]] const Targets& targets(config::ClientEntryIndex entry) const noexcept {
    return targets_of_service_[scenario_->clients[entry.value].workload.service.value];
  }

  // A row begins with the state that the entry's class has now. The row before must be closed.
  void open(config::ClientEntryIndex entry, Nanoseconds now);
  [[nodiscard]] bool is_open(config::ClientEntryIndex entry) const noexcept { return entries_[entry.value].open; }
  [[nodiscard]] Nanoseconds opened_at(config::ClientEntryIndex entry) const noexcept {
    return entries_[entry.value].epochs.back().start;
  }

  // `state` of the class was in force from the last call until now, while each client sent `rate` requests a second.
  void count_time(config::ClientEntryIndex entry, const Upstreams::State& state, Nanoseconds now, double rate);
  void count_requests(config::ClientEntryIndex entry, const Upstreams::State& state, std::uint64_t sent);

  // The inputs of some of the entry's clients change within the row.
  void count_new_state(config::ClientEntryIndex entry, Nanoseconds now);

  // The row ends; time and requests have been counted.
  void close(config::ClientEntryIndex entry, Nanoseconds now);

  // The row that is open, and its number.
  [[nodiscard]] engine::EpochRecord& record(config::ClientEntryIndex entry) noexcept {
    return *entries_[entry.value].records.back();
  }
  [[nodiscard]] std::uint32_t epoch(config::ClientEntryIndex entry) const noexcept {
    return static_cast<std::uint32_t>(entries_[entry.value].records.size()) - 1;
  }

  // What became of a request of that row. `latency` counts where an endpoint answered.
  void finish(config::ClientEntryIndex entry, std::uint32_t epoch, scenario::Outcome outcome, Nanoseconds latency);

  // All rows, once every one is closed and every request is finished.
  void write(Results& results) const;

 private:
  struct Entry {
    std::vector<Epoch> epochs;
    std::vector<std::vector<Share>> shares;                     // by epoch, of closed ones
    std::vector<std::unique_ptr<engine::EpochRecord>> records;  // by epoch
    std::vector<Latency> latency;                               // by epoch
    bool open = false;
    Nanoseconds time_counted{0};
    Nanoseconds last_new_state{0};
    StateUses by_requests;
    StateUses by_rate;  // expected requests of a client
    StateUses by_time;
  };

  void describe(Epoch& epoch, config::ClientEntryIndex entry) const;
  [[nodiscard]] std::vector<Share> shares_of(config::ClientEntryIndex entry, std::uint32_t epoch) const;
  void summarise_latency(Entry& entry, std::uint32_t epoch);

  const scenario::Scenario* scenario_;
  const Upstreams* upstreams_;
  scenario::Mode mode_;
  std::vector<Targets> targets_of_service_;
  std::vector<Entry> entries_;
};

}  // namespace spillway::run
