#include "reports/plan/plan_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "reports/document/columns.hpp"
#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

constexpr std::size_t most_zone_columns = 8;
constexpr std::size_t most_lines = 60;

// A line of the table: one service under one failure. `service` is null if the row has no services, as in a plan with
// rows only.
struct Line {
  const plan::Row* row = nullptr;
  const plan::ServiceRow* service = nullptr;
  bool alone = true;  // the row has no other service

  [[nodiscard]] bool is_about(config::ServiceIndex of) const { return service == nullptr || service->service == of; }
};

// Returns the part of the row for the line's service.
plan::Row part_of(const Line& line) {
  plan::Row part;
  part.rate = line.service == nullptr ? line.row->rate : line.service->rate;
  const auto is_own = [&](const auto& of) { return line.alone || line.is_about(of.bound.service); };
  std::copy_if(line.row->margins.begin(), line.row->margins.end(), std::back_inserter(part.margins), is_own);
  std::copy_if(line.row->estimates.begin(), line.row->estimates.end(), std::back_inserter(part.estimates), is_own);
  std::copy_if(line.row->unknown.begin(), line.row->unknown.end(), std::back_inserter(part.unknown),
               [&](const plan::Bound& bound) { return line.alone || line.is_about(bound.service); });
  part.tightest = plan::tightest(part.margins);
  part.exact = line.row->exact;
  return part;
}

// Returns the places of a panic that are about the line's service: "frontend -> backend P0".
std::string panic_text(const scenario::Scenario& scenario, const Line& line) {
  std::vector<std::string> own = line.row->panics;
  if (!line.alone) {
    const std::string name = " -> " + scenario.services[line.service->service.value].name + " ";
    std::erase_if(own, [&](const std::string& panic) { return panic.find(name) == std::string::npos; });
  }
  return own.empty() ? "no" : names_text(own);
}

std::string short_verdict(const plan::Plan& plan, const plan::Row& part) {
  if (part.has_no_traffic()) {
    return "no traffic";
  }
  switch (part.judgement()) {
    case study::Verdict::missed:
      return "FAILED";
    case study::Verdict::undecided:
    case study::Verdict::unknown:
      return "undecided";
    case study::Verdict::met:
      break;
  }
  return is_tightest(plan, part) ? "OK, tightest" : "OK";
}

// Returns the reason behind a verdict that is not OK: the long verdict without its first word.
std::string reason_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& part) {
  const std::string text = verdict_text(scenario, plan, part);
  const std::size_t colon = text.find(": ");
  return colon == std::string::npos ? "" : text.substr(colon + 2);
}

double growth_of(const plan::Row& part) {
  return part.tightest ? part.tightest->growth() : std::numeric_limits<double>::infinity();
}

std::vector<Line> lines_of(const std::vector<const plan::Row*>& rows) {
  std::vector<Line> lines;
  for (const plan::Row* const row : rows) {
    for (const plan::ServiceRow& service : row->services) {
      lines.push_back({row, &service, row->services.size() == 1});
    }
    if (row->services.empty()) {
      lines.push_back({row});
    }
  }
  // Sorts by service, then in the order of failures.
  numeric::stable_sort(lines, [](const Line& left, const Line& right) {
    const auto place = [](const Line& line) { return line.service == nullptr ? 0 : line.service->service.value; };
    return place(left) < place(right);
  });
  if (lines.size() > most_lines) {
    std::vector<double> growths;
    for (const Line& line : lines) {
      const plan::Row part = part_of(line);
      growths.push_back(part.judgement() == study::Verdict::missed ? -1.0 : growth_of(part));
    }
    std::vector<double> sorted = growths;
    std::nth_element(sorted.begin(), sorted.begin() + most_lines, sorted.end());
    std::vector<Line> kept;
    for (std::size_t index = 0; index < lines.size(); ++index) {
      if (growths[index] < sorted[most_lines] || (growths[index] == sorted[most_lines] && kept.size() < most_lines)) {
        kept.push_back(lines[index]);
      }
    }
    lines = std::move(kept);
  }
  return lines;
}

