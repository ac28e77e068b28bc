#include <algorithm>
#include <set>
#include <string>

#include "reports/diff/figure_words.hpp"
#include "reports/diff/table_of_contexts.hpp"

namespace spillway::reports {
namespace {

bool is_reason(diff::Figure figure) {
  return diff::kind_of_failed(figure).has_value();
}

bool are_same_requests(const diff::SimulatedFigure& one, const diff::SimulatedFigure& other) {
  return one.context == other.context && one.client == other.client && one.service == other.service &&
         one.before == other.before && one.after == other.after;
}

// True if requests fail only for this reason, so that its row would repeat the row of failed requests.
bool repeats_failed(const diff::Difference& difference, const diff::SimulatedFigure& reason) {
  const auto& all = difference.simulated.figures;
  return is_reason(reason.figure) && std::any_of(all.begin(), all.end(), [&](const diff::SimulatedFigure& of) {
           return of.figure == diff::Figure::failed && are_same_requests(of, reason);
         });
}

// Returns ": timeouts" if there is no other reason.
std::string only_reason(const diff::Difference& difference, const diff::SimulatedFigure& failed) {
  const auto& all = difference.simulated.figures;
  const auto found = std::find_if(all.begin(), all.end(), [&](const diff::SimulatedFigure& of) {
    return is_reason(of.figure) && are_same_requests(of, failed);
  });
  return failed.figure == diff::Figure::failed && found != all.end() ? ": " + figure_name(found->figure) : "";
}

}  // namespace

DiffTable simulated_table(const diff::Difference& difference) {
  std::set<std::string> services;
  for (const diff::SimulatedFigure& figure : difference.simulated.figures) {
    if (figure.figure != diff::Figure::utilisation) {
      services.insert(figure.service);
    }
  }
  using diff::SimulatedFigure;
  const bool by_client = difference.simulated.by_client;
  Columns<SimulatedFigure> columns;
  columns.text(by_client ? "client" : "service",
               [=](const SimulatedFigure& of) { return by_client ? of.client : of.service; });
  columns.text("service", [](const SimulatedFigure& of) { return of.service; }, by_client && services.size() > 1);
  columns.text("figure", [&](const SimulatedFigure& of) {
    return figure_name(of.figure) +
           (of.figure == diff::Figure::utilisation ? " of " + of.zone : only_reason(difference, of));
  });
  columns.number("old", [](const SimulatedFigure& of) { return figure_text(of.figure, of.before); });
  columns.number("new", [](const SimulatedFigure& of) { return figure_text(of.figure, of.after); });
  columns.number("change", figure_change_text);
  return table_of_contexts(difference, "failed requests, latency, attempts and utilisation, simulated", columns,
                           difference.simulated.figures,
                           [&](const SimulatedFigure& of) { return of.differs() && !repeats_failed(difference, of); });
}

}  // namespace spillway::reports
