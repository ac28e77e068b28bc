#include "sim/sweep/file_check.hpp"

#include <fmt/format.h>
#include <map>
#include <string_view>
#include <vector>

#include "sim/scenario/outcome.hpp"
#include "sim/sweep/database.hpp"
#include "sim/sweep/definition_text.hpp"
#include "sim/sweep/figure.hpp"
#include "sim/sweep/store.hpp"
#include "sim/sweep/tables.hpp"

namespace spillway::sweep {
namespace {

[[noreturn]] void refuse_damaged(const std::string& path, const std::string& what) {
  throw StoreProblem("SP967", fmt::format("`{}` is damaged: {}", path, what),
                     "nothing was read from it; sweep again into a new file");
}

// Returns the statement without comments and spaces, which may change between releases.
std::string bare_sql(std::string_view sql) {
  std::string bare;
  for (std::size_t at = 0; at < sql.size(); ++at) {
    if (sql.substr(at, 2) == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql[at] != ' ' && sql[at] != '\n') {
      bare += sql[at];
    }
  }
  return bare;
}

// Returns the tables that a sweep creates, by name.
const std::map<std::string, std::string>& sweep_tables() {
  static const std::map<std::string, std::string> tables = [] {
    std::map<std::string, std::string> made;
    Database memory(":memory:", Database::Use::write);
    memory.execute(make_tables());
    Statement select(memory, "SELECT name, sql FROM sqlite_master WHERE type = 'table'");
    while (select.step()) {
      made[select.text(0)] = bare_sql(select.text(1));
    }
    return made;
  }();
  return tables;
}

// Rejects views, computed columns and triggers. The first two may hide an endless query; a trigger changes the written
// rows.
void check_schema(Database& database, const std::string& path, const std::string& schema) {
  std::size_t found = 0;
  Statement select(database, fmt::format("SELECT type, name, sql FROM {}.sqlite_master", schema));
  while (select.step()) {
    const std::string type = select.text(0);
    if (type == "view" || type == "trigger") {
      refuse_damaged(path, fmt::format("it has a {}, `{}`, which no sweep creates", type, select.text(1)));
    }
    const auto table = sweep_tables().find(select.text(1));
    if (type == "table" && table != sweep_tables().end()) {
      ++found;
      if (bare_sql(select.text(2)) != table->second) {
        refuse_damaged(path, fmt::format("table `{}` has other columns than a sweep's", table->first));
      }
    }
  }
  if (found != sweep_tables().size()) {
    refuse_damaged(
        path, fmt::format("{} of its {} tables are missing", sweep_tables().size() - found, sweep_tables().size()));
  }
}

// SQL that is true for all values that a sweep writes into a column.
struct ColumnRule {
  std::string column;
  std::string holds;
};

constexpr const char* largest_count = "1000000000000000";
constexpr const char* largest_double = "1.7976931348623157e308";

ColumnRule whole_below(const std::string& column, std::uint64_t end) {
  return {column, fmt::format("typeof({0}) = 'integer' AND {0} >= 0 AND {0} < {1}", column, end)};
}

ColumnRule count_or_null(const std::string& column) {
  return {column,
          fmt::format("{0} IS NULL OR (typeof({0}) = 'integer' AND {0} BETWEEN 0 AND {1})", column, largest_count)};
}

ColumnRule number_or_null(const std::string& column, const std::string& least, const std::string& most) {
  return {column,
          fmt::format("{0} IS NULL OR (typeof({0}) = 'real' AND {0} BETWEEN {1} AND {2})", column, least, most)};
}

// Rounding may raise a sum of shares slightly above 1.
ColumnRule share_or_null(const std::string& column) {
  return number_or_null(column, "0", "1.000001");
}

ColumnRule text_column(const std::string& column) {
  return {column, fmt::format("typeof({}) = 'text'", column)};
}

void add_outcome_rules(std::vector<ColumnRule>& rules) {
  rules.push_back(count_or_null("sent"));
  for (const char* const outcome : scenario::outcome_names) {
    rules.push_back(count_or_null(outcome));
  }
  rules.push_back(count_or_null("retries"));
  rules.push_back(share_or_null("failed"));
  for (const LatencyFigure& latency : latency_figures) {
    rules.push_back(number_or_null(latency.name, "0", largest_double));
  }
}

class FileCheck {
 public:
  FileCheck(Database& database, const std::string& path, const std::string& schema, const SweepRow& row)
      : database_(database), path_(path), schema_(schema), row_(row) {}

