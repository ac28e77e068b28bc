#include "reports/diff/diff_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

#include "reports/diff/context_words.hpp"
#include "reports/diff/diff_json.hpp"
#include "reports/diff/diff_tables.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/text/percent.hpp"
#include "sim/diff/places.hpp"

namespace spillway::reports {
namespace {

using diff::Difference;

std::string headline(const Difference& difference) {
  return file_name(difference.name_after) + ": " + verdict_sentence(difference);
}

// Returns "SP231 twice, SP207" for gained or for resolved lints.
std::string lints_text(const Difference& difference, bool gained) {
  std::vector<std::string> texts;
  for (const diff::Lint& lint : difference.lints) {
    if (lint.gained == gained) {
      texts.push_back(lint.place.empty() ? lint.code : lint.code + " at " + lint.place);
    }
  }
  return joined(texts, ", ");
}

std::string presences_text(const Difference& difference, bool added) {
  constexpr std::size_t most = 8;
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<std::string>> names;
  for (const diff::Presence& presence : difference.presences) {
    if (presence.added == added) {
      if (names[presence.kind].empty()) {
        kinds.push_back(presence.kind);
      }
      names[presence.kind].push_back(presence.name);
    }
  }
  std::vector<std::string> texts;
  for (const std::string& kind : kinds) {
    std::vector<std::string>& of_kind = names[kind];
    const std::size_t all = of_kind.size();
    if (all > most) {
      of_kind.resize(most);
      of_kind.push_back(fmt::format("{} more", all - most));
    }
    texts.push_back(kind + (all > 1 ? "s " : " ") + joined(of_kind, ", "));
  }
  return joined(texts, "; ");
}

// Returns the lines below the tables.
std::vector<std::string> closing(const Difference& difference) {
  std::vector<std::string> lines;
  const auto add = [&](const char* title, const std::string& text) {
    if (!text.empty()) {
      lines.push_back(title + (": " + text));
    }
  };
  for (const diff::OnsetChange& onset : difference.onsets) {
    add("partial loss", onset_sentence(onset));
  }
  add("new warnings", lints_text(difference, true));
  add("warnings resolved", lints_text(difference, false));
  add("new", presences_text(difference, true));
  add("removed", presences_text(difference, false));
  if (!difference.changed() && !difference.edits.empty()) {
    constexpr std::size_t most = 5;
    std::vector<std::string> places;
    for (const diff::Edit& edit : difference.edits) {
      if (places.size() < most) {
        places.push_back(edit.place.empty() ? "all of it" : edit.place);
      }
    }
    const std::size_t more = difference.edits.size() - places.size();
    add(difference.simulated.replications > 0 ? "edited without a detected effect"
                                              : "edited without an effect on shares, loads, keys, cost and warnings in "
                                                "the situations compared",
        joined(places, ", ") + (more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  for (const std::vector<std::string>& more :
       {simulated_lines(difference), not_compared_lines(difference), difference.notes}) {
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return lines;
}

// Returns the first edit in the newer file. Descriptions and expectations count only if nothing else was edited.
Span place_of_change(const Difference& difference) {
  const auto found = std::find_if_not(difference.edits.begin(), difference.edits.end(), [](const diff::Edit& edit) {
    return diff::is_words(edit) || edit.place.starts_with("expect");
  });
  return found != difference.edits.end() ? found->where
         : difference.edits.empty()      ? Span{}
                                         : difference.edits.front().where;
}

void add_table(Page& page, const DiffTable& table, bool with_title = true) {
  if (with_title) {
    page.on(Medium::terminal).heading(table.sheet.subject);
    page.on(Medium::markup).heading(table.sheet.subject + ":");
  }
  page.sheet(table.sheet);
  if (table.more > 0) {
    page.attached().paragraph({fmt::format("{} more rows (-o csv lists all)", with_thousands(table.more))}, 1);
  }
}

// Adds the tables by priority and endpoint at the end, folded if the medium can.
void add_details(Page& page, const Difference& difference, Medium medium) {
  const std::vector<DiffTable> tables = detail_tables(difference);
  if (page.is(medium) && !tables.empty()) {
    page.begin_details("by priority and endpoint");
    for (const DiffTable& table : tables) {
      add_table(page, table);
    }
    page.end_details();
  }
}

}  // namespace

void add_difference(Page& page, const Difference& difference) {
  // Green: nothing changes; red: an endpoint is over its capacity that was not; yellow: anything else changes.
  const bool over = std::any_of(difference.overloads.begin(), difference.overloads.end(),
                                [](const diff::Overload& overload) { return overload.over(); });
  page.title({headline(difference)}, over ? Tone::bad : difference.changed() ? Tone::warning : Tone::good);
  if (const DiffTable moves = moves_table(difference); !moves.empty()) {
    add_table(page, moves, false);
  }
  for (const DiffTable& table : main_tables(difference)) {
    add_table(page, table);
  }
  add_details(page, difference, Medium::terminal);
  page.list(closing(difference));
  add_details(page, difference, Medium::markup);
}

void add_cluster_difference(Page& page, const std::string& cluster, const Difference& difference) {
  page.on(Medium::terminal).section("cluster " + cluster);
  page.on(Medium::markup).section(cluster);
  add_difference(page.attached(), difference);
}

std::string format_diff(const Difference& difference, Format format, const Look& look) {
  return reports::format({.page = [&](Page& page) { add_difference(page, difference); },
                          .records = [&] { return all_changes(difference); },
                          .json = [&](const Sink& sink) { sink(diff_json(difference)); }},
                         format, look);
}

std::string diff_annotations(const Difference& difference, const Sources& after) {
  if (!difference.changed() && difference.not_compared.empty()) {
    return "";
  }
  const Span edited = place_of_change(difference);
  std::vector<std::string> sentences = not_compared_lines(difference);
  sentences.insert(sentences.begin(), verdict_sentence(difference));
  std::vector<Annotation> annotations = {{"notice", edited, "spillway diff", joined(sentences, "; ")}};
  std::set<std::string> endpoints;
  const std::vector<std::string> labels = context_labels(difference);
  for (const diff::Overload& overload : difference.overloads) {
    if (overload.over() && endpoints.insert(overload.endpoint).second) {
      annotations.push_back(
          {"warning", edited, "over capacity",
           fmt::format("{}: {} ({}) {}, at most {}", labels[overload.context], overload.endpoint, overload.zone,
                       utilisation_change_text(overload.before, overload.after), exact_percent(overload.limit))});
    }
  }
  for (const diff::SimulatedFigure& figure : difference.simulated.figures) {
    if (figure.figure == diff::Figure::failed && figure.differs() && figure.change() > 0.0) {
      annotations.push_back({"warning", edited, "more failed requests",
                             fmt::format("{}: {} for {}: {} -> {} ({})", labels[figure.context],
                                         figure.client.empty() ? "all clients" : figure.client, figure.service,
                                         figure_text(figure.figure, figure.before),
                                         figure_text(figure.figure, figure.after), figure_change_text(figure))});
    }
  }
  for (const diff::Lint& lint : difference.lints) {
    if (lint.gained) {
      annotations.push_back({"warning", lint.where, lint.code, lint.message});
    }
  }
  return github_annotations(annotations, after);
}

}  // namespace spillway::reports
