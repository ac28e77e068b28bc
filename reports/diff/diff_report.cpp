#include "reports/diff/diff_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reports/diff/diff_json.hpp"
#include "reports/diff/diff_tables.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports {
namespace {

using diff::Difference;

std::string headline(const Difference& difference) {
  return file_name(difference.name_after) + ": " + verdict_sentence(difference);
}

// Within a line > is no mark of Markdown, and "->" should stay readable before it is drawn.
std::string with_arrows(std::string text) {
  const std::string escaped = "-\\>";
  for (std::size_t at = text.find(escaped); at != std::string::npos; at = text.find(escaped, at)) {
    text.replace(at, escaped.size(), "->");
  }
  return text;
}

std::string rows_left_out(const DiffTable& table) {
  return table.more > 0 ? fmt::format("{} more rows (-o csv lists all)", with_thousands(table.more)) : "";
}

// "SP231 twice, SP207": of those gained, or gone.
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

// What is said in a line each, below the tables.
std::vector<std::string> closing(const Difference& difference) {
  std::vector<std::string> lines;
  const auto add = [&](const char* title, const std::string& text) {
    if (!text.empty()) {
      lines.push_back(title + (": " + text));
    }
  };
  add("lints gained", lints_text(difference, true));
  add("lints gone", lints_text(difference, false));
  add("new", presences_text(difference, true));
  add("gone", presences_text(difference, false));
  if (!difference.changed() && !difference.edits.empty()) {
    constexpr std::size_t most = 5;
    std::vector<std::string> places;
    for (const diff::Edit& edit : difference.edits) {
      if (places.size() < most) {
        places.push_back(edit.place.empty() ? "all of it" : edit.place);
      }
    }
    const std::size_t more = difference.edits.size() - places.size();
    add(difference.played.replications > 0 ? "edited without an effect that was found"
                                           : "edited without an effect on shares, loads, keys, cost and lints",
        joined(places, ", ") + (more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  for (const std::vector<std::string>& more :
       {played_lines(difference), not_compared_lines(difference), difference.notes}) {
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return lines;
}

// Where the newer file was edited first: words for people only where nothing else was.
scenario::Span place_of_change(const Difference& difference) {
  const auto is_words = [](const diff::Edit& edit) {
    return edit.place == "name" || edit.place == "description" || edit.place == "source" || edit.place == "$schema" ||
           edit.place.starts_with("expect");
  };
  const auto found = std::find_if_not(difference.edits.begin(), difference.edits.end(), is_words);
  return found != difference.edits.end() ? found->where
         : difference.edits.empty()      ? scenario::Span{}
                                         : difference.edits.front().where;
}

std::string diff_text(const Difference& difference, const Look& look) {
  constexpr int gap = 3;
  const std::string title = printable(headline(difference));
  // Green: nothing changes; red: an endpoint is over its capacity that was not; yellow: anything else changes.
  const bool over = std::any_of(difference.overloads.begin(), difference.overloads.end(),
                                [](const diff::Overload& overload) { return overload.over(); });
  const char* const color = over ? "31" : difference.changed() ? "33" : "32";
  std::string text = (look.color ? fmt::format("\x1b[1;{}m{}\x1b[0m", color, title) : title) + "\n";
  const auto add = [&](const DiffTable& table, bool with_title) {
    text += with_title ? "\n" + table.sheet.subject + "\n\n" : "\n";
    text += sheet_text(table.sheet, 1, gap);
    if (table.more > 0) {
      text += " " + rows_left_out(table) + "\n";
    }
  };
  if (const DiffTable moves = moves_table(difference); !moves.empty()) {
    add(moves, false);
  }
  for (const DiffTable& table : main_tables(difference)) {
    add(table, true);
  }
  for (const DiffTable& table : detail_tables(difference)) {
    add(table, true);
  }
  const std::vector<std::string> lines = closing(difference);
  text += lines.empty() ? "" : "\n";
  for (const std::string& line : lines) {
    text += printable(line) + "\n";
  }
  return text;
}

std::string diff_markdown(const Difference& difference) {
  std::string text = "**" + markdown_escaped(headline(difference)) + "**\n";
  const auto add = [&](const DiffTable& table, bool with_title) {
    text += with_title ? "\n" + table.sheet.subject + ":\n\n" : "\n";
    text += with_arrows(sheet_markdown(table.sheet));
    if (table.more > 0) {
      text += "\n" + rows_left_out(table) + "\n";
    }
  };
  if (const DiffTable moves = moves_table(difference); !moves.empty()) {
    add(moves, false);
  }
  for (const DiffTable& table : main_tables(difference)) {
    add(table, true);
  }
  const std::vector<std::string> lines = closing(difference);
  text += lines.empty() ? "" : "\n";
  for (const std::string& line : lines) {
    text += "- " + markdown_escaped(line) + "\n";
  }
  const std::vector<DiffTable> details = detail_tables(difference);
  if (!details.empty()) {
    text += "\n<details><summary>by priority and endpoint</summary>\n";
    for (const DiffTable& table : details) {
      add(table, true);
    }
    text += "\n</details>\n";
  }
  return text;
}

}  // namespace

std::string format_diff(const Difference& difference, Format format, const Look& look) {
  switch (format) {
    case Format::json:
      return diff_json(difference);
    case Format::csv:
      return sheet_csv(all_changes(difference));
    case Format::wide: {
      constexpr int gap = 2;
      return sheet_text(all_changes(difference), 0, gap);
    }
    case Format::markdown:
      return diff_markdown(difference);
    case Format::table:
      break;
  }
  return diff_text(difference, look);
}

std::string diff_annotations(const Difference& difference, const scenario::Sources& after) {
  if (!difference.changed() && difference.not_compared.empty()) {
    return "";
  }
  const scenario::Span edited = place_of_change(difference);
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
  for (const diff::PlayedFigure& figure : difference.played.figures) {
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
