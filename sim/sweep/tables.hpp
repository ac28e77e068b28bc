// The tables of a sweep's file, described in docs/sweeps.md. If the meaning of a column changes, the version increases.
#pragma once

namespace spillway::sweep {

// Value of PRAGMA user_version.
inline constexpr int tables_version = 1;
// Value of PRAGMA application_id: "Spwy".
inline constexpr int application_id = 0x53707779;

inline constexpr const char* make_tables = R"sql(
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
  sent INTEGER,
  ok INTEGER,
  failed REAL,                     -- share of the requests
  no_healthy_upstream INTEGER,
  upstream_error INTEGER,
  timeout INTEGER,
  overflow INTEGER,
  queue_full INTEGER,
  connect_failure INTEGER,
  unfinished INTEGER,
  drop_overload INTEGER,
  retries INTEGER,
  p50 REAL,                        -- seconds; of the client whose is the largest
  p90 REAL,
  p99 REAL,
  p999 REAL,
  longest REAL,
  utilisation REAL,                -- of the busiest endpoint
  cross_zone REAL                  -- by request
);
CREATE TABLE outcomes (
  point INTEGER NOT NULL REFERENCES points,
  client TEXT NOT NULL,
  service TEXT NOT NULL,
  sent INTEGER, ok INTEGER, failed REAL, no_healthy_upstream INTEGER, upstream_error INTEGER, timeout INTEGER,
  overflow INTEGER, queue_full INTEGER, connect_failure INTEGER, unfinished INTEGER, drop_overload INTEGER,
  retries INTEGER, p50 REAL, p90 REAL, p99 REAL, p999 REAL, longest REAL,
  PRIMARY KEY (point, client, service)
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

inline constexpr const char* insert_point = R"sql(
INSERT OR IGNORE INTO points VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
)sql";
inline constexpr const char* insert_outcome = R"sql(
INSERT INTO outcomes VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
)sql";

}  // namespace spillway::sweep
