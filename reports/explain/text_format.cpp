#include <algorithm>
#include <fmt/format.h>

#include "reports/document/document.hpp"
#include "reports/explain/formats.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::explain {

namespace {

constexpr int name_column = 14;
constexpr int between_facts = 3;

// Returns the length of the longest prefix of `text` that fits and ends before a blank; all of it if it has no blank.
std::size_t break_at(std::string_view text, int room) {
  std::size_t last = std::string_view::npos;
  for (std::size_t blank = text.find(' '); blank != std::string_view::npos; blank = text.find(' ', blank + 1)) {
    if (blank > 0 && display_width(text.substr(0, blank)) > room) {
      break;
    }
    last = blank > 0 ? blank : last;
  }
  return display_width(text) <= room || last == std::string_view::npos ? text.size() : last;
}

// The lines of one step, to the right of its name.
class Lines {
 public:
  Lines(std::string name, int width) : name_(std::move(name)), room_(std::max(width - name_column - 1, 20)) {}

  // Appends to the previous line, if there is room.
  void pack(const std::string& text) {
    if (!packs_ || display_width(lines_.back()) + between_facts + display_width(text) > room_) {
      const std::size_t before = lines_.size();
      add(text);
      packs_ = lines_.size() == before + 1;
      return;
    }
    lines_.back() += std::string(between_facts, ' ') + text;
  }

  // Starts a new line, with a file position at its end.
  void place(const std::string& text, const std::string& where) {
    add(text);
    const int left = room_ - display_width(lines_.back()) - between_facts;
    if (display_width(where) <= left) {
      lines_.back() += std::string(static_cast<std::size_t>(between_facts), ' ') + padded(where, left, Align::right);
    } else {
      add("  " + where);
    }
    packs_ = false;
  }

  void add(const std::string& text) {
    std::string_view rest = text;
    int indent = 0;
    while (!rest.empty()) {
      const std::size_t end = break_at(rest, room_ - indent);
      lines_.push_back(std::string(static_cast<std::size_t>(indent), ' ') + std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      indent = 2;
    }
    packs_ = false;
  }

  // Appends this step to `lines`.
  void append_to(std::vector<std::string>& lines) const {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      std::string whole = " " + padded(line == 0 ? name_ : "", name_column, Align::left) + lines_[line];
      whole.erase(whole.find_last_not_of(' ') + 1);
      lines.push_back(std::move(whole));
    }
  }

 private:
  std::string name_;
  int room_;
  bool packs_ = false;
  std::vector<std::string> lines_;
};

// Numbers sources in order of appearance.
class SourceNumbers {
 public:
  std::size_t of(const std::vector<std::string>& sources) {
    std::string text;
    for (const std::string& source : sources) {
      text += (text.empty() ? "" : "; ") + source;
    }
    const auto found = std::find(known_.begin(), known_.end(), text);
    if (found != known_.end()) {
      return static_cast<std::size_t>(found - known_.begin()) + 1;
    }
    known_.push_back(text);
    return known_.size();
  }
  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return known_; }

 private:
  std::vector<std::string> known_;
};

void add_step(std::vector<std::string>& into, const Step& step, SourceNumbers& sources, int width) {
  Lines lines(step.name, width);
  const std::string mark = step.sources.empty() ? "" : fmt::format(" [{}]", sources.of(step.sources));
  for (std::size_t fact = 0; fact < step.facts.size(); ++fact) {
    const std::string text = fact_text(step.facts[fact]) + (fact + 1 == step.facts.size() ? mark : "");
    if (step.facts[fact].where.empty()) {
      lines.pack(text);
    } else {
      lines.place(text, step.facts[fact].where);
    }
  }
  lines.append_to(into);
}

std::vector<std::string> lines_of_shares(const Explanation& explanation, int columns) {
  Lines lines(explanation.at_rest ? "at rest" : "shares", columns);
  int width = 0;
  const std::vector<ShareLine> rows = share_lines(explanation);
  for (const ShareLine& row : rows) {
    width = std::max(width, display_width(row.place));
  }
  constexpr int percent_width = 8;
  std::optional<double> sum = 0.0;
  for (const ShareLine& row : rows) {
    lines.add(padded(row.place, width, Align::left) + padded(share_text(row.share), percent_width + 2, Align::right) +
              "   " + row.endpoints);
    sum = sum && row.share ? std::optional(*sum + *row.share) : std::nullopt;
  }
  constexpr double rounding = 1e-9;
  const auto add_rest = [&](const char* name, double part) {
    if (part > rounding) {
      lines.add(padded(name, width, Align::left) + padded(exact_percent(part), percent_width + 2, Align::right));
    }
  };
  add_rest("dropped", explanation.dropped);
  add_rest("no host", sum ? 1.0 - *sum - explanation.dropped : 0.0);
  std::vector<std::string> result;
  lines.append_to(result);
  return result;
}

std::vector<std::string> lines_of_why(const Why& why, int width) {
  Lines lines("why", width);
  lines.add(why_headline(why));
  for (const Fact& fact : why.because) {
    if (fact.where.empty()) {
      lines.add(fact_text(fact));
    } else {
      lines.place(fact_text(fact), fact.where);
    }
  }
  Lines turns("turns", width);
  for (const Why::Turn& turn : why.turns) {
    if (turn.where.empty()) {
      turns.add(turn_text(why, turn));
    } else {
      turns.place(turn_text(why, turn), turn.where);
    }
  }
  std::vector<std::string> result;
  lines.append_to(result);
  turns.append_to(result);
  return result;
}

std::vector<std::string> lines_of_bounds(const Explanation& explanation, int width) {
  Lines lines("bounds", width);
  for (const std::string& bound : explanation.bounds) {
    lines.add(bound);
  }
  std::vector<std::string> result;
  lines.append_to(result);
  return result;
}

std::vector<std::string> lines_of_notes(const Explanation& explanation, int width) {
  std::vector<std::string> result;
  for (const std::string& note : explanation.notes) {
    Lines lines("", width + name_column);
    lines.add(note);
    lines.append_to(result);
  }
  for (std::string& line : result) {
    line.erase(0, name_column);
  }
  return result;
}

std::vector<std::string> lines_of_sources(const SourceNumbers& sources, int width) {
  std::vector<std::string> result;
  for (std::size_t source = 0; source < sources.all().size(); ++source) {
    const std::string mark = fmt::format(" [{}] ", source + 1);
    std::string_view rest = sources.all()[source];
    for (bool first = true; !rest.empty(); first = false) {
      const std::size_t end = break_at(rest, width - display_width(mark));
      result.push_back((first ? mark : std::string(mark.size(), ' ')) + std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return result;
}

}  // namespace

void add_columns(Page& page, const Explanation& explanation) {
  const int width = page.width();
  SourceNumbers sources;
  for (const Section& section : explanation.sections) {
    if (const std::string title = section_title(explanation, section); !title.empty()) {
      page.title({title}, Tone::plain, 1 + 2 * static_cast<int>(section.depth));
      page.attached();
    }
    std::vector<std::string> lines;
    for (const Step& step : section.steps) {
      add_step(lines, step, sources, width);
    }
    page.paragraph(std::move(lines));
  }
  page.paragraph(lines_of_shares(explanation, width));
  page.paragraph(lines_of_bounds(explanation, width));
  page.list(lines_of_notes(explanation, width));
  if (explanation.why) {
    page.paragraph(lines_of_why(*explanation.why, width));
  }
  page.paragraph(lines_of_sources(sources, width));
}

}  // namespace spillway::reports::explain
