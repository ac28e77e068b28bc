#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <tuple>

#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/plot/ejected_hosts.hpp"
#include "reports/plot/latency_timeline.hpp"
#include "reports/plot/share_colors.hpp"
#include "reports/records/run_records.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/json_text.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::html {
namespace {

// Returns the epoch's row from a list with one row per epoch; null if there are none (mode exact).
template <class Row>
const Row* row_of(const std::vector<Row>& rows, std::size_t epoch) {
  return epoch < rows.size() ? &rows[epoch] : nullptr;
}

Data outcomes_data(const run::Outcomes* row) {
  return row == nullptr ? Data(nullptr) : outcome_counts().json(*row);
}

Data latency_data(const run::Latency* row) {
  return row == nullptr || row->answers == 0 ? Data(nullptr) : Data::array({row->p50, row->p90, row->p99, row->max});
}

using EpochKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;

// Returns the epochs in which the targets of some requests are unknown: in mode exact without a closed form.
std::set<EpochKey> unknown_epochs(const run::Results& results) {
  std::set<EpochKey> unknown;
  std::set<EpochKey> reported;
  for (const run::Share& share : results.shares) {
    (share.exact || share.simulated ? reported : unknown).insert({share.client, share.service, share.epoch});
  }
  for (const run::Epoch& epoch : results.epochs) {
    const EpochKey key{epoch.client, epoch.service, epoch.index};
    if (results.mode == scenario::Mode::exact && epoch.health->total_availability > 0 && !reported.contains(key)) {
      unknown.insert(key);
    }
  }
  return unknown;
}

Data epoch_data(const ShareRow& row, std::size_t number, bool unknown, int explanation, const run::Results& results) {
  const run::Epoch& epoch = results.epochs[number];
  Data shares =
      json_array(row.shares, [&](const SharePair& pair) { return Data::array({pair.exact, pair.simulated}); });
  Data reported = json_array(
      row.reported, [&](const EdsHosts& hosts) { return Data::array({hosts.hosts, hosts.healthy, hosts.degraded}); });
  return {{"from", config::seconds(row.begin)},
          {"to", config::seconds(row.finish)},
          {"label", epoch.health->label},
          {"states", epoch.states},
          {"panic", row.panic},
          {"unknown", unknown},
          {"shares", std::move(shares)},
          {"told", std::move(reported)},
          {"outcomes", outcomes_data(row_of(results.outcomes, number))},
          {"latency", latency_data(row_of(results.latency, number))},
          {"explanation", explanation}};
}

Data timeline_data(const RunInput& input, const ShareTable& table) {
  Data stretches = Data::array();
  if (input.latency == nullptr) {
    return stretches;
  }
  const auto found = input.latency->stretches().find({table.client, table.service});
  if (found == input.latency->stretches().end()) {
    return stretches;
  }
  constexpr double p50 = 0.5;
  constexpr double p90 = 0.9;
  constexpr double p99 = 0.99;
  for (const plot::LatencyTimeline::Stretch& stretch : found->second) {
    const engine::LatencyHistogram& of = stretch.latency;
    if (of.total() == 0) {
      continue;
    }
    const auto quantile = [&](double part) { return config::seconds(of.quantile(part)); };
    stretches.push_back(Data::array({config::seconds(stretch.begin), config::seconds(stretch.end), quantile(p50),
                                     quantile(p90), quantile(p99), of.total()}));
  }
  return stretches;
}

Data ejected_data(const RunInput& input, const ShareTable& table) {
  constexpr int columns = 400;
  Data stretches = Data::array();
  for (const plot::EjectedHosts& of : plot::ejected_hosts(input.report.scenario, input.report.results, table.client,
                                                          table.service, input.report.scenario.duration / columns)) {
    stretches.push_back(Data::array({config::seconds(of.begin), config::seconds(of.end), of.hosts}));
  }
  return stretches;
}

bool is_unknown(const std::set<EpochKey>& unknown, const run::Epoch& epoch) {
  return unknown.contains({epoch.client, epoch.service, epoch.index});
}

// Returns how badly the requests of a table fail in its worst epoch. If none fail, returns how far its shares move.
// `first` is the number of its first epoch.
double interest_of(const ShareTable& table, std::size_t first, const run::Results& results,
                   const std::set<EpochKey>& unknown) {
  constexpr double more_than_all = 10.0;
  const auto share = [](const SharePair& pair) { return pair.exact.value_or(pair.simulated.value_or(0.0)); };
  double lost = 0.0;
  double moved = 0.0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::vector<SharePair>& shares = table.rows[row].shares;
    double reached = 0.0;
    double difference = 0.0;
    for (std::size_t group = 0; group < shares.size(); ++group) {
      const double now = share(shares[group]);
      reached += now;
      difference += row > 0 ? std::abs(now - share(table.rows[row - 1].shares[group])) : 0.0;
    }
    const run::Outcomes* const outcomes = row_of(results.outcomes, first + row);
    if (outcomes != nullptr && outcomes->sent > 0) {
      lost = std::max(lost, 1.0 - static_cast<double>(outcomes->ok()) / static_cast<double>(outcomes->sent));
    } else if (!is_unknown(unknown, results.epochs[first + row])) {
      lost = std::max(lost, 1.0 - reached);
    }
    moved = std::max(moved, difference);
  }
  constexpr double rounding = 1e-9;
  return (lost > rounding ? more_than_all * (1.0 + lost) : 0.0) + moved;
}

}  // namespace

