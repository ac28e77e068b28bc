// The files in which a live Envoy told something, as the options name them.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "sim/compare/compare.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/source.hpp"

namespace spillway::cli {

struct ObservedFiles {
  std::optional<observed::Clusters> clusters_before;
  std::optional<observed::Clusters> clusters_after;
  std::optional<observed::Stats> stats_before;
  std::optional<observed::Stats> stats_after;
  std::optional<observed::RangeAnswer> range;
  std::optional<observed::AccessLog> log;
  std::optional<observed::ServerInfo> server;

  scenario::Sources sources;
  scenario::Diagnostics diagnostics;  // an error: some file could not be read

  // Points into this.
  [[nodiscard]] compare::Observed view() const noexcept;
};

[[nodiscard]] ObservedFiles read_observed_files(const Arguments& arguments);

}  // namespace spillway::cli
