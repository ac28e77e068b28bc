#include <fmt/format.h>
#include <utility>

#include "reports/formats.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/egress_designs.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports {
namespace {

std::string share_text(const SharePair& share, const ShareGroup& group) {
  if (!group.reached) {
    return "-";
  }
  std::string text = share.exact ? markdown_escaped(exact_percent(*share.exact)) : "?";
  if (share.simulated) {
    text += fmt::format(" ({})", simulated_percent(*share.simulated));
  }
  return text;
}

std::string share_table_text(const ShareTable& table) {
  std::vector<std::string> titles{"time"};
  std::vector<bool> numbers{true};
  const auto add_column = [&](const std::string& name, bool number) {
    titles.push_back(markdown_escaped(name));
    numbers.push_back(number);
  };
  for (const ShareGroup& group : table.groups) {
    if (group.health_varies) {
      add_column(group.label + " healthy", true);
    }
    if (group.degraded_varies) {
      add_column(group.label + " degraded", true);
    }
  }
  if (table.panics) {
    add_column("panic", false);
  }
  for (const ShareGroup& group : table.groups) {
    add_column(group.label, true);
  }
  std::string text = markdown_row(titles) + markdown_rule(numbers);
  for (const ShareRow& row : table.rows) {
    std::vector<std::string> cells{fmt::format("{} - {} s", row.start, row.end)};
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
      cells.push_back(share_text(row.shares[i], table.groups[i]));
    }
    text += markdown_row(cells);
  }
  return text;
}

}  // namespace

void write_markdown(const Report& report, const Dimensions& by, const Sink& sink) {
  std::string text;
  bool first = true;
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  for_each_share_table(report.scenario, grouped, [&](const ShareTable& whole) {
    const ShareTable table = report.joins_alike_rows ? with_alike_rows_joined(whole) : whole;
    text += std::exchange(first, false) ? "" : "\n";
    text += fmt::format("**{}**: {}, {}\n\n", markdown_escaped(report.scenario.name), markdown_escaped(table.subject),
                        table.simulated ? table.numbers + " (in parentheses)" : table.numbers);
    text += share_table_text(table);
    for (const std::string& reason : table.why_no_exact_share) {
      text += fmt::format("\n?: no exact share: {}\n", markdown_escaped(reason));
    }
    write_full(text, sink);
  });
  for (const DocumentedTable& table : documented_tables(report.scenario, report.results)) {
    if (has_differences(table)) {
      text += '\n' + documented_table_markdown(table, CellLayout::differences);
    }
  }
  sink(text + egress_designs_markdown(report.scenario) + closing_list(report));
}

}  // namespace spillway::reports