std::size_t most_interesting(const run::Results& results, const std::vector<ShareTable>& tables) {
  const std::set<EpochKey> unknown = unknown_epochs(results);
  std::size_t first = 0;  // tables are in the order of their epochs
  std::size_t chosen = 0;
  double most = 0.0;
  for (std::size_t table = 0; table < tables.size(); ++table) {
    const double interest = interest_of(tables[table], first, results, unknown);
    if (table == 0 || interest > most) {
      chosen = table;
      most = interest;
    }
    first += tables[table].rows.size();
  }
  return chosen;
}

Data flows_data(const RunInput& input, const Grouped& grouped, const std::vector<ShareTable>& tables,
                const FlowParts& parts) {
  const scenario::Scenario& scenario = input.report.scenario;
  const std::set<EpochKey> unknown = unknown_epochs(input.report.results);
  const std::vector<run::Epoch>& all = input.report.results.epochs;
  Data flows = Data::array();
  std::size_t first = 0;  // tables are in the order of their epochs
  for (std::size_t flow = 0; flow < tables.size(); ++flow) {
    const ShareTable& table = tables[flow];
    const std::vector<std::string> colors = plot::share_colors(scenario, grouped.by, table);
    Data groups = Data::array();
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
      const ShareGroup& of = table.groups[group];
      groups.push_back({{"label", of.label},
                        {"zone", of.place.zone},
                        {"priority", of.place.priority.value},
                        {"cluster", of.place.cluster},
                        {"reached", of.reached},
                        {"color", colors[group]}});
    }
    Data epochs = Data::array();
    for (std::size_t row = 0; row < table.rows.size(); ++row, ++first) {
      epochs.push_back(epoch_data(table.rows[row], first, is_unknown(unknown, all[first]),
                                  parts.explanations[flow][row], input.report.results));
    }
    const scenario::ClientEntry& client = scenario.clients[table.client.value];
    flows.push_back({{"subject", table.subject},
                     {"client", client.name},
                     {"client_zone", scenario.zones[scenario.nodes[client.node.value].zone.value].name},
                     {"service", scenario.services[table.service.value].name},
                     {"numbers", table.numbers},
                     {"simulated", table.simulated},
                     {"groups", std::move(groups)},
                     {"epochs", std::move(epochs)},
                     {"ejected", ejected_data(input, table)},
                     {"latency", timeline_data(input, table)},
                     {"slices", parts.slices[flow]}});
  }
  return flows;
}

}  // namespace spillway::reports::html
