// Formats Markdown for GitHub.
#include "reports/document/document.hpp"
#include "reports/text/escapes.hpp"

namespace spillway::reports {
namespace {

using Kind = PagePart::Kind;

class MarkdownPage : public Page {
 public:
  explicit MarkdownPage(const Sink& sink) : Page(Medium::markup, 0), sink_(sink) {}

  void hand_over() {
    sink_(text_);
    text_.clear();
  }

 protected:
  void draw(const PagePart& part) override {
    begin(part.attached && part.kind == Kind::list, part.kind);
    switch (part.kind) {
      case Kind::title:
        return draw_title(part.texts);
      case Kind::section:
        return line(std::string(static_cast<std::size_t>(part.level), '#') + ' ', part.texts.front());
      case Kind::sheet:
        return draw_sheet(*part.sheet);
      case Kind::labels:
        return draw_labels(part);
      case Kind::begin_details:
        text_ += "<details><summary>" + markdown_escaped(part.texts.front()) + "</summary>\n";
        return;
      case Kind::end_details:
        text_ += "</details>\n";
        return;
      case Kind::heading:
        text_ += part.texts.front() + "\n";
        return;
      case Kind::paragraph:
      case Kind::list:
        break;
    }
    for (const std::string& text : part.texts) {
      line(part.kind == Kind::list ? "- " : "", text);
    }
  }

 private:
  void begin(bool attached, Kind kind) {
    const bool joins = attached && (last_ == Kind::list || last_ == Kind::paragraph);
    text_ += is_first_ || joins ? "" : "\n";
    is_first_ = false;
    last_ = kind;
    write_full(text_, sink_);
  }

  void line(const std::string& mark, const std::string& text) { text_ += mark + markdown_escaped(text) + "\n"; }

  void draw_title(const std::vector<std::string>& texts) {
    std::vector<std::string> rest;
    for (std::size_t i = 1; i < texts.size(); ++i) {
      rest.push_back(markdown_escaped(texts[i]));
    }
    text_ += "**" + markdown_escaped(texts.front()) + "**" + (rest.empty() ? "" : ": ") + joined(rest, ", ") + "\n";
  }

  void draw_labels(const PagePart& part) {
    std::string label;
    for (std::size_t i = 0; i < part.texts.size(); ++i) {
      label = part.labels[i].empty() ? label : part.labels[i];
      line("- ", label + ": " + part.texts[i]);
    }
  }

  void draw_sheet(const Sheet& sheet) {
    std::vector<std::string> names;
    std::vector<bool> numbers;
    for (const SheetField& field : sheet.fields) {
      names.push_back(markdown_escaped(field.name));
      numbers.push_back(field.number);
    }
    text_ += markdown_row(names) + markdown_rule(numbers);
    for_each_row(sheet, [&](SheetRow cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        // A verdict in capitals is bold.
        const bool loud = sheet.fields[i].verdict && cells[i] == "FAILED";
        cells[i] = loud ? "**FAILED**" : markdown_cell(cells[i]);
      }
      text_ += markdown_row(cells);
      write_full(text_, sink_);
    });
    bool begun = false;
    for (const std::vector<std::string>& lines : sheet.below) {
      for (const std::string& text : lines) {
        text_ += std::exchange(begun, true) ? "" : "\n";
        line("- ", text);
      }
    }
  }

  const Sink& sink_;
  std::string text_;
  bool is_first_ = true;
  Kind last_ = Kind::title;
};

}  // namespace

void write_markdown(const Document& document, const Look&, const Sink& sink) {
  MarkdownPage page(sink);
  document.page(page);
  page.hand_over();
}

}  // namespace spillway::reports
