#include <algorithm>

#include "reports/document/document.hpp"

namespace spillway::reports {

Page& Page::on(Medium medium) {
  is_for_other_ = medium != medium_;
  return *this;
}

Page& Page::attached() {
  is_attached_ = true;
  return *this;
}

void Page::title(std::vector<std::string> texts, Tone tone, int indent) {
  add({.kind = PagePart::Kind::title, .texts = std::move(texts), .indent = indent, .tone = tone});
}

void Page::headline(const std::string& text) {
  on(Medium::terminal).paragraph({text});
  on(Medium::markup).title({text});
}

void Page::section(std::string text, int level) {
  add({.kind = PagePart::Kind::section, .texts = {std::move(text)}, .level = level});
}

void Page::records(Sheet records) {
  records.indent = 0;
  records.gap = 2;
  sheet(records);
}

void Page::paragraph(std::vector<std::string> lines, int indent) {
  add({.kind = PagePart::Kind::paragraph, .texts = std::move(lines), .indent = indent});
}

void Page::list(std::vector<std::string> lines, int indent, Tone tone) {
  is_for_other_ = is_for_other_ || lines.empty();
  add({.kind = PagePart::Kind::list, .texts = std::move(lines), .indent = indent, .tone = tone});
}

void Page::labels(const std::vector<std::pair<std::string, std::string>>& sentences) {
  PagePart part{.kind = PagePart::Kind::labels};
  for (const auto& [label, sentence] : sentences) {
    part.labels.push_back(label);
    part.texts.push_back(sentence);
  }
  add(std::move(part));
}

void Page::add(PagePart part) {
  part.attached = std::exchange(is_attached_, false);
  if (!std::exchange(is_for_other_, false)) {
    draw(part);
  }
}

Tone tone_of(std::string_view verdict) {
  const auto begins = [&](auto... words) { return (verdict.starts_with(words) || ...); };
  return begins("holds", "ok", "OK")                ? Tone::good
         : begins("fails", "FAILED")                ? Tone::bad
         : begins("undecided", "UNDECIDED", "open") ? Tone::warning
                                                    : Tone::plain;
}

void for_each_row(const Sheet& sheet, const std::function<void(SheetRow)>& visit) {
  if (sheet.made) {
    return sheet.made(visit);
  }
  std::for_each(sheet.rows.begin(), sheet.rows.end(), visit);
}

}  // namespace spillway::reports
