// One side of a difference at one time, held constant: its shares, and the loads of endpoints and links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/plan/loads.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {
class Snapshot;  // snapshot.hpp
}  // namespace spillway::run

namespace spillway::diff {

class Look {
 public:
  explicit Look(scenario::Scenario still);
  ~Look();
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  [[nodiscard]] const scenario::Scenario& still() const noexcept { return *still_; }
  [[nodiscard]] const run::Results& exact() const noexcept { return exact_; }
  // Returns results in mode requests with the scenario's seed. Simulated once, then cached.
  [[nodiscard]] const run::Results& counted() const;
  // Number of runs of repeated(): one with the scenario's seed and others with seeds derived from it.
  static constexpr std::uint32_t repetitions = 10;
  [[nodiscard]] const std::vector<run::Results>& repeated() const;
  // Returns the loads of endpoints and links in each repetition.
  [[nodiscard]] const std::vector<plan::Loads>& repeated_loads() const;
  // Returns the largest ratio of variance to mean of an endpoint's requests over the repetitions. 1 for independent
  // requests; above 1 if ejections or queues correlate them.
  [[nodiscard]] double overdispersion() const;
  // True if every share has a closed form; behind zone proxies, as a mean over connections. Otherwise loads are
  // counted.
  [[nodiscard]] bool is_exact() const noexcept { return loads_.exact; }
  // True if some endpoints' shares are means over connections.
  [[nodiscard]] bool has_connections() const;
  [[nodiscard]] const plan::Loads& loads() const noexcept { return loads_; }
  // Returns the balancers' state, to look up hashes.
  [[nodiscard]] const run::Snapshot& snapshot() const;

  // Returns the endpoint's zone; empty if there is no endpoint of this name.
  [[nodiscard]] std::string zone_of(const std::string& endpoint) const;

  // True if the endpoint is gone or its node is down: requests sent there are not answered.
  [[nodiscard]] bool is_lost(const std::string& endpoint) const;

  // True for a zone proxy: requests that end there found no endpoint behind it.
  [[nodiscard]] bool forwards(const std::string& endpoint) const;

  // A client entry and a service that it requests.
  struct Asking {
    config::ClientEntryIndex client;
    config::ServiceIndex service;
  };
  [[nodiscard]] const std::vector<Asking>& asking() const noexcept { return asking_; }
  // True if all shares of this pair have a closed form.
  [[nodiscard]] bool has_closed_form(const Asking& asking) const;

  // Returns the fraction of counted requests with an independent pick. Requests of users who return to their hosts all
  // follow from the first pick.
  [[nodiscard]] double independent_part(const Asking& asking) const;

  [[nodiscard]] const Asking* find(const std::string& client, const std::string& service) const;

 private:
  std::unique_ptr<const scenario::Scenario> still_;
  run::Results exact_;
  mutable std::optional<run::Results> counted_;
  mutable std::vector<run::Results> repeated_;
  mutable std::vector<plan::Loads> repeated_loads_;
  mutable std::optional<double> overdispersion_;
  mutable std::unique_ptr<run::Snapshot> snapshot_;
  plan::Loads loads_;
  std::vector<Asking> asking_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_name_;  // client and service: the first in asking_
  std::unordered_map<std::string, std::uint32_t> endpoints_;
  std::vector<bool> lost_;      // by EndpointIndex
  std::vector<bool> forwards_;  // by EndpointIndex
};

}  // namespace spillway::diff
