#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/explain/formats.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports::explain {

namespace {

std::string sources_text(const std::vector<std::string>& sources) {
  return joined(sources, "; ");
}

Sheet steps_sheet(const Section& section) {
  Sheet sheet{.fields = {{"step"}, {"what"}, {"where"}, {"source"}}, .empty = ""};
  for (const Step& step : section.steps) {
    for (std::size_t fact = 0; fact < step.facts.size(); ++fact) {
      sheet.rows.push_back({fact == 0 ? step.name : "", fact_text(step.facts[fact]), step.facts[fact].where,
                            fact == 0 ? sources_text(step.sources) : ""});
    }
  }
  return sheet;
}

Sheet shares_sheet(const Explanation& explanation) {
  Sheet sheet{.fields = {{"where"}, {explanation.at_rest ? "share at rest" : "share", true}, {"endpoints"}}};
  for (const ShareLine& line : share_lines(explanation)) {
    sheet.rows.push_back({line.place, share_text(line.share), line.endpoints});
  }
  return sheet;
}

std::vector<std::string> why_list(const Why& why) {
  std::vector<std::string> lines;
  lines.reserve(why.because.size() + why.turns.size());
  for (const Fact& fact : why.because) {
    lines.push_back(fact_text(fact) + (fact.where.empty() ? "" : " (" + fact.where + ")"));
  }
  for (const Why::Turn& turn : why.turns) {
    lines.push_back(turn_text(why, turn) + (turn.where.empty() ? "" : " (" + turn.where + ")"));
  }
  return lines;
}

}  // namespace

void add_tables(Page& page, const Explanation& explanation) {
  for (const Section& section : explanation.sections) {
    if (const std::string title = section_title(explanation, section); !title.empty()) {
      page.paragraph({title});
    }
    page.sheet(steps_sheet(section));
  }
  page.sheet(shares_sheet(explanation));
  page.list(explanation.bounds);
  page.list(explanation.notes);
  if (explanation.why) {
    page.title({why_headline(*explanation.why)});
    page.list(why_list(*explanation.why));
  }
}

}  // namespace spillway::reports::explain
