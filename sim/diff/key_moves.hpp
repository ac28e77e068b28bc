// Hashed requests that go to another endpoint than before.
//
// If a workload names its requests, each one's endpoint is looked up in both. Requests with one endpoint in both are
// compared, by weight and by number. Otherwise all 2^64 hashes are compared: rings arc by arc and tables slot by slot,
// for each residue modulo 100, which selects the priority. Two tables of different lengths, or a ring and a table, are
// assumed to use independent parts of the hash. The error is less than the table's length in 2^64.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;      // look.hpp
struct KeyMove;  // difference.hpp

// Returns one row per client and service that both sides have and hash, if any key moves.
[[nodiscard]] std::vector<KeyMove> key_moves_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
