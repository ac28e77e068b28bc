// Requests that reach no row of the shares: their proxies find no host, or lack the cluster.
//
//   const WithoutHost without(results);
//   if (const auto rest = without.of(epoch)) { rest->exact; }   // 0.1
//
// Linear in blocks, distinct rows of exact shares and counted rows. Lifetime: keeps nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class WithoutHost {
 public:
  explicit WithoutHost(const run::Results& results);

  struct Part {
    std::optional<double> exact = {};            // of the epoch's requests; nullopt if the shares have no exact sum
    std::optional<std::uint64_t> requests = {};  // nullopt in mode exact
    std::optional<double> simulated = {};
  };
  // Returns nullopt if all requests reach a row, as far as is known.
  [[nodiscard]] std::optional<Part> of(const run::Epoch& epoch) const;

 private:
  using Key = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;
  std::map<Key, Part> parts_;
};

// Explains why the proxy lacks the cluster. Precondition: Service::missing is set.
[[nodiscard]] std::string missing_cluster_words(const scenario::Service& service);
// Explains the first cluster that the proxies of the epoch's client lack; empty if they have all.
[[nodiscard]] std::string missing_cluster_words(const scenario::Scenario& scenario, const run::Epoch& epoch);

// Returns the part of the epoch's requests that routes answer by their `fault`, before any pick.
[[nodiscard]] double fault_part(const scenario::Scenario& scenario, const run::Epoch& epoch);

}  // namespace spillway::reports
