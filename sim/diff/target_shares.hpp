// Targets of a client's requests to a service, on one side of a difference.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/diff/look.hpp"

namespace spillway::diff {

// A target of one client's requests to one service.
struct Target {
  std::string cluster;
  std::uint32_t priority = 0;
  std::string zone;  // endpoints of equal name in different zones are different targets
  std::string endpoint;
  auto operator<=>(const Target&) const = default;
};

// Shares of the targets of one client and service.
struct TargetShares {
  std::map<Target, double> of;
  std::map<Target, std::uint64_t> counts = {};
  std::uint64_t sent = 0;
  double independent = 1.0;  // fraction of the requests with an independent pick
  bool exact = true;
  double lost = 0.0;  // fraction sent to an endpoint that does not answer

  // Returns the number of independent picks in a count.
  [[nodiscard]] double picks() const { return static_cast<double>(sent) * independent; }

  [[nodiscard]] double answered() const;
};

[[nodiscard]] TargetShares exact_shares(const Look& look, const Look::Asking& asking);
[[nodiscard]] TargetShares counted_shares(const Look& look, const Look::Asking& asking);
// Returns shares by repetition (Look::repeated).
[[nodiscard]] std::vector<TargetShares> repeated_shares(const Look& look, const Look::Asking& asking);

// True if requests end in the same clusters on both sides, in several. Otherwise their names say nothing about the
// requests: an endpoint of a subset is the same endpoint without the subset.
[[nodiscard]] bool have_same_clusters(const TargetShares& before, const TargetShares& after);
// Adds up the shares of endpoints, whatever cluster leads to them.
void forget_clusters(TargetShares& shares);

[[nodiscard]] std::set<Target> all_targets(const TargetShares& before, const TargetShares& after);

}  // namespace spillway::diff
