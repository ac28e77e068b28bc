// What `spillway diff` does with all clusters of a proxy's documents.
#pragma once

#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace spillway::cli {

// Which changes of Envoy's releases concern them (--to-profile).
[[nodiscard]] CommandResult upgrade_command(const Arguments& arguments);

// Each cluster of two proxies, or of one at two moments (--all-clusters).
[[nodiscard]] CommandResult diff_of_all_clusters(const Arguments& arguments);

}  // namespace spillway::cli
