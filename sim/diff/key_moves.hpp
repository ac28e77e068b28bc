// Hashed requests that come to another endpoint than before.
//
// Where a workload names its requests, each one's endpoint is looked up in both, and those that have one are compared,
// by weight and by number. Where it names none, all 2^64 hashes are: rings are walked arc by arc and tables slot by
// slot, for each residue modulo 100, which chooses the priority. Two tables of different lengths, or a ring and a
// table, are taken to look at parts of the hash that do not depend on each other: they differ by less than the length
// of the table in 2^64.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;      // look.hpp
struct KeyMove;  // difference.hpp

// Of every client and service that both have and that hash in both; none where nothing moves.
[[nodiscard]] std::vector<KeyMove> key_moves_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
