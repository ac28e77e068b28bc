#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "reports/diff/diff_json.hpp"
#include "reports/diff/diff_report.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/plot/palette.hpp"
#include "reports/text/text_table.hpp"
#include "sim/diff/places.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::html {
namespace {

HeadVerdict diff_verdict(const diff::Difference& difference) {
  const bool over = std::any_of(difference.overloads.begin(), difference.overloads.end(),
                                [](const diff::Overload& of) { return of.over(); });
  const auto gained = static_cast<std::size_t>(std::count_if(difference.lints.begin(), difference.lints.end(),
                                                             [](const diff::Lint& lint) { return lint.gained; }));
  HeadVerdict verdict;
  verdict.sentence = printable(verdict_sentence(difference)) + ".";
  const bool more_fail =
      std::any_of(difference.simulated.figures.begin(), difference.simulated.figures.end(), [](const auto& figure) {
        return figure.figure == diff::Figure::failed && figure.differs() && figure.change() > 0.0;
      });
  const bool open =
      difference.changed() || (difference.simulated.replications == 0 && !difference.not_compared.empty());
  verdict.tone = over || more_fail ? Tone::bad : open ? Tone::wary : Tone::good;
  verdict.word = over                                                                            ? "Overloads"
                 : difference.changed()                                                          ? "Changes"
                 : difference.simulated.replications > 0                                         ? "No difference found"
                 : !difference.not_compared.empty()                                              ? "Not all compared"
                 : std::all_of(difference.edits.begin(), difference.edits.end(), diff::is_words) ? "The same"
                                                                                                 : "No move found";
  if (gained > 0) {
    verdict.lines.push_back(fmt::format("{} new warning{}.", gained, gained == 1 ? "" : "s"));
  }
  for (const std::vector<std::string>& lines :
       {simulated_lines(difference), not_compared_lines(difference), difference.notes}) {
    verdict.lines.insert(verdict.lines.end(), lines.begin(), lines.end());
  }
  return verdict;
}

// Returns the zones that exist only in the older scenario.
std::vector<std::string> older_zones(const diff::Difference& difference, const scenario::Scenario& after) {
  std::set<std::string> known;
  for (const scenario::Zone& zone : after.zones) {
    known.insert(zone.name);
  }
  std::vector<std::string> zones;
  for (const diff::Move& move : difference.moves) {
    for (const diff::Part& part : move.zones) {
      if (known.insert(part.name).second) {
        zones.push_back(part.name);
      }
    }
  }
  return zones;
}

}  // namespace

std::string diff_page(const DiffInput& input, const Made& made) {
  const HeadVerdict verdict = diff_verdict(input.difference);
  Sources sources;
  for (const auto& [prefix, of] :
       {std::pair{"OLD: ", &input.before_sources}, std::pair{"NEW: ", &input.after_sources}}) {
    for (const SourceFile& file : *of) {
      sources.push_back({prefix + file.name, file.text});
    }
  }
  const std::string title =
      fmt::format("{} -> {}", file_name(input.difference.name_before), file_name(input.difference.name_after));
  Data data = scenario_data(
      input.after, sources, made,
      {.title = title, .description = input.after.name, .more_zones = older_zones(input.difference, input.after)});
  data.add("kind", "diff");
  data.add("verdict", verdict_data(verdict));
  data.add("diff", Data::of_text(diff_json(input.difference)));
  return page_of({.title = title,
                  .headline = headline_of(verdict),
                  .text = format_diff(input.difference, Format::table, Look{}),
                  .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
