// What stands more than once in a file that should be what a proxy printed at one moment.
#pragma once

#include <string_view>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

// SP798, an error: `what` stands in the output of `path` again, as after the end of another output.
[[nodiscard]] Diagnostic second_output(std::string_view path, std::string_view what, Span where);

// SP798, a warning: a cluster has an address twice at one locality and priority, which its configuration may have too.
// `places`: of each cluster's hosts.
void warn_of_repeated_hosts(const Clusters& read, const std::vector<std::vector<Span>>& places,
                            Diagnostics& problems);

}  // namespace spillway::observed
