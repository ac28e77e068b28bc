#include <fmt/format.h>

#include "reports/explain/formats.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports::explain {

namespace {

std::string cell(const std::string& text) {
  return markdown_escaped(text);
}

std::string sources_text(const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) {
    text += (text.empty() ? "" : "; ") + source;
  }
  return cell(text);
}

std::string section_table(const Section& section) {
  std::string text = markdown_row({"step", "what", "where", "source"}) + markdown_rule({false, false, false, false});
  for (const Step& step : section.steps) {
    for (std::size_t fact = 0; fact < step.facts.size(); ++fact) {
      text += markdown_row({fact == 0 ? cell(step.name) : "", cell(fact_text(step.facts[fact])),
                            cell(step.facts[fact].where), fact == 0 ? sources_text(step.sources) : ""});
    }
  }
  return text;
}

std::string share_table(const Explanation& explanation) {
  std::string text = markdown_row({"where", explanation.at_rest ? "share at rest" : "share", "endpoints"}) +
                     markdown_rule({false, true, false});
  for (const ShareLine& line : share_lines(explanation)) {
    text += markdown_row({cell(line.place), share_text(line.share), cell(line.endpoints)});
  }
  return text;
}

std::string why_list(const Why& why) {
  std::string text = fmt::format("\n**{}**\n\n", cell(why_headline(why)));
  for (const Fact& fact : why.because) {
    text += "- " + cell(fact_text(fact)) + '\n';
  }
  for (const Why::Turn& turn : why.turns) {
    text += "- " + cell(turn_text(why, turn)) + (turn.where.empty() ? "" : " (" + cell(turn.where) + ")") + '\n';
  }
  return text;
}

}  // namespace

std::string explanation_as_markdown(const Explanation& explanation) {
  std::string text = fmt::format("**{}**\n", cell(headline(explanation)));
  for (const Section& section : explanation.sections) {
    const std::string title = section_title(explanation, section);
    text += title.empty() ? "\n" : fmt::format("\n{}\n\n", cell(title));
    text += section_table(section);
  }
  text += '\n' + share_table(explanation);
  text += explanation.notes.empty() ? "" : "\n";
  for (const std::string& note : explanation.notes) {
    text += "- " + cell(note) + '\n';
  }
  return explanation.why ? text + why_list(*explanation.why) : text;
}

}  // namespace spillway::reports::explain
