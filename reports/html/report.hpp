// The HTML report, one file to attach to a ticket. Described in docs/report.md.
//
//   std::string html = run_page({report, reading.sources, &latency}, {"0.1.0", "spillway run failover.yaml"});
//
// Self-contained: it makes no network requests and runs only the page's own scripts, which a Content-Security-Policy
// names by their hashes. Names and texts of the scenario are shown as text, whatever they contain. Deterministic: same
// arguments, same bytes.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/source.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::compare {
struct Comparison;  // comparison.hpp
}  // namespace spillway::compare

namespace spillway::diff {
struct Difference;  // difference.hpp
}  // namespace spillway::diff

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {
struct Report;  // formats.hpp
}  // namespace spillway::reports

namespace spillway::reports::plot {
class LatencyTimeline;  // latency_timeline.hpp
}  // namespace spillway::reports::plot

namespace spillway::sweep {
struct PointTable;  // points.hpp
}  // namespace spillway::sweep

namespace spillway::reports::html {

// The page's metadata.
struct Made {
  std::string version;  // of the program: "0.1.0"
  std::string command;  // that reproduces the results
};

// The input of run_page(). The report's results have `endpoints` for the loads of endpoints, and `samples` in modes
// other than exact. Up to `most_stretches` samples have one column each; if there are more, several share one.
// `latency` is null if it is known only by epoch.
struct RunInput {
  const Report& report;
  const Sources& sources;
  const plot::LatencyTimeline* latency = nullptr;
  // The run with short rows, from which the page draws changes over time; null if there is nothing to draw.
  const run::Results* slices = nullptr;
};
inline constexpr int most_stretches = 100;
[[nodiscard]] std::string run_page(const RunInput& input, const Made& made);

struct PlanInput {
  const scenario::Scenario& scenario;
  const plan::Plan& plan;
  const Sources& sources;
};
[[nodiscard]] std::string plan_page(const PlanInput& input, const Made& made);

struct DiffInput {
  const diff::Difference& difference;
  const scenario::Scenario& after;  // defines the colors of zones
  const Sources& before_sources;
  const Sources& after_sources;
};
[[nodiscard]] std::string diff_page(const DiffInput& input, const Made& made);

// The input of compare_page(). From the proxy's documents the page contains only names, addresses and counts: they may
// hold secrets.
struct CompareInput {
  const compare::Comparison& comparison;
  std::string title;  // the file compared: "config_dump.json"
};
[[nodiscard]] std::string compare_page(const CompareInput& input, const Made& made);

// The input of sweep_page(): a figure over a key, both chosen in the page. More points than `most_points_of_page` are
// refused.
struct SweepInput {
  const sweep::PointTable& points;
  std::string title;  // the scenario's, or the file's name
  std::string text;   // the terminal output, for readers without JavaScript
  // The initial selection: names of keys and of a figure. If empty, `x` is the first key, and `by` is no key.
  std::string x = {};
  std::string y = "failed";
  std::string by = {};
};
inline constexpr std::uint64_t most_points_of_page = 20'000;
[[nodiscard]] std::string sweep_page(const SweepInput& input, const Made& made);

// Returns the version of the library that draws the charts, "6.1.0"; empty if the program was built without it.
[[nodiscard]] std::string_view charts_version();

}  // namespace spillway::reports::html
