// Sentences that describe a difference.
#pragma once

#include <optional>
#include <string>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// Returns the sentence that a reviewer needs: "40 points of frontend's traffic come back to zone-1 when 4 of 10
// endpoints of zone-1 are unhealthy". Says that nothing changes only if the files say the same. Otherwise it says what
// was compared: "no traffic moves in the 7 situations compared".
[[nodiscard]] std::string verdict_sentence(const diff::Difference& difference);

// Returns "60 % -> 100 % (+40)"; for counted shares with the 95 % interval: "60 % -> 61 % (+1 +- 0.4)".
[[nodiscard]] std::string share_change_text(const diff::Part& part);

// Returns "40 % -> 67 %", with "none" on a side that has no utilisation.
[[nodiscard]] std::string utilisation_change_text(const std::optional<double>& before,
                                                  const std::optional<double>& after);

// Returns the last component of a path: "failover.yaml".
[[nodiscard]] std::string file_name(const std::string& path);

// Returns "traffic of dc1 to orders leaves the zone when 4 of 6 endpoints are lost, instead of 1 of 6".
[[nodiscard]] std::string onset_sentence(const diff::OnsetChange& onset);

}  // namespace spillway::reports
