// The sentences of a difference.
#pragma once

#include <optional>
#include <string>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// The sentence that a reviewer needs: "40 points of frontend's traffic come back to zone-1 when 4 of 10 endpoints of
// zone-1 are unhealthy". "nothing changes" only where the files say the same; else what was compared: "no traffic moves
// in the 7 situations compared".
[[nodiscard]] std::string verdict_sentence(const diff::Difference& difference);

// "60 % -> 100 % (+40)"; of counted shares with the 95 % interval: "60 % -> 61 % (+1 +- 0.4)".
[[nodiscard]] std::string share_change_text(const diff::Part& part);

// "40 % -> 67 %"; "none" on the side where there is none.
[[nodiscard]] std::string utilisation_change_text(const std::optional<double>& before,
                                                  const std::optional<double>& after);

// "failover.yaml" of a path.
[[nodiscard]] std::string file_name(const std::string& path);

}  // namespace spillway::reports
