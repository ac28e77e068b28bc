// Runs `spillway diff` on all clusters of a proxy's documents.
#pragma once

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp

// Lists the changes of Envoy's releases that concern the clusters (--to-profile).
[[nodiscard]] CommandResult upgrade_command(const Arguments& arguments);

// Compares each cluster of two proxies, or of one proxy at two times (--all-clusters).
[[nodiscard]] CommandResult diff_of_all_clusters(const Arguments& arguments);

}  // namespace spillway::cli
