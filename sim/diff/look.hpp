// One side held still in one context: its shares and what they ask of endpoints and links.
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

#include "sim/plan/loads.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/results.hpp"
#include "sim/run/snapshot.hpp"

namespace spillway::diff {

class Look {
 public:
  explicit Look(scenario::Scenario still);
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  [[nodiscard]] const scenario::Scenario& still() const noexcept { return still_; }
  [[nodiscard]] const run::Results& exact() const noexcept { return exact_; }
  // By requests, with the scenario's seed. Played once.
  [[nodiscard]] const run::Results& counted() const;
  // The same with that seed and with others that follow from it, so many in all.
  static constexpr std::uint32_t repetitions = 10;
  [[nodiscard]] const std::vector<run::Results>& repeated() const;
  // What each of these asks of endpoints and links.
  [[nodiscard]] const std::vector<plan::Loads>& repeated_loads() const;
  // How far what is sent to an endpoint strays from repetition to repetition: the largest variance of its requests over
  // their mean. 1 for independent requests, above it where ejections or queues make them hang together.
  [[nodiscard]] double overdispersion() const;
  // Whether every share has a closed form, behind zone proxies as a mean over connections; else loads are counted.
  [[nodiscard]] bool is_exact() const noexcept { return loads_.exact; }
  // Whether some endpoints' shares are means over connections.
  [[nodiscard]] bool has_connections() const { return !run::all_exact(exact_) && loads_.exact; }
  [[nodiscard]] const plan::Loads& loads() const noexcept { return loads_; }
  // What balancers hold, for hashes.
  [[nodiscard]] const run::Snapshot& snapshot() const;

  // Of the endpoint; empty if there is none of this name.
  [[nodiscard]] std::string zone_of(const std::string& endpoint) const;

  // Whether it is gone, or its node is out: requests that go there are not answered.
  [[nodiscard]] bool is_lost(const std::string& endpoint) const;

  // Whether it is a zone proxy: requests that end there have found nothing behind it.
  [[nodiscard]] bool forwards(const std::string& endpoint) const;

  // Who asks for what, by name: no zone proxies. In the order of the file.
  struct Asking {
    config::ClientEntryIndex client;
    config::ServiceIndex service;
  };
  [[nodiscard]] const std::vector<Asking>& asking() const noexcept { return asking_; }
  // Whether this one's shares all have.
  [[nodiscard]] bool has_closed_form(const Asking& asking) const;

  // Of counted requests those that somebody picked for by themselves: of users who come back to their hosts all follow
  // from the first one's pick.
  [[nodiscard]] double independent_part(const Asking& asking) const;

  [[nodiscard]] const Asking* find(const std::string& client, const std::string& service) const;

 private:
  scenario::Scenario still_;
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
  std::vector<bool> forwards_;  // likewise
};

}  // namespace spillway::diff
