// The table of one client and service, before it is laid out: a row an epoch, a column a group of hosts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/run/records/shares.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

struct Grouped;  // group_by.hpp

// A share of the requests of one epoch. Both are absent in a group that never gets any; else `exact` is where picks
// depend on load or on what happened before.
struct SharePair {
  std::optional<double> exact;
  std::optional<double> simulated;
};

// Hosts of a group as the proxies were told them at the start of an epoch, without those that were not in the set.
struct EdsHosts {
  std::uint32_t hosts = 0;
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
};

// So many of them as a percentage; empty where the hosts are not known.
[[nodiscard]] std::string reported_percent(std::uint32_t part, const EdsHosts& reported);

struct ShareRow {
  run::Nanoseconds begin{0};
  run::Nanoseconds finish{0};
  std::string start;  // "0", "10.5": seconds, as many decimals as the table needs
  std::string end;
  std::vector<EdsHosts> reported;  // by group; no hosts where the group's hosts are not known
  std::string panic;               // "P0, P2", of an aggregate cluster "front P0"; empty if none
  std::vector<SharePair> shares;   // by group
};

struct ShareGroup {
  std::string label;           // "zone-1 P0"
  run::SharePlace place = {};  // what the shares of the group have in common
  bool reached = false;
  bool health_varies = false;    // not all its hosts are told healthy in all epochs
  bool degraded_varies = false;  // some of its hosts are told degraded in some epoch
};

struct ShareTable {
  config::ClientEntryIndex client;  // 0 if grouped without client
  config::ServiceIndex service;
  std::string subject;  // "frontend (20, zone-1) -> backend"
  std::string numbers;  // "exact, and 40,012 requests, seed 1"
  bool simulated = false;
  bool at_rest = false;  // what stands in `exact` are the shares at rest
  bool panics = false;
  std::vector<ShareGroup> groups;
  std::vector<ShareRow> rows;
  std::vector<std::string> why_no_exact_share;  // each reason once; empty: every cell has one
};

// One for each client and service (each service, if grouped without client), in the order of the scenario, each made
// when it is visited.
void for_each_share_table(const scenario::Scenario& scenario, const Grouped& grouped,
                          const std::function<void(const ShareTable&)>& visit);
// All of them at once: for results of few clients.
[[nodiscard]] std::vector<ShareTable> share_tables(const scenario::Scenario& scenario, const Grouped& grouped);

// Neighbours whose printed cells are all alike become one row.
[[nodiscard]] ShareTable with_alike_rows_joined(ShareTable table);

}  // namespace spillway::reports
