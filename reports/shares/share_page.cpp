#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <utility>

#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/formats.hpp"
#include "reports/records/run_records.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/egress_designs.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/load_sheet.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/shares/without_host.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

std::string exact_text(const SharePair& share, const ShareGroup& group) {
  return !group.reached ? "-" : share.exact ? exact_percent(*share.exact) : "?";
}

std::string simulated_text(const SharePair& share) {
  return share.simulated ? simulated_percent(*share.simulated) : "";
}

// Returns one row per epoch. On a terminal a group's shares have two columns, and the ends of times are aligned.
Sheet row_an_epoch(const ShareTable& table, bool in_columns) {
  Sheet sheet;
  if (in_columns) {
    sheet.fields = {{.name = "time", .number = true, .spans = true},
                    {.name = "", .gap = 0},
                    {.name = "", .number = true, .gap = 0}};
  } else {
    sheet.fields = {{"time", true}};
  }
  sheet.empty = "";
  for (const ShareGroup& group : table.groups) {
    if (group.health_varies) {
      sheet.fields.push_back({group.label + " healthy", true});
    }
    if (group.degraded_varies) {
      sheet.fields.push_back({group.label + " degraded", true});
    }
  }
  if (table.panics) {
    sheet.fields.push_back({"panic"});
  }
  for (const ShareGroup& group : table.groups) {
    sheet.fields.push_back({.name = group.label, .number = true, .spans = true});
    if (table.simulated && in_columns) {
      sheet.fields.push_back({.name = "", .number = true, .gap = 1});
    }
  }
  if (table.simulated && in_columns) {
    SheetRow names(sheet.fields.size() - 2 * table.groups.size());
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      names.insert(names.end(), {table.at_rest ? "at rest" : "exact", "counted"});
    }
    sheet.rows.push_back(std::move(names));
  }
  for (const ShareRow& row : table.rows) {
    SheetRow cells{row.start, " - ", row.end + " s"};
    if (!in_columns) {
      cells = {joined(cells, "")};
    }
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      if (table.groups[i].health_varies) {
        cells.push_back(reported_percent(row.reported[i].healthy, row.reported[i]));
      }
      if (table.groups[i].degraded_varies) {
        cells.push_back(reported_percent(row.reported[i].degraded, row.reported[i]));
      }
    }
    if (table.panics) {
      cells.push_back(row.panic.empty() ? "no" : row.panic);
    }
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      cells.push_back(exact_text(row.shares[i], table.groups[i]));
      if (table.simulated && in_columns) {
        cells.push_back(simulated_text(row.shares[i]));
      } else if (row.shares[i].simulated && table.groups[i].reached) {
        cells.back() += " (" + simulated_text(row.shares[i]) + ")";
      }
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

bool print_alike(const EdsHosts& left, const EdsHosts& right) {
  return (left.hosts == right.hosts && left.healthy == right.healthy && left.degraded == right.degraded) ||
         (reported_percent(left.healthy, left) == reported_percent(right.healthy, right) &&
          reported_percent(left.degraded, left) == reported_percent(right.degraded, right));
}

// Returns the end of the groups from `first` on that print as one line: many without requests, in a row and with the
// same cells.
std::size_t end_of_line(const ShareTable& table, const ShareRow& row, std::size_t first) {
  constexpr std::size_t many = 20;
  std::size_t end = first;
  while (end < table.groups.size() && !table.groups[end].reached &&
         print_alike(row.reported[end], row.reported[first])) {
    ++end;
  }
  return end - first > many ? end : first + 1;
}

// Adds one sheet per epoch, with one row per group.
void block_an_epoch(const ShareTable& table, Page& page) {
  const auto any = [&](bool ShareGroup::* varies) {
    return std::any_of(table.groups.begin(), table.groups.end(),
                       [&](const ShareGroup& group) { return group.*varies; });
  };
  const bool healthy = any(&ShareGroup::health_varies);
  const bool degraded = any(&ShareGroup::degraded_varies);
  for (const ShareRow& row : table.rows) {
    page.paragraph({fmt::format("{} - {} s{}", row.start, row.end, row.panic.empty() ? "" : ", panic in " + row.panic)},
                   1);
    Sheet block{.fields = {{""}}, .indent = 3, .empty = ""};
    const auto add = [&](bool shown, const char* name) {
      if (shown) {
        block.fields.push_back({name, true});
      }
    };
    add(healthy, "healthy");
    add(degraded, "degraded");
    add(true, table.at_rest ? "at rest" : "exact");
    add(table.simulated, "counted");
    for (std::size_t i = 0, end = 0; i < table.groups.size(); i = end) {
      end = end_of_line(table, row, i);
      SheetRow cells{table.groups[i].label};
      if (end - i > 1) {
        cells[0] += fmt::format(" to {} ({})", table.groups[end - 1].label, with_thousands(end - i));
      }
      if (healthy) {
        cells.push_back(reported_percent(row.reported[i].healthy, row.reported[i]));
      }
      if (degraded) {
        cells.push_back(reported_percent(row.reported[i].degraded, row.reported[i]));
      }
      cells.push_back(exact_text(row.shares[i], table.groups[i]));
      if (table.simulated) {
        cells.push_back(simulated_text(row.shares[i]));
      }
      block.rows.push_back(std::move(cells));
    }
    page.attached().sheet(block);
  }
}

