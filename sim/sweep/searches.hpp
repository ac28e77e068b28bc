// How a search comes to its answer: trials of single values (trials.hpp), the next ones chosen by those before.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace spillway::sweep {

class Trials;     // trials.hpp
struct FindText;  // find.hpp
struct Found;     // find.hpp
struct Trial;     // find.hpp

inline constexpr double resolution = 0.01;
inline constexpr std::uint32_t of_proofs = 1'000'000;  // the first replication of a proof: none of the others'

// Parts of a range, both ends among them.
[[nodiscard]] std::vector<double> evenly_spread(std::size_t values);

// Whether nothing is looked for between two values: the first is known to 1 %, or both are neighbours as whole numbers.
[[nodiscard]] bool is_close(const Trial& one, const Trial& other, bool whole);

// Many values with few replications; the half that is worst leaves, and the others are simulated twice as often.
// `rank`: the lower the better.
void screen(Trials& trials, std::uint32_t all_replications, const std::function<double(const Trial&)>& rank);

// The furthest value of a key at which conditions hold.
[[nodiscard]] Found search_threshold(const FindText& text, Trials& trials);

// The value of a key at which a figure is lowest or highest.
[[nodiscard]] Found search_goal(const FindText& text, Trials& trials);

}  // namespace spillway::sweep
