// Diagnostics of repeated items in a file that should be a proxy's output at one time.
#pragma once

#include <string_view>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

// Returns SP798, an error: `what` appears a second time in the output of `path`, as if two outputs were joined.
[[nodiscard]] Diagnostic second_output(std::string_view path, std::string_view what, Span where);

// Warns (SP798) if a cluster has an address twice at one locality and priority. The configuration may have the
// repetition too. `places` are the locations of each cluster's hosts.
void warn_of_repeated_hosts(const Clusters& read, const std::vector<std::vector<Span>>& places, Diagnostics& problems);

}  // namespace spillway::observed
