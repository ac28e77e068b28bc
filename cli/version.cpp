#include <string>

#include "cli/commands.hpp"
#include "reports/html/report.hpp"

namespace spillway::cli {

CommandResult version_command() {
  const std::string charts(reports::html::charts_version());
  return {"spillway " SPILLWAY_VERSION
          "\n"
          "SimGrid " SPILLWAY_SIMGRID_VERSION
          "\n"
          "profiles envoy: current, seed, release-1.20 to release-1.40; kuma: release-2.14, head, document; istio: "
          "release-1.31, release-1.30\n"
          "reports " +
              (charts.empty() ? "without charts: they were not available at build time"
                              : "with charts by Apache ECharts " + charts) +
              "\n",
          ExitCode::well};
}

}  // namespace spillway::cli
