#include "reports/shares/table_rows.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/shares/measure.hpp"
#include "reports/shares/merge_clients.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

std::vector<config::ClientEntryIndex> clients_of(const scenario::ExpectedTable& table) {
  std::vector<config::ClientEntryIndex> clients{table.client};
  clients.insert(clients.end(), table.further_clients.begin(), table.further_clients.end());
  return clients;
}

}  // namespace

run::Results results_for(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                         const run::Results& results) {
  if (!table.together) {
    return results;
  }
  const std::vector<config::ClientEntryIndex> clients = clients_of(table);
  const auto is_of_others = [&](const auto& row) {
    return row.service != table.service || std::find(clients.begin(), clients.end(), row.client) == clients.end();
  };
  run::Results own = results;
  std::erase_if(own.epochs, is_of_others);
  std::erase_if(own.shares.blocks(), is_of_others);
  std::erase_if(own.outcomes, is_of_others);
  std::erase_if(own.latency, is_of_others);
  std::erase_if(own.cross_zone.blocks(), is_of_others);
  return merge_clients(scenario, own);
}

std::vector<RowEpoch> row_epochs(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                                 const run::Results& results) {
  const auto clients = table.together ? std::vector<config::ClientEntryIndex>{{}} : clients_of(table);
  std::vector<RowEpoch> rows;
  for (const config::ClientEntryIndex client : clients) {
    for (const run::Epoch* epoch : epochs_of(results, client, table.service)) {
      rows.push_back({epoch, clients.size() > 1 ? scenario.clients[client.value].name : ""});
    }
  }
  return rows;
}

std::string row_title(std::size_t row, const RowEpoch* about) {
  std::string title = fmt::format("row {}", row + 1);
  if (about != nullptr) {
    const std::string client = about->client.empty() ? "" : printable(about->client) + ", ";
    title += fmt::format(" ({}{})", client, time_range(about->epoch->start, about->epoch->end));
  }
  return title;
}

}  // namespace spillway::reports
