// Documents in their formats: what stands where is worked out by hand from reports/document/document.hpp.
#include "reports/document/document.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "reports/document/columns.hpp"

using namespace spillway::reports;

namespace {

const Sheet failures{"failures",
                     {{"lost"}, {"utilisation", true}, {.name = "verdict", .verdict = true}},
                     {{"zone-1", "112 %", "fails: a|b"}, {"", "5 %", "holds"}}};

Document small_document() {
  Document document;
  document.page = [](Page& page) {
    page.title({"shop_1", "plan"});
    page.attached().list({"2 rps"});
    page.sheet(failures);
    page.attached().paragraph({"3 more"}, 1);
    page.labels({{"headroom", "first"}, {"", "second"}});
    page.on(Medium::terminal).heading("only here");
    page.begin_details("more of it");
    page.paragraph({"folded away"});
    page.end_details();
  };
  document.records = [] { return failures; };
  document.json = [](const Sink& sink) { sink("{}\n"); };
  return document;
}

std::string text_of(const Sheet& sheet, const Look& look) {
  return format({.page = [&](Page& page) { page.sheet(sheet); }}, Format::table, look);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("a document on a terminal: columns, and a blank line between parts that are not attached") {
  CHECK(format(small_document(), Format::table, {}) ==
        "shop_1        plan\n"
        "2 rps\n"
        "\n"
        " lost     utilisation   verdict\n"
        " zone-1         112 %   fails: a|b\n"
        " -                5 %   holds\n"
        " 3 more\n"
        "\n"
        " headroom          first\n"
        "                   second\n"
        "\n"
        "only here\n"
        "\n"
        "folded away\n");
}

TEST_CASE("the same document in Markdown: marks are escaped, details fold") {
  CHECK(format(small_document(), Format::markdown, {}) ==
        "**shop\\_1**: plan\n"
        "\n"
        "- 2 rps\n"
        "\n"
        "| lost | utilisation | verdict |\n"
        "|---|---:|---|\n"
        "| zone-1 | 112 % | fails: a\\|b |\n"
        "|  | 5 % | holds |\n"
        "\n"
        "3 more\n"
        "\n"
        "- headroom: first\n"
        "- headroom: second\n"
        "\n"
        "<details><summary>more of it</summary>\n"
        "\n"
        "folded away\n"
        "\n"
        "</details>\n");
}

TEST_CASE("programs get the records of a document, or its JSON") {
  CHECK(format(small_document(), Format::csv, {}) == "lost,utilisation,verdict\nzone-1,112 %,fails: a|b\n,5 %,holds\n");
  CHECK(format(small_document(), Format::json, {}) == "{}\n");
  CHECK(format(small_document(), Format::wide, {}) ==
        "lost    utilisation  verdict\n"
        "zone-1        112 %  fails: a|b\n"
        "-               5 %  holds\n");
}

TEST_CASE("a verdict has the color of its first word") {
  CHECK(text_of(failures, {100, true}) ==
        " lost     utilisation   verdict\n"
        " zone-1         112 %   \x1b[31mfails: a|b\x1b[0m\n"
        " -                5 %   \x1b[32mholds\x1b[0m\n");
}

TEST_CASE("cells of words are folded where a sheet is too wide for the terminal") {
  const Sheet sheet{"", {{"lost"}, {"share", true}, {"verdict"}}, {{"zone-1", "50 %", "one two three four five"}}};
  CHECK(text_of(sheet, {.width = 30, .is_bound = true}) ==
        " lost     share   verdict\n"
        " zone-1    50 %   one two\n"
        "                  three four\n"
        "                  five\n");
  // Nobody asked for a width.
  CHECK(lines_of(text_of(sheet, {.width = 30})).size() == 2);
}

TEST_CASE("a sheet of too many columns has the others below, under the names of its rows") {
  Sheet sheet{"",
              {{"lost"}, {"zone-1", true}, {"zone-2", true}, {"not sent", true}, {"verdict"}},
              {{"nothing", "63 %", "25 %", "", "holds"},
               {"zone-1", "", "56 %", "1 rps", "holds"},
               {"zone-2", "75 %", "", "2 rps", "fails"},
               {"zone-3", "75 %", "38 %", "3 rps", "holds"}}};
  CHECK(text_of(sheet, {.width = 30, .is_bound = true}) ==
        " lost      zone-1   zone-2\n"
        " nothing     63 %     25 %\n"
        " zone-1         -     56 %\n"
        " zone-2      75 %        -\n"
        " zone-3      75 %     38 %\n"
        "\n"
        " lost      not sent   verdict\n"
        " nothing          -   holds\n"
        " zone-1       1 rps   holds\n"
        " zone-2       2 rps   fails\n"
        " zone-3       3 rps   holds\n");
  // A title stays with the columns that it runs over.
  sheet.fields[2].spans = true;
  sheet.fields[3].name = "";
  CHECK(lines_of(text_of(sheet, {.width = 30, .is_bound = true})).front() == " lost      zone-1");
}

TEST_CASE("a sheet of too many columns and few rows stands one cell a line") {
  const Sheet sheet{"",
                    {{"lost"}, {"utilisation", true}, {"requests", true}, {"cross-zone", true}},
                    {{"zone-1", "112 %", "1,000", ""}}};
  CHECK(text_of(sheet, {.width = 24, .is_bound = true}) ==
        " zone-1\n"
        "   utilisation  112 %\n"
        "   requests     1,000\n"
        "   cross-zone   -\n");
  Sheet always = sheet;
  always.always_fits = true;
  CHECK(text_of(always, {.width = 24}) == text_of(sheet, {.width = 24, .is_bound = true}));
}

TEST_CASE("names that are alike stand above their rows, once") {
  Sheet sheet{"", {{"cluster"}, {"what"}}, {{"a", "1"}, {"a", "2"}, {"b", "3"}}};
  sheet.is_grouped = true;
  CHECK(text_of(sheet, {}) == "a\n what\n 1\n 2\n\nb\n what\n 3\n");
}

TEST_CASE("no line of a bound page is wider than its terminal, whatever is in it") {
  const std::vector<std::string> words{"zone-1",
                                       "東京",
                                       "a-word-of-thirty-characters-ab",
                                       "112 %",
                                       "",
                                       "one two",
                                       "z\u00fcrich",
                                       "fails: utilisation of backend-13 (zone-2) 112 %"};
  for (std::size_t fields = 1; fields < 12; ++fields) {
    Sheet sheet;
    for (std::size_t field = 0; field < fields; ++field) {
      sheet.fields.push_back({words[(field * 3 + 1) % words.size()], field % 3 == 1});
    }
    for (std::size_t row = 0; row < 5; ++row) {
      SheetRow cells;
      for (std::size_t field = 0; field < fields; ++field) {
        cells.push_back(words[(row * 5 + field * field) % words.size()]);
      }
      sheet.rows.push_back(std::move(cells));
    }
    const Document document{.page = [&](Page& page) {
      page.title({words[7], words[7], words[1]});
      page.list({words[7] + " " + words[7]}, 2);
      page.labels({{"headroom", words[7] + " " + words[7]}});
      page.sheet(sheet);
    }};
    for (const int width : {20, 40, 60, 80, 120}) {
      const std::string text = format(document, Format::table, {.width = width, .is_bound = true});
      CAPTURE(fields, width, text);
      for (const std::string& line : lines_of(text)) {
        CHECK(display_width(line) <= width);
      }
    }
  }
}

TEST_CASE("a column is its name and what a row has in it") {
  Columns<int> columns;
  columns.text("number", [](int number) { return std::to_string(number); });
  columns.number("twice", [](int number) { return std::to_string(2 * number); });
  columns.text("unwanted", [](int) { return "x"; }, false);
  const std::vector<int> numbers{1, 2};
  const Sheet sheet = columns.sheet("numbers", numbers);
  CHECK(sheet.rows == std::vector<SheetRow>{{"1", "2"}, {"2", "4"}});
  CHECK(format({.records = [&] { return std::move(columns).made("numbers", numbers); }}, Format::csv, {}) ==
        "number,twice\n1,2\n2,4\n");
}
