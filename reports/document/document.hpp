// A report, whatever format it is printed in.
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
// A report says what it has to say, and no format is named in it. It has three parts, each made only if it is wanted:
//
// page     what people read, from top to bottom: titles, paragraphs, lists, sheets. Texts are as they are: whoever
//          draws them escapes them.
// records  what line tools read: one sheet with a row a thing, names and numbers as JSON has them.
// json     its JSON. Its keys are a promise (scenarios/schema/results.json), so no rule makes them of sheets.
//
// A format is one file here, and a line in formats.cpp: a function from a document to text. What people read is drawn
// by a class with one member, `draw`, which is given the page part by part, so that a long report never stands in
// memory as a whole. `text.cpp` is for terminals (`table`, and `wide`, which is records in columns), `markdown.cpp` for
// pull requests. A terminal and a page of marks are different media: a terminal has columns, a page has sections that
// fold. A part may be for one of the two alone; those are few, and no part is for a format.
//
// Where blank lines go is the format's business. Parts are apart from each other by one, unless a part is `attached` to
// the one before. In Markdown only a list can be attached, to a list or a paragraph: a blank line ends everything else.
//
// How wide it is: `Look::width` binds everything if it was asked for, or if there is a terminal (`Look::is_bound`).
// Sentences are folded between words. A sheet that is too wide has the cells of its wordy columns folded; where that is
// not enough some of its columns stand below the others, each part under the names of the rows, or, if that is shorter,
// one cell a line, or as `Sheet::narrow` has it. Otherwise lines are as long as they are, except
// for the sheets that always fit (shares, tables of documents), which keep to 100 columns.
//
// Not here are pages of HTML (reports/html: charts and tables that are drawn in the browser, of data and not of text),
// pictures (reports/plot), JUnit, OpenMetrics and annotations, each of one report alone.
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

// What a page is made of. Texts of a `title` stand on one line; of `paragraph` and `list` they are a line each.
struct PagePart {
  enum class Kind { title, section, heading, paragraph, list, labels, sheet, begin_details, end_details };
  Kind kind = Kind::paragraph;
  std::vector<std::string> texts = {};
  std::vector<std::string> labels = {};  // Kind::labels: one for each text, empty if it has that of the one before
  const Sheet* sheet = nullptr;
  int indent = 0;  // on a terminal
  int level = 3;   // Kind::section
  Tone tone = Tone::plain;
  bool attached = false;
};

class Page {
 public:
  // `width`: columns of a line; 0: as many as it takes.
  Page(Medium medium, int width) : medium_(medium), width_(width) {}
  virtual ~Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  [[nodiscard]] bool is(Medium medium) const noexcept { return medium_ == medium; }
  [[nodiscard]] int width() const noexcept { return width_; }
  // What comes next is for this medium alone; it follows without a blank line.
  Page& on(Medium medium);
  Page& attached();

  // "shop        capacity plan", "**shop**: capacity plan".
  void title(std::vector<std::string> texts, Tone tone = Tone::plain, int indent = 0);
  // The sentence that says it all: bold in Markdown.
  void headline(const std::string& text);
  // "### cluster web": 1 is the page.
  void section(std::string text, int level = 3);
  // Above a sheet, in words without marks: "where all requests are answered".
  void heading(std::string text) { add({.kind = PagePart::Kind::heading, .texts = {std::move(text)}}); }
  void paragraph(std::vector<std::string> lines, int indent = 0);
  // Nothing if it is empty.
  void list(std::vector<std::string> lines, int indent = 0, Tone tone = Tone::plain);
  // Sentences beside what they are about: {"headroom", "2,880 rps: ..."}; an empty label: that of the one before.
  void labels(const std::vector<std::pair<std::string, std::string>>& sentences);
  // Whatever its rows.
  void sheet(const Sheet& sheet) { add({.kind = PagePart::Kind::sheet, .sheet = &sheet}); }
  // As `wide` has them.
  void records(Sheet sheet);
  // Parts between the two are folded away where a medium can.
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
  bool is_for_other_ = false;  // the next part
  bool is_attached_ = false;
};

struct Document {
  std::function<void(Page&)> page = {};
  std::function<Sheet()> records = {};
  std::function<void(Page&)> wide = {};  // where `wide` is more than the records in columns
  std::function<void(const Sink&)> json = {};
};

// Ends with a newline. Piece by piece, while it is made.
void write(const Document& document, Format format, const Look& look, const Sink& sink);
[[nodiscard]] std::string format(const Document& document, Format format, const Look& look);

}  // namespace spillway::reports