// Joins rows of the sheet that differ in this column only.
void fold(Sheet& sheet, std::size_t column) {
  std::vector<std::pair<SheetRow, std::vector<std::string>>> folded;
  for (SheetRow& row : sheet.rows) {
    SheetRow rest = row;
    rest[column] = {};
    const auto known = std::find_if(folded.begin(), folded.end(), [&](const auto& of) { return of.first == rest; });
    if (known == folded.end()) {
      folded.emplace_back(std::move(rest), std::vector<std::string>{row[column]});
    } else {
      known->second.push_back(row[column]);
    }
  }
  sheet.rows.clear();
  for (auto& [row, names] : folded) {
    row[column] = names_text(names);
    sheet.rows.push_back(std::move(row));
  }
}

}  // namespace

Sheet plan_table(const scenario::Scenario& scenario, const plan::Plan& plan,
                 const std::vector<const plan::Row*>& rows) {
  const std::vector<Line> lines = lines_of(rows);
  const auto any = [&](auto of) { return std::any_of(lines.begin(), lines.end(), of); };
  const bool zones = scenario.zones.size() <= most_zone_columns;
  const bool several = any([](const Line& line) { return !line.alone; });
  Columns<Line> columns;
  columns.text(
      "service",
      [&](const Line& line) { return line.service == nullptr ? "" : service_text(scenario, line.service->service); },
      several);
  columns.text("down", [&](const Line& line) {
    const std::string name = line.row == &plan.rows.front() ? "nothing" : lost_text(scenario, *line.row);
    return line.row->failure.ways > 1
               ? fmt::format("{} (and {} alike)", name, with_thousands(line.row->failure.ways - 1))
               : name;
  });
  columns.verdict("verdict", [&](const Line& line) { return short_verdict(plan, part_of(line)); });
  for (std::size_t zone = 0; zones && zone < scenario.zones.size(); ++zone) {
    columns.number(printable(scenario.zones[zone].name), [zone](const Line& line) {
      const auto& of = line.service != nullptr && !line.alone ? line.service->zones[zone] : line.row->zones[zone];
      return of ? whole_percent(*of) : "";
    });
  }
  columns.text("busiest", [&](const Line& line) {
    const auto& busiest = line.service != nullptr && !line.alone ? line.service->busiest : line.row->busiest;
    const auto& utilisation =
        line.service != nullptr && !line.alone ? line.service->utilisation : line.row->utilisation;
    return !busiest ? ""
           : zones  ? endpoint_text(scenario, *busiest)
                    : endpoint_text(scenario, *busiest) + " " + whole_percent(utilisation.value_or(0.0));
  });
  columns.number("headroom", [&](const Line& line) { return row_headroom_text(plan, part_of(line)); });
  columns.number("cross-zone", [](const Line& line) {
    return whole_percent(line.service != nullptr ? line.service->cross_zone : line.row->cross_zone);
  });
  columns.number(
      "between zones", [](const Line& line) { return line.row->bytes ? bytes_text(*line.row->bytes) + "/s" : "?"; },
      any([](const Line& line) { return line.alone && line.row->bytes != 0.0; }));
  columns.number(
      "a month", [](const Line& line) { return line.row->cost ? money_text(*line.row->cost) : "?"; },
      any([](const Line& line) { return line.alone && line.row->cost != 0.0; }));
  columns.number(
      "not sent", [](const Line& line) { return line.row->not_sent > 0.0 ? rate_text(line.row->not_sent) : ""; },
      any([](const Line& line) { return line.row->not_sent > 0.0; }));
  columns.number(
      "failed", [](const Line& line) { return exact_percent(line.alone ? line.row->failed : line.service->failed); },
      any([](const Line& line) { return (line.alone ? line.row->failed : line.service->failed) > 0.0; }));
  columns.number(
      "panic", [&](const Line& line) { return panic_text(scenario, line); },
      any([](const Line& line) { return !line.row->panics.empty(); }));
  columns.text(
      "why", [&](const Line& line) { return reason_text(scenario, plan, part_of(line)); },
      any([](const Line& line) { return part_of(line).judgement() != study::Verdict::met; }));
  Sheet sheet = columns.sheet("failures", lines);
  fold(sheet, several ? 1 : 0);
  if (several) {
    fold(sheet, 0);
  }
  return sheet;
}

}  // namespace spillway::reports
