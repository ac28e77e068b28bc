// What gets a client's requests to a service, of one side of a difference.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/diff/look.hpp"

namespace spillway::diff {

// Of one client's requests to one service: what gets them, and how many.
struct Target {
  std::string cluster;
  std::uint32_t priority = 0;
  std::string zone;  // an endpoint that stands elsewhere is another one, as where a file counts them
  std::string endpoint;
  auto operator<=>(const Target&) const = default;
};

// Of one client and service.
struct TargetShares {
  std::map<Target, double> of;
  std::map<Target, std::uint64_t> counts = {};
  std::uint64_t sent = 0;
  double independent = 1.0;  // part of the requests that somebody picked for by themselves
  bool exact = true;
  double lost = 0.0;  // part that goes to an endpoint which does not answer

  // How many picks a count stands for.
  [[nodiscard]] double picks() const { return static_cast<double>(sent) * independent; }

  [[nodiscard]] double answered() const;
};

// Of requests that all end in one cluster its name is forgotten: it says nothing, and may be another one after the
// change.
[[nodiscard]] TargetShares exact_shares(const Look& look, const Look::Asking& asking);
[[nodiscard]] TargetShares counted_shares(const Look& look, const Look::Asking& asking);
// By repetition (Look::repeated).
[[nodiscard]] std::vector<TargetShares> repeated_shares(const Look& look, const Look::Asking& asking);

[[nodiscard]] std::set<Target> all_targets(const TargetShares& before, const TargetShares& after);

}  // namespace spillway::diff
