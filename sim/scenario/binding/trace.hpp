// A trace file: measured arrival times of requests.
//
// Each line is one arrival: the time in seconds from the start of the run, with up to 9 decimals, optionally followed
// by a comma and the number of the sending client, from 1 on. Lines without a client are assigned to the clients in
// turn. The first line may be a header (`time` or `time,client`); empty lines, lines that begin with # and a byte order
// mark are ignored.
// Lines may be in any order: logs are often written when requests end.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario {
struct TracedArrival;  // workload.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

// Returns the arrivals in order of time, equal ones in file order. `file` is the position of `text` among the sources.
// Every line that cannot be read is reported with its place, up to 20 of them.
[[nodiscard]] std::vector<TracedArrival> read_trace(const std::string& text, std::uint32_t file, std::uint32_t clients,
                                                    Diagnostics& problems);

}  // namespace spillway::scenario::binding
