// A report, independent of the format it is printed in.
//
//   Document document;
//   document.page = [&](Page& page) {
//     page.title({scenario.name, "capacity plan"});
//     page.list({"2,700 rps at 0 s"});
//     page.sheet(failures);
//     page.attached().paragraph({"12 more failures (-o csv lists all)"});
//   };
//   document.records = [&] { return every_failure; };
//   document.json = [&](const Sink& sink) { sink(plan_json(plan)); };
//   std::string text = format(document, Format::markdown, Look{});
//
// A report contains its content and names no format. It has three parts, each made only on request:
//
// page     for people, from top to bottom: titles, paragraphs, lists, sheets. Texts are not escaped; each format
//          escapes them.
// records  for line tools: one sheet with one row per item, with names and numbers as in JSON.
// json     its JSON. Its keys are stable (scenarios/schema/results.json), so they are not derived from sheets.
//
// A format is one file here and a line in formats.cpp: a function from a document to text. A class with one member,
// `draw`, draws the page part by part, so that a long report is never in memory as a whole.
// `text.cpp` is for terminals (`table`, and `wide`, which is records in columns), `markdown.cpp` for pull requests.
// They are different media: a terminal has columns, a Markdown page has sections that fold. A part may be for one of
// the two media only. Few parts are, and no part is for one format.
//
// The format decides on blank lines. One blank line separates parts, unless a part is `attached` to the previous one.
// In Markdown only a list can be attached, to a list or a paragraph: a blank line ends everything else.
//
// Width: `Look::width` limits everything if it was set, or if there is a terminal (`Look::is_bound`). Sentences are
// folded between words. A sheet that is too wide has the cells of its wordy columns folded. If that is not enough, some
// columns move below the others, each part under the names of the rows. If one cell per line or `Sheet::narrow` is
// shorter, that is used instead. Without a limit, lines keep their length, except for sheets that always fit (shares,
// tables of documents), which keep to 100 columns.
//
// Outside this folder are pages of HTML (reports/html: charts and tables drawn in the browser from data, not text),
// pictures (reports/plot), JUnit, OpenMetrics and annotations. Each of the last three belongs to one report only.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reports/document/formats.hpp"
#include "reports/document/sheet.hpp"
#include "reports/text/sink.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {

enum class Medium { terminal, markup };

// A part of a page. The texts of a `title` share one line; those of `paragraph` and `list` are one line each.
struct PagePart {
  enum class Kind { title, section, heading, paragraph, list, labels, sheet, begin_details, end_details };
  Kind kind = Kind::paragraph;
  std::vector<std::string> texts = {};
  std::vector<std::string> labels = {};  // Kind::labels: one per text, empty if it repeats the previous
  const Sheet* sheet = nullptr;
  int indent = 0;  // on a terminal
  int level = 3;   // Kind::section
  Tone tone = Tone::plain;
  bool attached = false;
};

class Page {
 public:
  // Creates a page of `width` columns per line; 0 means unlimited.
  Page(Medium medium, int width) : medium_(medium), width_(width) {}
  virtual ~Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  [[nodiscard]] bool is(Medium medium) const noexcept { return medium_ == medium; }
  [[nodiscard]] int width() const noexcept { return width_; }
  // Restrict the next part to this medium; attach the next part without a blank line.
  Page& on(Medium medium);
  Page& attached();

  // Adds "shop        capacity plan", in Markdown "**shop**: capacity plan".
  void title(std::vector<std::string> texts, Tone tone = Tone::plain, int indent = 0);
  // Adds the summary sentence: bold in Markdown.
  void headline(const std::string& text);
  // Adds "### cluster web"; level 1 is the page.
  void section(std::string text, int level = 3);
  // Adds a heading above a sheet, as plain words: "where all requests are answered".
  void heading(std::string text) { add({.kind = PagePart::Kind::heading, .texts = {std::move(text)}}); }
  void paragraph(std::vector<std::string> lines, int indent = 0);
  // Adds a list; does nothing if it is empty.
  void list(std::vector<std::string> lines, int indent = 0, Tone tone = Tone::plain);
  // Adds sentences with labels: {"headroom", "2,880 rps: ..."}. An empty label repeats the previous one.
  void labels(const std::vector<std::pair<std::string, std::string>>& sentences);
  // Adds a sheet. It is added even without rows.
  void sheet(const Sheet& sheet) { add({.kind = PagePart::Kind::sheet, .sheet = &sheet}); }
  // Adds a sheet in the layout of `wide`.
  void records(Sheet sheet);
  // Folds the parts up to end_details() away if the medium can.
  void begin_details(std::string summary) {
    add({.kind = PagePart::Kind::begin_details, .texts = {std::move(summary)}});
  }
  void end_details() { add({.kind = PagePart::Kind::end_details}); }

 protected:
  virtual void draw(const PagePart& part) = 0;

 private:
  void add(PagePart part);

  Medium medium_;
  int width_;
  bool is_for_other_ = false;  // the next part is for the other medium
  bool is_attached_ = false;
};

struct Document {
  std::function<void(Page&)> page = {};
  std::function<Sheet()> records = {};
  std::function<void(Page&)> wide = {};  // if `wide` is more than the records in columns
  std::function<void(const Sink&)> json = {};
};

// Format the document, with a final newline. write() passes pieces on as they are made.
void write(const Document& document, Format format, const Look& look, const Sink& sink);
[[nodiscard]] std::string format(const Document& document, Format format, const Look& look);

}  // namespace spillway::reports
