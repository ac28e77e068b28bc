// Finds the epoch that a row of results is about.
//
//   EpochFinder epochs(results);
//   const run::Epoch* epoch = epochs.find(share.client, share.service, share.epoch);
//   epochs.position(...);   // its number in results.epochs
//
// Precondition: the epochs of a client and service are contiguous and in order, as a run writes them. O(log tables)
// each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/run/results.hpp"

namespace spillway::reports {

class EpochFinder {
 public:
  // Indexes the epochs. Lifetime: the results must outlive this object.
  explicit EpochFinder(const run::Results& results);

  [[nodiscard]] std::optional<std::size_t> position(config::ClientEntryIndex client, config::ServiceIndex service,
                                                    std::uint32_t epoch) const;
  // Returns the epoch; null if there is none.
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
