// Names that are meant to do something in the language that they are written into. They come from scenarios and
// documents of strangers, and end up in terminals, spreadsheets, build servers and pages.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/expectations/github_annotations.hpp"
#include "reports/formats.hpp"
#include "reports/plot/gnuplot_script.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/text_table.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names = {"::stop-commands::x",
                                                 "  ::add-mask::x",
                                                 "##[group]x",
                                                 "=HYPERLINK(\"http://x\",\"y\")",
                                                 "+1+cmd|' /C calc'!A0",
                                                 "-2+3",
                                                 "@SUM(A1)",
                                                 "\t=1+1",
                                                 "\r=1+1",
                                                 "a\nb",
                                                 "\x1b[31mred\x1b]0;title\x07",
                                                 "\xC2\x9B"
                                                 "31m",
                                                 "\xEF\xBF\xBE",                       // U+FFFE
                                                 "\xEF\xBF\xBF",                       // U+FFFF
                                                 "\xF0\x9F\xBF\xBE",                   // U+1FFFE
                                                 "x\xF3\xA0\x81\xA1\xF3\xA0\x81\xA2",  // tag characters
                                                 "x\xEF\xB7\x90",                      // U+FDD0
                                                 "\xE2\x80\xAEright to left",
                                                 "'quoted'",
                                                 "''",
                                                 "`touch x`",
                                                 "$(touch x)",
                                                 "\"; system(\"touch x\"); \"",
                                                 "</script><script>alert(1)</script>",
                                                 "]]>",
                                                 "a''b",
                                                 "a|b`c`<d>",
                                                 "%n%s",
                                                 "\xFF\xFE"};
  return names;
}

// As GitHub's runner reads lines (actions/runner, ActionCommand.cs).
bool has_command(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("::") || line.find("##[") != std::string::npos) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return letter == '\n' || static_cast<unsigned char>(letter) >= 0x20; });
}

bool has_code_point(const std::string& text, const std::string& bytes) {
  return text.find(bytes) != std::string::npos;
}

}  // namespace

TEST_CASE("no name is a command of GitHub's runner, a control character or invisible once it is printed") {
  for (const std::string& name : hostile_names()) {
    INFO(name);
    for (const std::string& text : {printable(name), csv_field(name), markdown_escaped(name), xml_escaped(name),
                                    dot_text(name), plot::GnuplotScript::quoted(name)}) {
      CHECK_FALSE(has_command(text));
      CHECK(is_plain(text));
      for (const char* const hidden :
           {"\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xF3\xA0\x81\xA1", "\xEF\xB7\x90", "\xC2\x9B", "\xE2\x80\xAE"}) {
        CHECK_FALSE(has_code_point(text, hidden));
      }
    }
  }
}

TEST_CASE("an IPv6 address is no command") {
  CHECK(printable("::1") == "::1");
  CHECK(printable("::ffff:10.0.0.1") == "::ffff:10.0.0.1");
  CHECK(printable("std::vector") == "std::vector");
  CHECK(printable("::notice::x") == "\\x3a:notice::x");
}

TEST_CASE("no field of CSV is a formula, and figures stay figures") {
  for (const char* const formula : {"=1+1", "+1+cmd|x", "-2+3", "@SUM(A1)", "\t=1+1", "-x"}) {
    const std::string field = csv_field(formula);
    INFO(field);
    CHECK(field.find_first_of("=+-@\t\r") != 0);
    CHECK(field.find_first_not_of("\" ") == field.find('\''));
  }
  CHECK(csv_field("-0.5") == "-0.5");
  CHECK(csv_field("+3") == "+3");
  CHECK(csv_field("1e-9") == "1e-9");
  CHECK(csv_field("-") == "-");
}

TEST_CASE("hostile names end no quotes of gnuplot's") {
  // Two apostrophes are one within quotes; gnuplot 5.4 does not read them at the begin or next to each other (tried).
  CHECK(plot::GnuplotScript::quoted("it's") == "'it''s'");
  CHECK(plot::GnuplotScript::quoted("'x") == "'\u2019x'");
  CHECK(plot::GnuplotScript::quoted("''") == "'\u2019\u2019'");
  CHECK(plot::GnuplotScript::quoted("]]>") == "']] >'");  // which gnuplot writes into an SVG as it is
  CHECK(plot::GnuplotScript::quoted("a''b") == "'a''\u2019b'");
}

TEST_CASE("hostile names of clients and services drive nothing in any format") {
  for (const std::string& name : hostile_names()) {
    scenario::Scenario scenario = testing::small_scenario();
    scenario.name = name;
    scenario.clients.front().name = name;
    const run::Results results = testing::small_results();
    const Report report{scenario, results, {}, {}, {}};
    for (const Format format : {Format::table, Format::wide, Format::markdown, Format::csv, Format::json}) {
      const std::string text = reports::format(report, format, default_dimensions(format, scenario), {});
      INFO(text);
      CHECK(is_plain(text));
      CHECK((format == Format::json || !has_command(text)));
    }
  }
}

TEST_CASE("annotations keep hostile names within their line") {
  const std::vector<Annotation> annotations = {{"error", {}, "a\n::stop-commands::x", "b\r\n::error::c"}};
  const std::string text = github_annotations(annotations, {{"file", ""}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("annotations are as many and as long as a page of GitHub's can show") {
  const std::vector<Annotation> many(5'000, Annotation{"warning", {}, "title", std::string(100'000, 'x')});
  const std::string text = github_annotations(many, {{"file", ""}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 101);
  CHECK(text.size() < 500'000);
  CHECK(text.find("::notice title=and 4900 more::") != std::string::npos);
}
