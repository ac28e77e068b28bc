// A trace file: when requests arrive, as somebody has measured it.
//
// One arrival a line: the time in seconds from the start of the run, with up to 9 decimals, and if need be a comma and
// the number of the client that sends it, from 1 on. Lines without a client are the clients' in turn. The first line
// may be a header (`time` or `time,client`); lines that are empty or begin with # say nothing. Lines may stand in any
// order: logs are often written when requests end.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"

namespace spillway::scenario {
struct TracedArrival;  // workload.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

// The arrivals in the order of time, equal ones in the order of the file. `file`: which of the sources `text` is; every
// line that cannot be read is reported with its place, up to 20 of them.
[[nodiscard]] std::vector<TracedArrival> read_trace(const std::string& text, std::uint32_t file, std::uint32_t clients,
                                                    Diagnostics& problems);

}  // namespace spillway::scenario::binding
