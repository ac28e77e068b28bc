#include "reports/shares/documented_table.hpp"

#include <catch2/catch.hpp>

#include "reports/shares/tables_report.hpp"
#include "tests/reports/small_report.hpp"
#include "tests/support/golden.hpp"

using namespace spillway;
using namespace spillway::reports;
using support::golden;

namespace {

scenario::Scenario documented_scenario() {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.source = "a document";
  scenario.expectations.emplace_back(testing::small_table());
  return scenario;
}

std::string reprinted(Format format, const Look& look = {}) {
  return format_tables({reprint_tables(documented_scenario(), testing::small_results())}, format, look);
}

std::string as_text(const DocumentedTable& table) {
  return format({.page = [&](Page& page) { add_documented_table(page, table, CellLayout::differences); }},
                Format::table, {});
}

}  // namespace

TEST_CASE("only cells in which document and exact part are marked") {
  const auto tables = documented_tables(documented_scenario(), testing::small_results());
  REQUIRE(tables.size() == 1);
  CHECK(has_differences(tables[0]));
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      CHECK(tables[0].rows[row].cells[column].differs == (row == 1 && column > 0));
    }
  }
}

TEST_CASE("documented and exact stand in one cell where they part, with the reason below") {
  const auto tables = documented_tables(documented_scenario(), testing::small_results());
  CHECK(as_text(tables[0]) ==
        " P0 healthy          P0          P1\n"
        "      100 %     100 %         0 %\n"
        "       50 %   50 | 70 x   50 | 30 x\n"
        "        0 %       0 %       100 %\n"
        "x  the document forgets the overprovisioning factor\n");
}

TEST_CASE("a difference that nobody explained has a mark of its own") {
  scenario::Scenario scenario = testing::small_scenario();
  scenario::ExpectedTable table = testing::small_table();
  table.rows[0][2] = testing::cell("1%", 1);
  scenario.expectations.emplace_back(table);
  const auto tables = documented_tables(scenario, testing::small_results());
  const std::string text = as_text(tables[0]);
  CHECK(text.find(" 1 |  0 !") != std::string::npos);
  CHECK(text.find("!  unexplained difference  [row 1 (0 - 10 s), P1]") != std::string::npos);
}

TEST_CASE("what one process reprints another can read") {
  const ReprintedTables tables = reprint_tables(documented_scenario(), testing::small_results());
  const ReprintedTables copy = reprinted_from_bytes(to_bytes(tables));
  for (const Format format : {Format::table, Format::markdown, Format::csv, Format::json}) {
    CHECK(format_tables({copy}, format, {}) == format_tables({tables}, format, {}));
  }
  CHECK(differences_in({copy}).tables == 1);
  CHECK(differences_in({copy}).differences == 2);
  CHECK(differences_in({copy}).unexplained == 0);
}

TEST_CASE("golden: reprinted tables on a wide terminal") {
  const std::string text = reprinted(Format::table);
  CHECK(golden("reports/golden/tables.txt", text) == text);
}

TEST_CASE("golden: reprinted tables on a narrow terminal") {
  const std::string text = reprinted(Format::table, {40, false});
  CHECK(golden("reports/golden/tables-narrow.txt", text) == text);
}

TEST_CASE("golden: reprinted tables as markdown") {
  const std::string text = reprinted(Format::markdown);
  CHECK(golden("reports/golden/tables.md", text) == text);
}

TEST_CASE("golden: reprinted tables as csv") {
  const std::string text = reprinted(Format::csv);
  CHECK(golden("reports/golden/tables.csv", text) == text);
}

TEST_CASE("golden: reprinted tables as json") {
  const std::string text = reprinted(Format::json);
  CHECK(golden("reports/golden/tables.json", text) == text);
}