  void check() {
    check_table("sides", {whole_below("side", row_.sides), text_column("name"), text_column("file"),
                          text_column("fingerprint")});
    check_table("keys", {whole_below("key", row_.keys), text_column("name"), text_column("path")});
    check_inputs();
    check_points();
    check_groups();
    check_table("claims", {whole_below("point", row_.points), whole_below("owner", 1U << 31U)});
  }

 private:
  void check_table(const std::string& table, const std::vector<ColumnRule>& rules) {
    std::string faults;
    for (const ColumnRule& rule : rules) {
      faults += fmt::format(" WHEN ({}) IS NOT TRUE THEN '{}'", rule.holds, rule.column);
    }
    const std::string& first = rules.front().column;
    Statement select(
        database_,
        fmt::format("SELECT {0}, CASE{1} END AS wrong_column FROM {2}.{3} AS p WHERE wrong_column IS NOT NULL LIMIT 1",
                    first, faults, schema_, table));
    if (select.step()) {
      refuse_damaged(path_, fmt::format("table `{}`, row of {} {}: no sweep writes such a value of `{}`", table, first,
                                        select.text(0), select.text(1)));
    }
  }

  void check_inputs() {
    const bool sampled = row_.design != Design::grid;
    const ColumnRule part{"part", sampled ? "typeof(part) = 'real' AND part BETWEEN 0 AND 1" : "part IS NULL"};
    check_table("inputs", {whole_below("setting", row_.settings), whole_below("key", row_.keys), text_column("value"),
                           number_or_null("number", fmt::format("-{}", largest_double), largest_double), part});
  }

  void check_points() {
    const std::string of_setting = fmt::format("({} * {})", row_.sides, row_.replications);
    std::vector<ColumnRule> rules{
        whole_below("point", row_.points),
        {"setting", fmt::format("setting = point / {} AND (SELECT count(*) FROM {}.inputs WHERE setting = p.setting) = "
                                "{}",
                                of_setting, schema_, row_.keys)},
        {"side", fmt::format("side = point / {} % {}", row_.replications, row_.sides)},
        {"replication", fmt::format("replication = point % {}", row_.replications)},
        {"seed", "typeof(seed) = 'text' AND length(seed) BETWEEN 1 AND 20 AND NOT seed GLOB '*[^0-9]*'"},
        text_column("version"),
        {"refusal", "refusal IS NULL OR typeof(refusal) = 'text'"},
        {"fingerprint", "fingerprint IS NULL OR typeof(fingerprint) = 'text'"},
        number_or_null("utilisation", "0", largest_double),
        share_or_null("cross_zone")};
    add_outcome_rules(rules);
    check_table("points", rules);
  }

  void check_groups() {
    const ColumnRule point = whole_below("point", row_.points);
    std::vector<ColumnRule> outcome{point, text_column("client"), text_column("service")};
    add_outcome_rules(outcome);
    check_table("outcomes", outcome);
    check_table("shares", {point,
                           text_column("client"),
                           text_column("service"),
                           text_column("cluster"),
                           {"priority", "typeof(priority) = 'integer' AND priority >= 0"},
                           text_column("zone"),
                           share_or_null("exact"),
                           share_or_null("simulated"),
                           count_or_null("requests")});
    check_table("loads",
                {point, text_column("service"), text_column("zone"), whole_below("endpoints", 1U << 31U),
                 number_or_null("utilisation", "0", largest_double), number_or_null("busiest", "0", largest_double),
                 count_or_null("queue_max"), count_or_null("requests")});
    check_table("happenings", {point, text_column("kind"), count_or_null("times")});
  }

