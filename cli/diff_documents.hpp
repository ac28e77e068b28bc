// What `spillway diff` does with all clusters of a proxy's documents.
#pragma once

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp

// Which changes of Envoy's releases concern them (--to-profile).
[[nodiscard]] CommandResult upgrade_command(const Arguments& arguments);

// Each cluster of two proxies, or of one at two moments (--all-clusters).
[[nodiscard]] CommandResult diff_of_all_clusters(const Arguments& arguments);

}  // namespace spillway::cli
