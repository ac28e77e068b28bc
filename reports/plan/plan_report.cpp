#include "reports/plan/plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "reports/plan/plan_json.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/sheet.hpp"

namespace spillway::reports {
namespace {

// People read so many failures; of more, the ones that allow least growth.
constexpr std::size_t most_rows = 40;
constexpr std::size_t most_zones = 8;

// Without decimals, half up, but for what would read as nothing or as the limit.
std::string whole_percent(double fraction) {
  return fraction * 100.0 < 1.0 && fraction > 0.0 ? exact_percent(fraction)
                                                  : fmt::format("{} %", round_half_up(fraction * 100.0, 0));
}

std::vector<const plan::Row*> shown_rows(const plan::Plan& plan) {
  std::vector<const plan::Row*> rows;
  for (const plan::Row& row : plan.rows) {
    rows.push_back(&row);
  }
  if (rows.size() <= most_rows) {
    return rows;
  }
  const auto growth = [](const plan::Row* row) {
    return row->tightest ? row->tightest->growth() : std::numeric_limits<double>::infinity();
  };
  std::vector<const plan::Row*> by_growth(rows.begin() + 1, rows.end());
  std::sort(by_growth.begin(), by_growth.end(), [&](const plan::Row* left, const plan::Row* right) {
    return std::pair(growth(left), left) < std::pair(growth(right), right);
  });
  by_growth.resize(most_rows - 1);
  const std::set<const plan::Row*> kept(by_growth.begin(), by_growth.end());
  std::erase_if(rows, [&](const plan::Row* row) { return row != &plan.rows.front() && !kept.contains(row); });
  return rows;
}

std::string name_text(const plan::Failure& failure) {
  return failure.ways > 1 ? fmt::format("{} (and {} alike)", failure.name, with_thousands(failure.ways - 1))
                          : failure.name;
}

Sheet rows_for_people(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const std::vector<const plan::Row*> rows = shown_rows(plan);
  const auto any = [&](auto of) {
    return std::any_of(rows.begin(), rows.end(), [&](const plan::Row* row) { return of(*row); });
  };
  const bool zones = scenario.zones.size() <= most_zones;
  const bool failed = any([](const plan::Row& row) { return row.failed > 0.0; });
  const bool not_sent = any([](const plan::Row& row) { return row.not_sent > 0.0; });
  const bool panic = any([](const plan::Row& row) { return !row.panics.empty(); });
  const bool bytes = any([](const plan::Row& row) { return row.bytes > 0.0; });
  const bool cost = any([](const plan::Row& row) { return row.cost > 0.0; });
  Sheet sheet{"failures", {{"lost"}}};
  for (std::size_t zone = 0; zones && zone < scenario.zones.size(); ++zone) {
    sheet.fields.push_back({scenario.zones[zone].name, true});
  }
  sheet.fields.insert(sheet.fields.end(), {{"busiest"}, {"spare", true}, {"cross-zone", true}});
  const auto add_field = [&](bool wanted, const char* name) {
    if (wanted) {
      sheet.fields.push_back({name, true});
    }
  };
  add_field(bytes, "between zones");
  add_field(cost, "a month");
  add_field(not_sent, "not sent");
  add_field(failed, "failed");
  add_field(panic, "panic");
  sheet.fields.push_back({"verdict"});
  for (const plan::Row* row : rows) {
    std::vector<std::string> cells = {name_text(row->failure)};
    for (std::size_t zone = 0; zones && zone < scenario.zones.size(); ++zone) {
      cells.push_back(row->zones[zone] ? whole_percent(*row->zones[zone]) : "");
    }
    cells.push_back(!row->busiest ? ""
                    : zones       ? endpoint_text(scenario, *row->busiest)
                                  : endpoint_text(scenario, *row->busiest) + " " + whole_percent(*row->utilisation));
    cells.push_back(row->tightest ? growth_text(row->tightest->growth()) : "");
    cells.push_back(whole_percent(row->cross_zone));
    const auto add_cell = [&](bool wanted, std::string cell) {
      if (wanted) {
        cells.push_back(std::move(cell));
      }
    };
    add_cell(bytes, bytes_text(row->bytes) + "/s");
    add_cell(cost, money_text(row->cost));
    add_cell(not_sent, row->not_sent > 0.0 ? rate_text(row->not_sent) : "");
    add_cell(failed, exact_percent(row->failed));
    add_cell(panic, row->panics.empty() ? "no" : joined(row->panics, ", "));
    cells.push_back(verdict_text(scenario, plan, *row));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

Sheet shares_for_people(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Sheet sheet{"where all requests are answered", {{"lost"}}};
  for (const scenario::Zone& zone : scenario.zones) {
    sheet.fields.push_back({zone.name, true});
  }
  for (const plan::Row* row : shown_rows(plan)) {
    std::vector<std::string> cells = {name_text(row->failure)};
    for (const double share : row->zone_shares) {
      cells.push_back(share > 0.0 ? exact_percent(share) : "");
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

Sheet what_ifs_for_people(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Sheet sheet{"other settings",
              {{"setting"}, {"value", true}, {"headroom", true}, {"binding"}, {"cross-zone", true}, {"verdict"}}};
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    const double rate = plan.rows.front().rate * what_if.headroom.growth;
    sheet.rows.push_back({what_if.setting, what_if.value + (what_if.now ? " (now)" : ""),
                          std::isfinite(rate) ? rate_text(rate) : "", what_if.worst.failure.name,
                          whole_percent(what_if.worst.cross_zone), verdict_text(scenario, plan, what_if.worst)});
  }
  return sheet;
}

Sheet rows_for_programs(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Sheet sheet{"failures",
              {{"failure"},
               {"ways", true},
               {"rate", true},
               {"busiest"},
               {"utilisation", true},
               {"growth", true},
               {"cross_zone", true},
               {"bytes_per_second", true},
               {"cost_per_month", true},
               {"no_host", true},
               {"panic"},
               {"holds"},
               {"not_sent", true},
               {"failed", true},
               {"verdict"}}};
  for (const scenario::Zone& zone : scenario.zones) {
    sheet.fields.push_back({"utilisation " + zone.name, true});
    sheet.fields.push_back({"share " + zone.name, true});
  }
  for (const plan::Row& row : plan.rows) {
    const bool grows = row.tightest && std::isfinite(row.tightest->growth());
    std::vector<std::string> cells = {row.failure.name,
                                      fmt::format("{}", row.failure.ways),
                                      shortest(row.rate),
                                      row.busiest ? scenario.endpoints[row.busiest->value].id : "",
                                      row.utilisation ? shortest(*row.utilisation) : "",
                                      grows ? shortest(row.tightest->growth()) : "",
                                      shortest(row.cross_zone),
                                      shortest(row.bytes),
                                      shortest(row.cost),
                                      shortest(row.no_host),
                                      joined(row.panics, "; "),
                                      row.has_no_traffic() ? ""
                                      : row.holds()        ? "true"
                                                           : "false",
                                      shortest(row.not_sent),
                                      shortest(row.failed),
                                      std::string(row.has_no_traffic() ? "no traffic" : name_of(row.judgement()))};
    for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
      cells.push_back(row.zones[zone] ? shortest(*row.zones[zone]) : "");
      cells.push_back(shortest(row.zone_shares[zone]));
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string moment_text(const plan::Plan& plan) {
  return duration_text(static_cast<double>(plan.at.count()) * 1e-9);
}

std::vector<std::string> opening(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<std::string> lines;
  std::string sent = fmt::format("{} at {}", rate_text(plan.rows.front().rate), moment_text(plan));
  if (plan.growth != 1.0) {
    sent += fmt::format(", {} of the scenario's", exact_percent(plan.growth));
  }
  lines.push_back(sent);
  for (const std::string& objective : objective_texts(scenario, plan)) {
    lines.push_back("objective: " + objective + (plan.assumed_objectives ? " (assumed: the scenario names none)" : ""));
  }
  lines.push_back(
      plan.assumed_failures
          ? "failures: the endpoints of each zone and of each node, reported unhealthy to every proxy (assumed: the "
            "scenario names none)"
          : "failures: as the scenario names them; what is lost does not answer");
  if (std::any_of(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return !row.exact; })) {
    lines.emplace_back(
        "some rows have no closed form: requests are simulated and counted, with an outage after a warm-up as long as "
        "the scenario, and +- is the 95 % interval");
  }
  return lines;
}

std::string left_out(const plan::Plan& plan) {
  return plan.rows.size() <= most_rows ? ""
                                       : fmt::format("{} more failures leave more to spare (-o csv lists all)",
                                                     with_thousands(plan.rows.size() - most_rows));
}

// The last cell of each row is its verdict, and says in its first word which.
std::string with_colored_verdicts(const std::string& table, const Sheet& sheet, const Look& look) {
  if (!look.color) {
    return table;
  }
  std::string text;
  std::size_t begin = table.find('\n') + 1;  // behind the titles
  text = table.substr(0, begin);
  for (const std::vector<std::string>& row : sheet.rows) {
    const std::size_t end = table.find('\n', begin);
    const std::string& verdict = row.back();
    const char* const color = verdict.starts_with("holds")       ? "32"
                              : verdict.starts_with("fails")     ? "31"
                              : verdict.starts_with("undecided") ? "33"
                                                                 : nullptr;
    const std::string_view line = std::string_view(table).substr(begin, end - begin);
    text += color != nullptr && line.ends_with(verdict)
                ? fmt::format("{}\x1b[{}m{}\x1b[0m\n", line.substr(0, line.size() - verdict.size()), color, verdict)
                : std::string(line) + "\n";
    begin = end + 1;
  }
  return text + table.substr(begin);
}

std::string plan_table(const scenario::Scenario& scenario, const plan::Plan& plan, const Look& look) {
  constexpr int gap = 3;
  const std::string title = fmt::format("{}        capacity plan", printable(scenario.name));
  std::string text = (look.color ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n";
  for (const std::string& line : opening(scenario, plan)) {
    text += line + "\n";
  }
  const auto add_verdicts = [&](const Sheet& sheet) {
    text += "\n" + with_colored_verdicts(sheet_text(sheet, 1, gap), sheet, look);
  };
  add_verdicts(rows_for_people(scenario, plan));
  if (!left_out(plan).empty()) {
    text += " " + left_out(plan) + "\n";
  }
  text += "\n";
  constexpr int title_width = 18;
  for (const Answer& answer : plan_answers(scenario, plan)) {
    for (std::size_t line = 0; line < answer.sentences.size(); ++line) {
      text += " " + padded(line == 0 ? answer.title : "", title_width, Align::left) + answer.sentences[line] + "\n";
    }
  }
  if (!plan.what_ifs.empty()) {
    add_verdicts(what_ifs_for_people(scenario, plan));
  }
  if (scenario.zones.size() <= most_zones) {
    const Sheet shares = shares_for_people(scenario, plan);
    text += "\n" + shares.subject + "\n\n" + sheet_text(shares, 1, gap);
  }
  return text;
}

std::string plan_markdown(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::string text = fmt::format("**{}**: capacity plan\n\n", markdown_escaped(scenario.name));
  for (const std::string& line : opening(scenario, plan)) {
    text += "- " + markdown_escaped(line) + "\n";
  }
  text += "\n" + sheet_markdown(rows_for_people(scenario, plan)) + "\n";
  if (!left_out(plan).empty()) {
    text += left_out(plan) + "\n\n";
  }
  for (const Answer& answer : plan_answers(scenario, plan)) {
    for (const std::string& sentence : answer.sentences) {
      text += fmt::format("- {}: {}\n", answer.title, markdown_escaped(sentence));
    }
  }
  if (!plan.what_ifs.empty()) {
    text += "\n" + sheet_markdown(what_ifs_for_people(scenario, plan));
  }
  if (scenario.zones.size() <= most_zones) {
    const Sheet shares = shares_for_people(scenario, plan);
    text += "\n" + shares.subject + "\n\n" + sheet_markdown(shares);
  }
  return text;
}

}  // namespace

std::string format_plan(const scenario::Scenario& scenario, const plan::Plan& plan, Format format, const Look& look) {
  switch (format) {
    case Format::json:
      return plan_json(scenario, plan);
    case Format::csv:
      return sheet_csv(rows_for_programs(scenario, plan));
    case Format::wide: {
      constexpr int gap = 2;
      return sheet_text(rows_for_programs(scenario, plan), 0, gap);
    }
    case Format::markdown:
      return plan_markdown(scenario, plan);
    case Format::table:
      break;
  }
  return plan_table(scenario, plan, look);
}

}  // namespace spillway::reports
