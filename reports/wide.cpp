#include "reports/epoch_finder.hpp"
#include "reports/formats.hpp"
#include "reports/share_fields.hpp"

namespace spillway::reports {
namespace {

bool is_number(const std::string& field) {
  return field == "epoch" || field == "start_s" || field == "end_s" || field == "priority" || field == "exact" ||
         field == "at_rest" || field == "simulated" || field == "ci95" || field == "requests" || field == "attempts";
}

}  // namespace

std::string format_wide(const Report& report, const Dimensions& by) {
  const Grouped grouped = group_by(report.scenario, report.results, by);
  std::vector<TextTable::Column> columns;
  for (const std::string& name : share_field_names(report.results)) {
    columns.push_back({name, is_number(name) ? Align::right : Align::left, 2});
  }
  TextTable table(columns, 0);
  const EpochFinder epochs(grouped.results);
  for (const run::Share& share : grouped.results.shares) {
    const run::Epoch* const epoch = epochs.find(share.client, share.service, share.epoch);
    std::vector<std::string> cells = share_fields(report.scenario, grouped, epoch, share);
    for (std::string& cell : cells) {
      cell = cell.empty() ? "-" : printable(cell);
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

}  // namespace spillway::reports
