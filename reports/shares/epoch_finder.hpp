// Finds the epoch that a row of results is about.
//
//   EpochFinder epochs(results);
//   const run::Epoch* epoch = epochs.find(share.client, share.service, share.epoch);
//   epochs.position(...);   // its number in results.epochs
//
// The epochs of a client and service stand together in their order, as a run writes them. O(log tables) each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/run/results.hpp"

namespace spillway::reports {

class EpochFinder {
 public:
  // The results must outlive this.
  explicit EpochFinder(const run::Results& results);

  [[nodiscard]] std::optional<std::size_t> position(config::ClientEntryIndex client, config::ServiceIndex service,
                                                    std::uint32_t epoch) const;
  // Null: there is none.
  [[nodiscard]] const run::Epoch* find(config::ClientEntryIndex client, config::ServiceIndex service,
                                       std::uint32_t epoch) const {
    const auto found = position(client, service, epoch);
    return found ? &epochs_[*found] : nullptr;
  }

 private:
  struct Table {
    config::ClientEntryIndex client;
    config::ServiceIndex service;
    std::size_t first = 0;
    std::size_t end = 0;
  };
  const std::vector<run::Epoch>& epochs_;
  std::vector<Table> tables_;  // by (client, service)
};

}  // namespace spillway::reports
