// Requests whose target changes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace spillway::diff {

class Look;   // look.hpp
struct Move;  // difference.hpp

// True if the numbers are equal except for rounding.
[[nodiscard]] bool same(double before, double after) noexcept;

// True if the counts before and after are consistent with equal shares. Uses the likelihood-ratio (G) test of two
// samples; its statistic has a chi-square distribution with categories - 1 degrees of freedom. False alarms happen at
// most once in a million. Source: Wilson and Hilferty's approximation, which is slightly stricter for few categories
// (27.5 instead of 23.9 for two).
[[nodiscard]] bool same_by_count(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts);

// Returns one move per client and service that both sides have, if anything moves. `context` is written into each.
[[nodiscard]] std::vector<Move> moves_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
