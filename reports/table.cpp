#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/formats.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/egress_designs.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports {
namespace {

// Parts of a title on one line, or a line each where they do not fit.
std::string title(const std::vector<std::string>& parts, const Look& look) {
  std::string line = joined(parts, "        ");
  for (const char* closer : {"    ", "\n"}) {
    if (display_width(line) > look.width) {
      line = joined(parts, closer);
    }
  }
  return look.color ? "\x1b[1m" + line + "\x1b[0m\n" : line + '\n';
}

std::string exact_text(const SharePair& share, const ShareGroup& group) {
  if (!group.reached) {
    return "-";
  }
  return share.exact ? exact_percent(*share.exact) : "?";
}

std::string simulated_text(const SharePair& share) {
  return share.simulated ? simulated_percent(*share.simulated) : "";
}

TextTable row_an_epoch(const ShareTable& table) {
  std::vector<TextTable::Column> columns{{"time", Align::right, 1, true}, {"", Align::left, 0}, {"", Align::right, 0}};
  for (const ShareGroup& group : table.groups) {
    if (group.health_varies) {
      columns.push_back({group.label + " healthy", Align::right});
    }
    if (group.degraded_varies) {
      columns.push_back({group.label + " degraded", Align::right});
    }
  }
  if (table.panics) {
    columns.push_back({"panic", Align::left});
  }
  for (const ShareGroup& group : table.groups) {
    columns.push_back({group.label, Align::right, 3, true});
    if (table.simulated) {
      columns.push_back({"", Align::right, 2});
    }
  }
  TextTable text(columns);
  for (const ShareRow& row : table.rows) {
    std::vector<std::string> cells{row.start, " - ", row.end + " s"};
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      if (table.groups[i].health_varies) {
        cells.push_back(told_percent(row.told[i].healthy, row.told[i]));
      }
      if (table.groups[i].degraded_varies) {
        cells.push_back(told_percent(row.told[i].degraded, row.told[i]));
      }
    }
    if (table.panics) {
      cells.push_back(row.panic.empty() ? "no" : row.panic);
    }
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      cells.push_back(exact_text(row.shares[i], table.groups[i]));
      if (table.simulated) {
        cells.push_back(simulated_text(row.shares[i]));
      }
    }
    text.add_row(std::move(cells));
  }
  return text;
}

std::string block_an_epoch(const ShareTable& table) {
  const auto any = [&](bool ShareGroup::* varies) {
    return std::any_of(table.groups.begin(), table.groups.end(),
                       [&](const ShareGroup& group) { return group.*varies; });
  };
  const bool healthy = any(&ShareGroup::health_varies);
  const bool degraded = any(&ShareGroup::degraded_varies);
  std::string text;
  for (const ShareRow& row : table.rows) {
    text += fmt::format("\n {} - {} s{}\n", row.start, row.end, row.panic.empty() ? "" : ", panic in " + row.panic);
    std::vector<TextTable::Column> columns{{"", Align::left}};
    if (healthy) {
      columns.push_back({"healthy", Align::right});
    }
    if (degraded) {
      columns.push_back({"degraded", Align::right});
    }
    columns.push_back({table.at_rest ? "at rest" : "exact", Align::right});
    if (table.simulated) {
      columns.push_back({"simulated", Align::right});
    }
    TextTable block(columns, 3);
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      std::vector<std::string> cells{table.groups[i].label};
      if (healthy) {
        cells.push_back(told_percent(row.told[i].healthy, row.told[i]));
      }
      if (degraded) {
        cells.push_back(told_percent(row.told[i].degraded, row.told[i]));
      }
      cells.push_back(exact_text(row.shares[i], table.groups[i]));
      if (table.simulated) {
        cells.push_back(simulated_text(row.shares[i]));
      }
      block.add_row(std::move(cells));
    }
    text += block.text();
  }
  return text;
}

}  // namespace

void write_table(const Report& report, const Dimensions& by, const Look& look, const Sink& sink) {
  std::string text;
  bool first = true;
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  for_each_share_table(report.scenario, grouped, [&](const ShareTable& whole) {
    const ShareTable table = report.joins_alike_rows ? with_alike_rows_joined(whole) : whole;
    text += std::exchange(first, false) ? "" : "\n";
    text += title({printable(report.scenario.name), table.subject, table.numbers}, look);
    const TextTable wide = row_an_epoch(table);
    text += wide.width() <= look.width ? '\n' + wide.text() : block_an_epoch(table);
    for (const std::string& reason : table.why_no_exact_share) {
      text += fmt::format("\n ? no exact share: {}\n", reason);
    }
    write_full(text, sink);
  });
  for (const DocumentedTable& table : documented_tables(report.scenario, report.results)) {
    if (!has_differences(table)) {
      continue;
    }
    text += '\n' + title({printable(table.title), "documented | exact"}, look) + '\n';
    text += documented_table_text(table, CellLayout::differences, look);
  }
  sink(text + egress_designs_table(report.scenario) + closing_lines(report, look));
}

}  // namespace spillway::reports
