#include "reports/formats.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/share_fields.hpp"

namespace spillway::reports {
namespace {

bool is_number(const std::string& field) {
  return field == "epoch" || field == "start_s" || field == "end_s" || field == "priority" || field == "exact" ||
         field == "at_rest" || field == "simulated" || field == "ci95" || field == "requests" || field == "attempts";
}

}  // namespace

void write_wide(const Report& report, const Dimensions& by, const Sink& sink) {
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  std::vector<TextTable::Column> columns;
  for (const std::string& name : share_field_names(report.results)) {
    columns.push_back({name, is_number(name) ? Align::right : Align::left, 2});
  }
  TextTable table(columns, 0);
  const EpochFinder epochs(grouped.results);
  const auto for_each_row = [&](const auto& visit) {
    for (const run::Share& share : grouped.results.shares) {
      const run::Epoch* const epoch = epochs.find(share.client, share.service, share.epoch);
      std::vector<std::string> cells = share_fields(report.scenario, grouped, epoch, share);
      for (std::string& cell : cells) {
        cell = cell.empty() ? "-" : printable(cell);
      }
      visit(cells);
    }
  };
  for_each_row([&](const std::vector<std::string>& cells) { table.measure(cells); });
  std::string text = table.title();
  for_each_row([&](const std::vector<std::string>& cells) {
    text += table.line(cells);
    write_full(text, sink);
  });
  sink(text);
}

}  // namespace spillway::reports
