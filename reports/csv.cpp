#include "reports/formats.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/csv_text.hpp"

namespace spillway::reports {

void write_csv(const Report& report, const Dimensions& by, const Sink& sink) {
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  const EpochFinder epochs(grouped.results);
  std::string text = csv_line(share_field_names(report.results));
  for (const run::Share& share : grouped.results.shares) {
    const run::Epoch* const epoch = epochs.find(share.client, share.service, share.epoch);
    text += csv_line(share_fields(report.scenario, grouped, epoch, share));
    write_full(text, sink);
  }
  sink(text);
}

}  // namespace spillway::reports
