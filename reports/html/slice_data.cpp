// Data that changes over time: short rows of a run, and the events in between.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/json_text.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::reports::html {
namespace {

// Rounds to five decimals, more than a reader needs.
Data rounded_share(const std::optional<double>& share) {
  constexpr double digits = 1e5;
  return share ? Data(std::round(*share * digits) / digits) : Data(nullptr);
}

// Returns [from, to, sent, ok, [failures by kind], [p50, p90, p99] or null, [[exact, counted] by group]].
Data slice_row(const ShareRow& row, const std::vector<std::size_t>& group_of, std::size_t groups,
               const run::Outcomes& outcomes, const run::Latency& latency) {
  std::vector<Data> shares(groups, Data::array({nullptr, nullptr}));
  for (std::size_t column = 0; column < row.shares.size(); ++column) {
    if (group_of[column] < groups) {
      shares[group_of[column]] =
          Data::array({rounded_share(row.shares[column].exact), rounded_share(row.shares[column].simulated)});
    }
  }
  Data failures =
      json_array(scenario::failures, [&](const scenario::Outcome failure) { return Data(outcomes[failure]); });
  return Data::array(
      {config::seconds(row.begin), config::seconds(row.finish), outcomes.sent, outcomes.ok(), std::move(failures),
       latency.answers == 0 ? Data(nullptr) : Data::array({latency.p50, latency.p90, latency.p99}), shares});
}

}  // namespace

std::vector<Data> slices_data(const RunInput& input, const Dimensions& by, const std::vector<ShareTable>& tables) {
  std::vector<Data> slices(tables.size(), Data::array());
  if (input.slices == nullptr || input.slices->outcomes.empty()) {
    return slices;
  }
  const Grouped grouped = group_by(input.report.scenario, *input.slices, by);
  std::map<std::pair<config::ClientEntryIndex, config::ServiceIndex>, std::size_t> flow_of;
  for (std::size_t flow = 0; flow < tables.size(); ++flow) {
    flow_of.emplace(std::pair(tables[flow].client, tables[flow].service), flow);
  }
  std::size_t next = 0;  // rows of outcomes and latency are in the order of the tables
  for_each_share_table(input.report.scenario, grouped, [&](const ShareTable& table) {
    const std::size_t first = std::exchange(next, next + table.rows.size());
    const auto found = flow_of.find({table.client, table.service});
    if (found == flow_of.end() || next > grouped.results.outcomes.size() || next > grouped.results.latency.size()) {
      return;
    }
    const std::vector<ShareGroup>& groups = tables[found->second].groups;
    std::vector<std::size_t> group_of;
    for (const ShareGroup& group : table.groups) {
      std::size_t place = 0;
      while (place < groups.size() && groups[place].label != group.label) {
        ++place;
      }
      group_of.push_back(place);
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      slices[found->second].push_back(slice_row(table.rows[row], group_of, groups.size(),
                                                grouped.results.outcomes[first + row],
                                                grouped.results.latency[first + row]));
    }
  });
  return slices;
}

Data events_data(const Report& report) {
  constexpr std::size_t most = 200;
  std::vector<Data> rows;
  for (const run::EventGroup& group : report.results.logged_events.groups) {
    if (rows.size() == most) {
      break;
    }
    if (!group.first.change) {
      rows.push_back({{"from", config::seconds(group.first.at)},
                      {"to", config::seconds(group.last)},
                      {"kind", event_kind_names()[static_cast<std::size_t>(group.first.kind)]},
                      {"text", group_text(report.scenario, group)}});
    }
  }
  return rows;
}

}  // namespace spillway::reports::html
