#include "reports/csv_text.hpp"
#include "reports/epoch_finder.hpp"
#include "reports/formats.hpp"
#include "reports/share_fields.hpp"

namespace spillway::reports {

std::string format_csv(const Report& report, const Dimensions& by) {
  const Grouped grouped = group_by(report.scenario, report.results, by);
  std::string text = csv_line(share_field_names(report.results));
  const EpochFinder epochs(grouped.results);
  for (const run::Share& share : grouped.results.shares) {
    const run::Epoch* const epoch = epochs.find(share.client, share.service, share.epoch);
    text += csv_line(share_fields(report.scenario, grouped, epoch, share));
  }
  return text;
}

}  // namespace spillway::reports
