#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/sweep/database.hpp"
#include "sim/sweep/figures.hpp"
#include "sim/sweep/points.hpp"
#include "sim/sweep/query.hpp"
#include "sim/sweep/sensitivity.hpp"
#include "sim/sweep/store.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using namespace spillway::sweep;

namespace {

// One key: three values on two sides, or the two steps of a screening's only way.
Definition small_definition(Design design) {
  Definition definition;
  definition.version = "1";
  definition.text = R"({"mode":1})";
  definition.sides = {{"before", "before.yaml", "1"}, {"after", "after.yaml", "2"}};
  definition.keys = {Key{.text = "clients[shop].workload.rate", .name = "rate", .path = {}, .values = {}}};
  definition.settings = design == Design::grid ? 3 : 2;
  definition.samples = design == Design::grid ? 3 : 1;
  definition.design = design;
  definition.replications = 2;
  return definition;
}

Figures small_figures(std::uint64_t point) {
  Figures figures;
  figures.seed = point;
  if (point == 1) {
    figures.refusal = "SP023: out of bounds";
    return figures;
  }
  Outcome outcome;
  outcome.counts.emplace();
  outcome.counts->sent = 10 + point;
  outcome.counts->counts[scenario::Outcome::ok] = 10;
  outcome.failed = 0.25;
  outcome.latency.emplace();
  figures.total = outcome;
  outcome.client = "shop";
  outcome.service = "cart";
  figures.clients = {outcome};
  figures.shares = {
      {.client = "shop", .service = "cart", .cluster = "cart", .priority = 0, .zone = "z", .requests = 5}};
  figures.loads = {{.service = "cart", .zone = "z", .endpoints = 2, .requests = 5}};
  figures.logged_events = {{.kind = 0, .times = 1}};
  figures.busiest = 0.5;
  figures.cross_zone = 0.0;
  return figures;
}

void fill(const std::string& file, const Definition& definition) {
  Store store(file, definition, {.event_names = {"ejected"}});
  while (const auto point = store.claim()) {
    const double part = static_cast<double>(place_of(definition, *point).setting) / 4.0;
    store.put(*point, {{std::to_string(10 * *point), 0, 1}},
              definition.design == Design::grid ? std::vector<double>{} : std::vector{part}, small_figures(*point));
    if (*point + 2 == definition.points()) {
      break;  // one is left to simulate, and claimed
    }
  }
}

// Whatever opens the file of a sweep.
struct Opening {
  std::string name;
  std::function<void(const std::string& file)> open;
};

std::vector<Opening> openings(const Definition& definition) {
  const std::vector<std::string> event_kinds{"ejected"};
  std::vector<Opening> all{
      {"points", [=](const std::string& file) { (void)read_points(file, {.event_names = event_kinds}); }},
      {"series", [=](const std::string& file) { (void)read_series(file, {.event_names = event_kinds}); }},
      {"continue",
       [=](const std::string& file) {
         Store store(file, definition, {.event_names = event_kinds});
         (void)store.claim();
       }},
      {"merge", [=](const std::string& file) { (void)merge(file + ".merged", {file}); }}};
  if (definition.design != Design::grid) {
    all.push_back(
        {"sensitivity", [=](const std::string& file) { (void)read_sensitivity(file, {.event_names = event_kinds}); }});
  }
  return all;
}

// The code that it is refused with; empty if it is not.
std::string refusal_by(const Opening& opening, const std::string& file) {
  try {
    opening.open(file);
  } catch (const StoreProblem& problem) {
    return problem.code;
  }
  return "";
}

// A copy of the file after these statements; false if the tables do not allow them.
bool change(const std::string& file, const std::string& copy, const std::string& sql) {
  for (const char* beside : {"", "-wal", "-shm", ".merged", ".merged-wal", ".merged-shm"}) {
    std::filesystem::remove(copy + beside);
  }
  std::filesystem::copy_file(file, copy);
  try {
    Database database(copy, Database::Use::write);
    database.execute(sql);
  } catch (const DatabaseError&) {
    return false;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> columns_of(const std::string& file) {
  Database database(file, Database::Use::read);
  Statement select(database,
                   "SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = "
                   "'table'");
  std::vector<std::pair<std::string, std::string>> columns;
  while (select.step()) {
    columns.emplace_back(select.text(0), select.text(1));
  }
  return columns;
}

}  // namespace

// The numbers that something is counted or indexed by. Any other one than what the sweep wrote is refused, so that no
// index comes from a file.
TEST_CASE("a file of a sweep with a number that no sweep writes is refused by everything that opens it") {
  const support::TemporaryFolder folder;
  const std::string copy = folder.path("copy.db");
  for (const Design design : {Design::grid, Design::morris}) {
    const Definition definition = small_definition(design);
    const std::string file = folder.path(design == Design::grid ? "grid.db" : "morris.db");
    fill(file, definition);
    for (const Opening& opening : openings(definition)) {
      INFO(opening.name);
      REQUIRE(change(file, copy, "DELETE FROM claims"));
      const std::string refusal = refusal_by(opening, copy);
      REQUIRE(refusal.empty());
    }
    for (const char* numbered :
         {"sweep SET points", "sweep SET settings", "sweep SET replications", "sweep SET samples", "sides SET side",
          "keys SET key", "inputs SET setting", "inputs SET key", "points SET point", "points SET setting",
          "points SET side", "points SET replication", "outcomes SET point", "shares SET point", "loads SET point",
          "happenings SET point"}) {
      for (const char* number : {"-1", "1000000000000", "9223372036854775807", "-9223372036854775808", "'13'", "0.5"}) {
        const std::string sql = std::string("UPDATE OR IGNORE ") + numbered + " = " + number;
        if (!change(file, copy, sql)) {
          continue;  // another type than a key's
        }
        for (const Opening& opening : openings(definition)) {
          INFO(opening.name << " after " << sql);
          CHECK(refusal_by(opening, copy) == "SP967");
        }
      }
    }
  }
}

TEST_CASE("a file of a sweep with any value changed to any other is read or refused") {
  const support::TemporaryFolder folder;
  const std::string copy = folder.path("copy.db");
  const std::string file = folder.path("morris.db");
  const Definition definition = small_definition(Design::morris);
  fill(file, definition);
  std::size_t tried = 0;
  std::size_t refused = 0;
  for (const auto& [table, column] : columns_of(file)) {
    for (const char* value : {"NULL", "-1", "9e999", "x'00ff'", "'a''b'", "4611686018427387904"}) {
      // Each column has another of the values in its turn.
      const std::size_t turn = tried % 6 + tried / 6;
      ++tried;
      if (turn % support::stride_of_cases != 0 ||
          !change(file, copy, "UPDATE OR IGNORE " + table + " SET " + column + " = " + value)) {
        continue;
      }
      for (const Opening& opening : openings(definition)) {
        const std::string code = refusal_by(opening, copy);
        INFO(opening.name << ": " << table << "." << column << " = " << value << ": " << code);
        CHECK((code.empty() || code == "SP967" || code == "SP954" || code == "SP956"));
        refused += code.empty() ? 0 : 1;
      }
    }
  }
  CHECK(refused > support::cases_of(100));
}

TEST_CASE("views, triggers, other columns and missing rows in the file of a sweep are refused") {
  const support::TemporaryFolder folder;
  const std::string copy = folder.path("copy.db");
  const std::string file = folder.path("grid.db");
  const Definition definition = small_definition(Design::grid);
  fill(file, definition);
  for (const char* sql :
       {"DELETE FROM sides", "DELETE FROM sides WHERE side = 0", "DELETE FROM keys", "DELETE FROM inputs",
        "DELETE FROM sweep", "INSERT INTO sweep SELECT * FROM sweep", "DROP TABLE loads",
        "ALTER TABLE points RENAME TO p; CREATE VIEW points AS WITH RECURSIVE n(point) AS (SELECT 1 UNION ALL SELECT "
        "point + 1 FROM n) SELECT * FROM n",
        "CREATE TRIGGER t AFTER INSERT ON points BEGIN DELETE FROM points; END", "CREATE VIEW v AS SELECT 1",
        "ALTER TABLE points ADD COLUMN more INTEGER",
        "DROP TABLE happenings; CREATE TABLE happenings (point INTEGER, kind TEXT, times INTEGER AS (point * 2))",
        "UPDATE sweep SET definition = '[]'", "UPDATE sweep SET definition = '{\"mode\":77}'"}) {
    REQUIRE(change(file, copy, sql));
    for (const Opening& opening : openings(definition)) {
      INFO(opening.name << " after " << sql);
      const std::string code = refusal_by(opening, copy);
      CHECK(code == "SP967");
    }
  }
}

TEST_CASE("the file of a sweep is read from a folder that cannot be written to") {
  const support::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("a # b"));
  const std::string file = folder.path("a # b/50%?.db");
  fill(file, small_definition(Design::grid));
  const std::string read_only = folder.path("a # b");
  REQUIRE(chmod(read_only.c_str(), 0555) == 0);
  const bool is_root = geteuid() == 0;  // who may write everywhere
  constexpr uid_t nobody = 65534;
  REQUIRE((!is_root || seteuid(nobody) == 0));
  const PointTable table = read_points(file, {.event_names = {"ejected"}});
  REQUIRE((!is_root || seteuid(0) == 0));
  REQUIRE(chmod(read_only.c_str(), 0755) == 0);
  CHECK(table.done == 11);
  CHECK(table.sweep.points == 12);
}
