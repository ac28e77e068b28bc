#include <chrono>

#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/plot/marks.hpp"
#include "reports/requests/summary.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::html {
namespace {

Data marks_data(const scenario::Scenario& scenario) {
  Data marks = json_array(plot::marks_of(scenario), [&](const plot::Mark& mark) {
    return Data({{"at", config::seconds(mark.at)}, {"text", mark.text}});
  });
  return marks;
}

}  // namespace

std::string run_page(const RunInput& input, const Made& made) {
  const Report& report = input.report;
  const Dimensions by = default_dimensions(Format::table, report.scenario);
  const Grouped grouped = group_by(report.scenario, report.results, by);
  const std::vector<ShareTable> tables = share_tables(report.scenario, grouped);
  const HeadVerdict verdict = run_verdict(report);
  FlowParts parts{.slices = slices_data(input, by, tables), .explanations = {}};
  Data data = scenario_data(report.scenario, input.sources, made);
  data.add("kind", "run");
  data.add("mode", name_of(report.results.mode));
  data.add("seed", report.results.seed);
  data.add("replications", report.results.replications);
  data.add("unseed", report.results.result_fingerprint);
  data.add("verdict", verdict_data(verdict));
  data.add("summary", summary_lines(report.scenario, report.results));
  data.add("warnings", report.warnings);
  data.add("marks", marks_data(report.scenario));
  data.add("happenings", events_data(report));
  data.add("explanations", explanations_data(input, tables, parts));
  data.add("chosen", most_interesting(report.results, tables));
  data.add("flows", flows_data(input, grouped, tables, parts));
  data.add("topology", topology_data(input));
  data.add("loads", loads_data(input));
  data.add("tables", tables_json(documented_tables(report.scenario, report.results)));
  return page_of({.title = report.scenario.name,
                  .headline = headline_of(verdict),
                  .text = format(report, Format::table, by, Look{}),
                  .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
