#include <cmath>

#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/plot/marks.hpp"
#include "reports/requests/summary.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/names.hpp"
#include "reports/text/table_json.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::html {
namespace {

Data marks_data(const scenario::Scenario& scenario) {
  Data marks = Data::array();
  for (const plot::Mark& mark : plot::marks_of(scenario)) {
    marks.push_back({{"at", std::chrono::duration<double>(mark.at).count()}, {"text", mark.text}});
  }
  return marks;
}

// Returns how badly the requests of a flow fail in its worst epoch. If none fail, returns how far its shares move.
double interest_of(const Data& flow) {
  constexpr double more_than_all = 10.0;
  double lost = 0.0;
  double moved = 0.0;
  const Data* before = nullptr;
  for (const Data& epoch : flow["epochs"]) {
    const Data& outcomes = epoch["outcomes"];
    double reached = 0.0;
    double difference = 0.0;
    for (std::size_t group = 0; group < epoch["shares"].size(); ++group) {
      const Data& pair = epoch["shares"][group];
      const auto share = [](const Data& of) { return of[0].is_null() ? of[1] : of[0]; };
      const double now = share(pair).is_null() ? 0.0 : share(pair).get<double>();
      reached += now;
      if (before != nullptr) {
        const Data was = share((*before)["shares"][group]);
        difference += std::abs(now - (was.is_null() ? 0.0 : was.get<double>()));
      }
    }
    if (!outcomes.is_null() && outcomes["sent"].get<double>() > 0.0) {
      lost = std::max(lost, 1.0 - outcomes["ok"].get<double>() / outcomes["sent"].get<double>());
    } else if (!epoch["unknown"].get<bool>()) {
      lost = std::max(lost, 1.0 - reached);
    }
    moved = std::max(moved, difference);
    before = &epoch;
  }
  constexpr double rounding = 1e-9;
  return (lost > rounding ? more_than_all * (1.0 + lost) : 0.0) + moved;
}

std::size_t most_interesting(const Data& flows) {
  std::size_t chosen = 0;
  for (std::size_t flow = 1; flow < flows.size(); ++flow) {
    if (interest_of(flows[flow]) > interest_of(flows[chosen])) {
      chosen = flow;
    }
  }
  return chosen;
}

}  // namespace

std::string run_page(const RunInput& input, const Made& made) {
  const Report& report = input.report;
  const Dimensions by = default_dimensions(Format::table, report.scenario);
  const Grouped grouped = group_by(report.scenario, report.results, by);
  const std::vector<ShareTable> tables = share_tables(report.scenario, grouped);
  const HeadVerdict verdict = run_verdict(report);
  Data flows = flows_data(input, grouped, tables);
  add_slices(input, by, tables, flows);
  Data data = scenario_data(report.scenario, input.sources, made);
  data["kind"] = "run";
  data["mode"] = name_of(report.results.mode);
  data["seed"] = report.results.seed;
  data["replications"] = report.results.replications;
  data["unseed"] = report.results.result_fingerprint;
  data["verdict"] = verdict_data(verdict);
  data["summary"] = summary_lines(report.scenario, report.results);
  data["warnings"] = report.warnings;
  data["marks"] = marks_data(report.scenario);
  data["happenings"] = events_data(report);
  data["explanations"] = explanations_data(input, tables, flows);
  data["chosen"] = most_interesting(flows);
  data["flows"] = std::move(flows);
  data["topology"] = topology_data(input);
  data["loads"] = loads_data(input);
  data["tables"] = Data::parse(tables_json(documented_tables(report.scenario, report.results)));
  return page_of({.title = report.scenario.name,
                  .headline = headline_of(verdict),
                  .text = format(report, Format::table, by, Look{}),
                  .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