// True if the columns of row_an_epoch() are too many for the page, whatever is in them.
bool has_too_many_columns(const ShareTable& table, const Page& page) {
  const Sheet sheet;
  const auto least = static_cast<std::size_t>(sheet.gap) + 1;
  return table.groups.size() * least > static_cast<std::size_t>(std::max(page.width(), 0));
}

void add_share_table(Page& page, const Report& report, const ShareTable& table) {
  page.on(Medium::terminal).title({report.scenario.name, table.subject, table.numbers});
  page.on(Medium::markup)
      .title({report.scenario.name, table.subject, table.numbers + (table.simulated ? " (in parentheses)" : "")});
  if (page.is(Medium::markup)) {
    page.sheet(row_an_epoch(table, false));
  } else if (has_too_many_columns(table, page)) {
    block_an_epoch(table, page);
  } else {
    Sheet in_columns = row_an_epoch(table, true);
    in_columns.always_fits = true;
    in_columns.narrow = [&](Page& narrow) { block_an_epoch(table, narrow); };
    page.sheet(in_columns);
  }
  for (const std::string& reason : table.why_no_exact_share) {
    page.on(Medium::terminal).paragraph({"? no exact share: " + reason}, 1);
    page.on(Medium::markup).paragraph({"?: no exact share: " + reason});
  }
}

// Returns the row of requests without a host: they have no place, and their list is `none`.
SheetRow row_without_host(const scenario::Scenario& scenario, const run::Epoch& epoch, const WithoutHost::Part& part,
                          const Columns<run::Share>& columns) {
  run::Share share;
  share.epoch = epoch.index;
  share.client = epoch.client;
  share.service = epoch.service;
  share.exact = part.exact;
  share.exact_basis = missing_cluster_words(scenario, epoch);
  share.simulated = part.simulated;
  share.requests = part.requests;
  SheetRow row = columns.row(share);
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (columns.fields()[column].name == "priority") {
      row[column].clear();
    } else if (columns.fields()[column].name == "availability") {
      row[column] = "none";
    }
  }
  return row;
}

}  // namespace

void add_shares(Page& page, const Report& report, const Dimensions& by) {
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  for_each_share_table(report.scenario, grouped, [&](const ShareTable& whole) {
    add_share_table(page, report, report.joins_alike_rows ? with_alike_rows_joined(whole) : whole);
  });
  for (const DocumentedTable& table : documented_tables(report.scenario, report.results)) {
    if (has_differences(table)) {
      page.on(Medium::terminal).title({table.title, "documented | exact"});
      page.on(Medium::markup).title({table.title});
      add_documented_table(page, table, CellLayout::differences);
    }
  }
  add_egress_designs(page, report.scenario);
}

Sheet share_records(const Report& report, const Dimensions& by) {
  const auto grouped = std::make_shared<const Grouped>(group_by(report.scenario, shown_rows(report), by));
  const auto epochs = std::make_shared<const EpochFinder>(grouped->results);
  const Columns<run::Share> columns = share_record(report.scenario, grouped->results, grouped->by, *epochs).columns();
  Sheet sheet{"", columns.fields()};
  sheet.made = [&scenario = report.scenario, grouped, epochs, columns](const auto& visit) {
    const WithoutHost without(grouped->results);
    const auto& blocks = grouped->results.shares.blocks();
    for (auto block = blocks.begin(); block != blocks.end(); ++block) {
      block->for_each([&](const run::ShareCell& cell) { visit(columns.row(block->row(cell))); });
      const auto next = std::next(block);
      if (next == blocks.end() || next->client != block->client || next->service != block->service ||
          next->epoch != block->epoch) {
        const run::Epoch* const epoch = epochs->find(block->client, block->service, block->epoch);
        if (const auto rest = epoch == nullptr ? std::nullopt : without.of(*epoch)) {
          visit(row_without_host(scenario, *epoch, *rest, columns));
        }
      }
    }
  };
  return sheet;
}

}  // namespace spillway::reports
