#include <algorithm>
#include <optional>
#include <utility>

#include "models/config/metadata.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports {

ShareTable with_alike_rows_joined(ShareTable table) {
  const auto printed = [](const std::optional<double>& share, std::string (*text)(double)) {
    return share ? text(*share) : std::string("?");
  };
  const auto alike_shares = [&](const SharePair& left, const SharePair& right) {
    return printed(left.exact, exact_percent) == printed(right.exact, exact_percent) &&
           printed(left.simulated, simulated_percent) == printed(right.simulated, simulated_percent);
  };
  const auto alike_hosts = [](const EdsHosts& left, const EdsHosts& right) {
    return reported_percent(left.healthy, left) == reported_percent(right.healthy, right) &&
           reported_percent(left.degraded, left) == reported_percent(right.degraded, right);
  };
  std::vector<ShareRow> rows;
  for (ShareRow& row : table.rows) {
    const bool joins = !rows.empty() && rows.back().panic == row.panic &&
                       std::equal(row.shares.begin(), row.shares.end(), rows.back().shares.begin(), alike_shares) &&
                       std::equal(row.reported.begin(), row.reported.end(), rows.back().reported.begin(), alike_hosts);
    if (joins) {
      rows.back().finish = row.finish;
      rows.back().end = row.end;
    } else {
      rows.push_back(std::move(row));
    }
  }
  table.rows = std::move(rows);
  return table;
}

}  // namespace spillway::reports
