// Measures one column of an expected table, in the unit of the document.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct Measured {
  std::optional<double> exact;      // a percentage; 1 and 0 for yes and no; nullopt without a closed form
  std::optional<double> simulated;  // a percentage, only for shares in mode `requests` with requests sent
};

[[nodiscard]] bool selects(const scenario::Selector& selector, const run::SharePlace& place);

[[nodiscard]] Measured measure(const scenario::Scenario& scenario, const run::Results& results, const run::Epoch& epoch,
                               const scenario::Column& column);

// epochs_of() returns the epochs of a client and service by index. epoch_at() returns the epoch that contains a time;
// the end of the run belongs to the last one.
[[nodiscard]] std::vector<const run::Epoch*> epochs_of(const run::Results& results, config::ClientEntryIndex client,
                                                       config::ServiceIndex service);
[[nodiscard]] const run::Epoch* epoch_at(const run::Results& results, config::ClientEntryIndex client,
                                         config::ServiceIndex service, run::Nanoseconds at);

// Calls visit(const run::SharePlace&, const run::ShareCell&) for the shares of one epoch.
template <class Visit>
void for_each_share(const run::Results& results, const run::Epoch& epoch, Visit visit) {
  results.shares.for_each_of(epoch.client, epoch.service, epoch.index, [&](const run::ShareBlock& block) {
    block.for_each([&](const run::ShareCell& cell) { visit(block.place(cell), cell); });
  });
}

// Picks of the selector, and all picks of the client's requests in the epoch, retries included; 0 in exact mode.
struct Attempts {
  std::uint64_t part = 0;
  std::uint64_t all = 0;
};
[[nodiscard]] Attempts attempts_in(const run::Results& results, const run::Epoch& epoch,
                                   const scenario::Selector& selector);

// Returns the requests that the client sent to the service in the epoch; 0 in exact mode.
[[nodiscard]] std::uint64_t sent_in(const run::Results& results, const run::Epoch& epoch);

}  // namespace spillway::reports
