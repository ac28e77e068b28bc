#include "sim/sweep/tables.hpp"

#include <fmt/format.h>

#include "sim/scenario/outcome.hpp"
#include "sim/sweep/figure.hpp"

namespace spillway::sweep {
namespace {

// Up to the result in `points`, from there to the result in `outcomes`, and the rest.
constexpr const char* first_tables = R"sql(
CREATE TABLE sweep (
  tables_version INTEGER NOT NULL,
  spillway_version TEXT NOT NULL,
  definition TEXT NOT NULL,        -- JSON: everything that the points follow from
  points INTEGER NOT NULL,         -- of the whole sweep, all shards together
  settings INTEGER NOT NULL,
  replications INTEGER NOT NULL,
  design TEXT NOT NULL,
  samples INTEGER NOT NULL
);
CREATE TABLE sides (
  side INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  fingerprint TEXT NOT NULL        -- of all that was read
);
CREATE TABLE keys (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL
);
CREATE TABLE inputs (
  setting INTEGER NOT NULL,
  key INTEGER NOT NULL REFERENCES keys,
  value TEXT NOT NULL,             -- as the scenario would have it, but for its unit
  number REAL,                     -- that it begins with
  part REAL,                       -- of a sampled design: where between the ends, 0 to 1
  PRIMARY KEY (setting, key)
) WITHOUT ROWID;
CREATE TABLE points (
  point INTEGER PRIMARY KEY,
  setting INTEGER NOT NULL,
  side INTEGER NOT NULL REFERENCES sides,
  replication INTEGER NOT NULL,
  seed TEXT NOT NULL,              -- unsigned, 64 bits
  version TEXT NOT NULL,
  refusal TEXT,                    -- why the scenario does not allow the values; all else is NULL then
  fingerprint TEXT,                -- of the draws
)sql";
constexpr const char* middle_tables = R"sql(  utilisation REAL,                -- of the busiest endpoint
  cross_zone REAL                  -- by request
);
CREATE TABLE outcomes (
  point INTEGER NOT NULL REFERENCES points,
  client TEXT NOT NULL,
  service TEXT NOT NULL,
)sql";
constexpr const char* last_tables = R"sql(  PRIMARY KEY (point, client, service)
) WITHOUT ROWID;
CREATE TABLE shares (
  point INTEGER NOT NULL REFERENCES points,
  client TEXT NOT NULL,
  service TEXT NOT NULL,
  cluster TEXT NOT NULL,
  priority INTEGER NOT NULL,
  zone TEXT NOT NULL,
  exact REAL,
  simulated REAL,
  requests INTEGER,
  PRIMARY KEY (point, client, service, cluster, priority, zone)
) WITHOUT ROWID;
CREATE TABLE loads (
  point INTEGER NOT NULL REFERENCES points,
  service TEXT NOT NULL,
  zone TEXT NOT NULL,
  endpoints INTEGER NOT NULL,      -- that got requests
  utilisation REAL,                -- mean of them
  busiest REAL,
  queue_max INTEGER,
  requests INTEGER NOT NULL,       -- attempts
  PRIMARY KEY (point, service, zone)
) WITHOUT ROWID;
CREATE TABLE happenings (
  point INTEGER NOT NULL REFERENCES points,
  kind TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (point, kind)
) WITHOUT ROWID;
CREATE TABLE claims (
  point INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL           -- a process that plays it now
);
)sql";

// The columns of a result, in `points` of all requests and in `outcomes` of one client's to a service.
std::string columns_of_outcome() {
  std::string columns = "  sent INTEGER,\n  ok INTEGER,\n  failed REAL,  -- share of the requests\n";
  for (const scenario::Outcome failure : scenario::failures) {
    columns += fmt::format("  {} INTEGER,\n", outcome_name(failure));
  }
  columns += "  retries INTEGER,\n  -- seconds; of all requests: of the client whose is the largest\n";
  for (const LatencyFigure& latency : latency_figures) {
    columns += fmt::format("  {} REAL,\n", latency.name);
  }
  return columns;
}

// sent, ok, failed, failures, retries, latencies
constexpr std::size_t columns_of_outcome_count = 4 + scenario::failures.size() + latency_figures.size();

std::string insert_into(const std::string& table, std::size_t columns) {
  std::string places = "?";
  for (std::size_t place = 1; place < columns; ++place) {
    places += ",?";
  }
  return table + " VALUES (" + places + ")";
}

}  // namespace

std::string make_tables() {
  return first_tables + columns_of_outcome() + middle_tables + columns_of_outcome() + last_tables;
}

std::string insert_point() {
  constexpr std::size_t other_columns = 10;
  return insert_into("INSERT OR IGNORE INTO points", other_columns + columns_of_outcome_count);
}

std::string insert_outcome() {
  constexpr std::size_t other_columns = 3;
  return insert_into("INSERT INTO outcomes", other_columns + columns_of_outcome_count);
}

}  // namespace spillway::sweep
