// The table of one client and service, before layout: one row per epoch, one column per group of hosts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct Grouped;  // group_by.hpp

// A share of the requests of one epoch. Both values are absent in a group that never gets any. Otherwise `exact` is
// absent if picks depend on load or history.
struct SharePair {
  std::optional<double> exact;
  std::optional<double> simulated;
};

// The hosts of a group as EDS reported them at the start of an epoch, without hosts outside the set.
struct EdsHosts {
  std::uint32_t hosts = 0;
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
};

// Returns `part` of the hosts as a percentage; empty if the hosts are unknown.
[[nodiscard]] std::string reported_percent(std::uint32_t part, const EdsHosts& reported);

struct ShareRow {
  run::Nanoseconds begin{0};
  run::Nanoseconds finish{0};
  std::string start;  // "0", "10.5": seconds, with as many decimals as the table needs
  std::string end;
  std::vector<EdsHosts> reported;  // by group; no hosts if they are unknown
  std::string panic;               // "P0, P2", in an aggregate cluster "front P0"; empty if none
  std::vector<SharePair> shares;   // by group
};

struct ShareGroup {
  std::string label;           // "zone-1 P0"
  run::SharePlace place = {};  // fields that the shares of the group have in common
  bool reached = false;
  bool health_varies = false;    // EDS reports some of its hosts not healthy in some epoch
  bool degraded_varies = false;  // EDS reports some of its hosts degraded in some epoch
};

struct ShareTable {
  config::ClientEntryIndex client;  // 0 if grouped without client
  config::ServiceIndex service;
  std::string subject;  // "frontend (20, zone-1) -> backend"
  std::string numbers;  // "exact, and 40,012 requests, seed 1"
  bool simulated = false;
  bool at_rest = false;  // `exact` has the shares at rest
  bool panics = false;
  std::vector<ShareGroup> groups;
  std::vector<ShareRow> rows;
  std::vector<std::string> why_no_exact_share;  // each reason once; empty if every cell has one
};

// Visits one table for each client and service (each service, if grouped without client), in the order of the scenario.
// Each table is made when it is visited.
void for_each_share_table(const scenario::Scenario& scenario, const Grouped& grouped,
                          const std::function<void(const ShareTable&)>& visit);
// Returns all tables at once: for results of few clients.
[[nodiscard]] std::vector<ShareTable> share_tables(const scenario::Scenario& scenario, const Grouped& grouped);

// Merges neighbouring rows whose printed cells are all equal.
[[nodiscard]] ShareTable with_alike_rows_joined(ShareTable table);

}  // namespace spillway::reports