  Database& database_;
  const std::string& path_;
  const std::string& schema_;
  const SweepRow& row_;
};

// Returns nullopt if the sweep did not request a mode.
std::optional<scenario::Mode> mode_in(const std::string& definition, const std::string& path) {
  const std::optional<documents::Node> root = parse_definition(definition);
  if (!root) {
    refuse_damaged(path, "its definition is no JSON object");
  }
  const documents::Member* const mode = root->find("mode");
  if (mode == nullptr || mode->value.kind == documents::Kind::null) {
    return std::nullopt;
  }
  const documents::Node& number = mode->value;
  if (number.kind != documents::Kind::integer || number.negative ||
      number.magnitude > static_cast<std::uint64_t>(scenario::Mode::platform)) {
    refuse_damaged(path, "its definition has an unknown `mode`");
  }
  return static_cast<scenario::Mode>(number.magnitude);
}

// Returns the number of settings of a design.
std::uint64_t settings_of_design(const SweepRow& row) {
  switch (row.design) {
    case Design::morris:
      return row.samples * (row.keys + 1);
    case Design::saltelli:
      return row.samples * (row.keys + 2);
    case Design::grid:
    case Design::latin:
    case Design::sobol:
      break;
  }
  return row.keys == 0 && row.design != Design::grid ? row.settings : row.samples;
}

void check_numbers(const SweepRow& row, const std::string& path) {
  for (const std::uint64_t number : {row.points, row.settings, row.replications, row.samples, row.sides, row.keys}) {
    if (number > most_points) {
      refuse_damaged(path,
                     fmt::format("a number of table `sweep` is beyond {}, the most points of a sweep", most_points));
    }
  }
  if (row.sides == 0 || row.replications == 0) {
    refuse_damaged(path, "it has no sides or no replications");
  }
  if (row.points != row.settings * row.sides * row.replications) {
    refuse_damaged(path, fmt::format("{} points are not {} settings x {} sides x {} replications", row.points,
                                     row.settings, row.sides, row.replications));
  }
  if (row.settings != settings_of_design(row)) {
    refuse_damaged(
        path, fmt::format("a {} design of {} samples and {} keys does not have {} settings",
                          design_names()[static_cast<std::size_t>(row.design)], row.samples, row.keys, row.settings));
  }
}

}  // namespace

bool has_sweep(Database& database, const std::string& schema) {
  return number_in(database, fmt::format("SELECT count(*) FROM {}.sqlite_master WHERE name = 'sweep'", schema)) > 0;
}

namespace {

SweepRow sweep_row(Database& database, const std::string& path, const std::string& schema) {
  if (!has_sweep(database, schema)) {
    throw StoreProblem("SP954", fmt::format("`{}` is not the file of a sweep", path));
  }
  if (number_in(database, fmt::format("PRAGMA {}.user_version", schema)) != tables_version) {
    throw StoreProblem("SP954", fmt::format("`{}` is of another version of spillway", path), "use another file");
  }
  check_schema(database, path, schema);
  Statement select(database,
                   fmt::format("SELECT spillway_version, definition, points, settings, replications, samples, design, "
                               "(SELECT count(*) FROM {0}.sides), (SELECT count(*) FROM {0}.keys), count(*) OVER (), "
                               "typeof(points) || typeof(settings) || typeof(replications) || typeof(samples) FROM "
                               "{0}.sweep",
                               schema));
  if (!select.step() || select.integer(9) != 1 || select.text(10) != "integerintegerintegerinteger") {
    refuse_damaged(path, "table `sweep` is not one row of whole numbers");
  }
  const auto design = design_of(select.text(6));
  if (!design) {
    refuse_damaged(path, "its design is unknown");
  }
  const auto number = [&](int column) { return static_cast<std::uint64_t>(select.integer(column)); };
  SweepRow row{.version = select.text(0),
               .definition = select.text(1),
               .points = number(2),
               .settings = number(3),
               .replications = number(4),
               .design = *design,
               .samples = number(5),
               .sides = number(7),
               .keys = number(8)};
  row.mode = mode_in(row.definition, path);
  check_numbers(row, path);
  return row;
}

}  // namespace

SweepRow checked_sweep(Database& database, const std::string& path, const std::string& schema) {
  SweepRow row = sweep_row(database, path, schema);
  FileCheck(database, path, schema, row).check();
  return row;
}

}  // namespace spillway::sweep
