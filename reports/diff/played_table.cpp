#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "reports/diff/figure_words.hpp"
#include "reports/diff/table_of_contexts.hpp"

namespace spillway::reports {
namespace {

bool is_reason(diff::Figure figure) {
  return figure > diff::Figure::failed && figure <= diff::Figure::unfinished;
}

bool are_same_requests(const diff::PlayedFigure& one, const diff::PlayedFigure& other) {
  return one.context == other.context && one.client == other.client && one.service == other.service &&
         one.before == other.before && one.after == other.after;
}

// Whether requests fail for this reason alone, so that its row would repeat the one of failed requests.
bool repeats_failed(const diff::Difference& difference, const diff::PlayedFigure& reason) {
  const auto& all = difference.played.figures;
  return is_reason(reason.figure) && std::any_of(all.begin(), all.end(), [&](const diff::PlayedFigure& of) {
           return of.figure == diff::Figure::failed && are_same_requests(of, reason);
         });
}

// ": timeouts" where there is no other reason.
std::string only_reason(const diff::Difference& difference, const diff::PlayedFigure& failed) {
  const auto& all = difference.played.figures;
  const auto found = std::find_if(all.begin(), all.end(), [&](const diff::PlayedFigure& of) {
    return is_reason(of.figure) && are_same_requests(of, failed);
  });
  return failed.figure == diff::Figure::failed && found != all.end() ? ": " + figure_name(found->figure) : "";
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
    cells.push_back(figure_name(figure.figure) + (of_zone ? " of " + figure.zone : only_reason(difference, figure)));
    cells.push_back(figure_text(figure.figure, figure.before));
    cells.push_back(figure_text(figure.figure, figure.after));
    cells.push_back(figure_change_text(figure));
    table.row(figure.context, std::move(cells));
  }
  return table.finish();
}

}  // namespace spillway::reports
