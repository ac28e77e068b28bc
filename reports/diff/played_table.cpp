#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "reports/diff/figure_words.hpp"
#include "reports/diff/table_of_contexts.hpp"

namespace spillway::reports {
namespace {

// Whether requests fail in this way alone, so that its row would repeat the one of failed requests.
bool repeats_failed(const diff::Difference& difference, const diff::PlayedFigure& kind) {
  return kind.figure > diff::Figure::failed && kind.figure <= diff::Figure::connect_failure &&
         std::any_of(
             difference.played.figures.begin(), difference.played.figures.end(), [&](const diff::PlayedFigure& of) {
               return of.figure == diff::Figure::failed && of.context == kind.context && of.client == kind.client &&
                      of.service == kind.service && of.before == kind.before && of.after == kind.after;
             });
}

}  // namespace

DiffTable played_table(const diff::Difference& difference) {
  TableOfContexts table(difference, "failed requests, latency, attempts and utilisation, simulated");
  std::set<std::string> services;
  for (const diff::PlayedFigure& figure : difference.played.figures) {
    if (figure.figure != diff::Figure::utilisation) {
      services.insert(figure.service);
    }
  }
  table.field(difference.played.by_client ? "client" : "service");
  const bool with_service = difference.played.by_client && services.size() > 1;
  if (with_service) {
    table.field("service");
  }
  table.field("figure");
  table.field("old", true);
  table.field("new", true);
  table.field("change", true);
  for (const diff::PlayedFigure& figure : difference.played.figures) {
    if (!figure.differs() || repeats_failed(difference, figure)) {
      continue;
    }
    const bool of_zone = figure.figure == diff::Figure::utilisation;
    std::vector<std::string> cells = {difference.played.by_client ? figure.client : figure.service};
    if (with_service) {
      cells.push_back(figure.service);
    }
    cells.push_back(figure_name(figure.figure) + (of_zone ? " of " + figure.zone : ""));
    cells.push_back(figure_text(figure.figure, figure.before));
    cells.push_back(figure_text(figure.figure, figure.after));
    cells.push_back(figure_change_text(figure));
    table.row(figure.context, std::move(cells));
  }
  return table.finish();
}

}  // namespace spillway::reports
