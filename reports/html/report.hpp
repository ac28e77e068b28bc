// The report that people attach to a ticket: one HTML file, described in docs/report.md.
//
//   std::string html = run_page({report, reading.sources, &latency}, {"0.1.0", "spillway run failover.yaml"});
//
// Self-contained: it asks no network, and nothing in it runs but the page's own scripts, which a
// Content-Security-Policy names by their hashes. Names and texts of the scenario are shown as text, whatever they hold.
// The same bytes for the same arguments.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/source.hpp"

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

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::sweep {
struct PointTable;  // points.hpp
}  // namespace spillway::sweep

namespace spillway::reports::html {

// What the page says about itself.
struct Made {
  std::string version;  // of the program: "0.1.0"
  std::string command;  // that makes the results again
};

// The report's results hold `endpoints`, and in other modes than exact `samples`, for what endpoints had to do. At most
// `most_stretches` samples make a column of their own; of more, several are one. `latency`: null where it is only known
// by epoch.
struct RunInput {
  const Report& report;
  const Sources& sources;
  const plot::LatencyTimeline* latency = nullptr;
  // The same run with short rows, of which the page draws what changes over time; null: there is nothing to draw.
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
  const scenario::Scenario& after;  // whose zones have their colors
  const Sources& before_sources;
  const Sources& after_sources;
};
[[nodiscard]] std::string diff_page(const DiffInput& input, const Made& made);

// Nothing of the proxy's documents stands in the page but names, addresses and counts: they may hold secrets.
struct CompareInput {
  const compare::Comparison& comparison;
  std::string title;  // what was compared: "config_dump.json"
};
[[nodiscard]] std::string compare_page(const CompareInput& input, const Made& made);

// A figure of a sweep over a key, both chosen in the page. More points than this are no page.
struct SweepInput {
  const sweep::PointTable& points;
  std::string title;  // the scenario's, or the file's name
  std::string text;   // what a terminal shows, for readers without JavaScript
  // What the page opens with: names of keys and of a figure; empty: the first, `failed`, and nothing.
  std::string x = {};
  std::string y = "failed";
  std::string by = {};
};
inline constexpr std::uint64_t most_points_of_page = 20'000;
[[nodiscard]] std::string sweep_page(const SweepInput& input, const Made& made);

// Of the library that draws the charts: "6.1.0"; empty where the program was built without.
[[nodiscard]] std::string_view charts_version();

}  // namespace spillway::reports::html
