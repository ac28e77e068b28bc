// Where requests go that went elsewhere before.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace spillway::diff {

class Look;   // look.hpp
struct Move;  // difference.hpp

// Sums of doubles that stand for the same number.
[[nodiscard]] bool same(double before, double after) noexcept;

// Whether counts before and after are those of the same shares: the likelihood-ratio (G) test of two samples, whose
// statistic follows a chi-square distribution with one degree of freedom less than categories. False only where chance
// would make it so once in a million times, or less often: by Wilson and Hilferty's approximation, which asks for a
// little more where categories are few (27.5 instead of 23.9 for two).
[[nodiscard]] bool same_by_count(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts);

// Of every client and service that both have; none where nothing moves. `context` is written into each.
[[nodiscard]] std::vector<Move> moves_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
