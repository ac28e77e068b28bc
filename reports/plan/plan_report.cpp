#include "reports/plan/plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/document/columns.hpp"
#include "reports/document/document.hpp"
#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_json.hpp"
#include "reports/plan/plan_table.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::reports {
namespace {

// Limits of the table for people; failures with the most headroom are left out.
constexpr std::size_t most_rows = 40;
constexpr std::size_t most_zones = 8;

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

Sheet shares_for_people(const scenario::Scenario& scenario, const plan::Plan& plan) {
  using Row = const plan::Row*;
  Columns<Row> columns;
  columns.text("lost", [](Row row) { return name_text(row->failure); });
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    columns.number(scenario.zones[zone].name, [zone](Row row) {
      return row->zone_shares[zone] > 0.0 ? exact_percent(row->zone_shares[zone]) : "";
    });
  }
  return columns.sheet("where all requests are answered", shown_rows(plan));
}

Sheet what_ifs_for_people(const scenario::Scenario& scenario, const plan::Plan& plan) {
  using plan::WhatIf;
  Columns<WhatIf> columns;
  columns.text("setting", [](const WhatIf& of) { return of.setting; });
  columns.number("value", [](const WhatIf& of) { return of.value + (of.now ? " (now)" : ""); });
  columns.number("headroom", [&](const WhatIf& of) {
    if (!of.known) {
      return std::string("unknown");
    }
    const double rate = plan.rows.front().rate * of.headroom.growth;
    // Objectives that are measured may end other headrooms earlier.
    const bool is_bound = plan.measured && !of.now && of.headroom.growth > 0.0;
    return !std::isfinite(rate) ? "" : (is_bound ? "at most " : "") + rate_text(rate);
  });
  columns.text("tightest", [](const WhatIf& of) { return of.worst.failure.name; });
  columns.number("cross-zone", [](const WhatIf& of) { return whole_percent(of.worst.cross_zone); });
  columns.verdict("verdict", [&](const WhatIf& of) {
    return of.now && plan.measured && plan.holds()        ? "OK"
           : plan.measured && !of.now && of.worst.holds() ? "not measured"
                                                          : verdict_text(scenario, plan, of.worst);
  });
  return columns.sheet("other settings", plan.what_ifs);
}

Sheet rows_for_programs(const scenario::Scenario& scenario, const plan::Plan& plan) {
  using plan::Row;
  Columns<Row> columns;
  columns.text("failure", [](const Row& row) { return row.failure.name; });
  columns.number("ways", [](const Row& row) { return fmt::format("{}", row.failure.ways); });
  columns.number("rate", [](const Row& row) { return shortest(row.rate); });
  columns.text("busiest", [&](const Row& row) { return row.busiest ? scenario.endpoints[row.busiest->value].id : ""; });
  columns.number("utilisation", [](const Row& row) { return row.utilisation ? shortest(*row.utilisation) : ""; });
  columns.number("growth", [](const Row& row) {
    return row.tightest && std::isfinite(row.tightest->growth()) ? shortest(row.tightest->growth()) : "";
  });
  columns.number("cross_zone", [](const Row& row) { return shortest(row.cross_zone); });
  columns.number("bytes_per_second", [](const Row& row) { return row.bytes ? shortest(*row.bytes) : ""; });
  columns.number("cost_per_month", [](const Row& row) { return row.cost ? shortest(*row.cost) : ""; });
  columns.number("no_host", [](const Row& row) { return shortest(row.no_host); });
  columns.text("panic", [](const Row& row) { return joined(row.panics, "; "); });
  columns.text("holds", [](const Row& row) { return row.has_no_traffic() ? "" : row.holds() ? "true" : "false"; });
  columns.number("not_sent", [](const Row& row) { return shortest(row.not_sent); });
  columns.number("failed", [](const Row& row) { return shortest(row.failed); });
  columns.text("verdict", [](const Row& row) {
    return std::string(row.has_no_traffic() ? "no traffic" : name_of(row.judgement()));
  });
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    const std::string& name = scenario.zones[zone].name;
    columns.number("utilisation " + name,
                   [zone](const Row& row) { return row.zones[zone] ? shortest(*row.zones[zone]) : ""; });
    columns.number("share " + name, [zone](const Row& row) { return shortest(row.zone_shares[zone]); });
  }
  return columns.sheet("failures", plan.rows);
}

std::string moment_text(std::chrono::nanoseconds at) {
  return fmt::format("{} s", config::seconds(at));  // exact: a reader gives it to --at
}

std::string moments_text(const std::vector<std::chrono::nanoseconds>& moments) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, moments.size()); ++i) {
    text += (i > 0 ? ", " : "") + moment_text(moments[i]);
  }
  return moments.size() > most ? fmt::format("{} and {} more", text, moments.size() - most) : text;
}

// Adds other times that are equally busy, for all clients, a service or a zone.
void add_busiest(const plan::BusiestMoments& busiest, std::vector<std::string>& lines) {
  if (busiest.all.size() > 1) {
    lines.push_back(
        fmt::format("the one with least headroom of the moments when all clients, or those of a service or zone, send "
                    "most: {}",
                    moments_text(busiest.all)));
  }
  if (!busiest.in_trouble.empty()) {
    lines.push_back(
        fmt::format("not planned: {} (equally busy, but something is already down, unhealthy or slow); use --at {}",
                    moments_text(busiest.in_trouble), plain_seconds(busiest.in_trouble.front())));
  }
}

// Adds the rate that a month of traffic is priced at, if the run does not send it constantly.
void add_month(const plan::Plan& plan, std::vector<std::string>& lines) {
  const bool costs = std::any_of(plan.rows.begin(), plan.rows.end(),
                                 [](const plan::Row& row) { return row.cost.value_or(0.0) > 0.0; });
  const double rate = plan.rows.front().rate;
  constexpr double alike = 0.01;
  if (costs && std::abs(plan.mean_rate - rate) > alike * rate) {
    lines.push_back(
        fmt::format("a month of costs is 730 hours at the scenario's mean rate, {}; while something is lost, at {}",
                    rate_text(plan.mean_rate), rate_text(rate)));
  }
}

// Adds how recorded arrivals in bursts, and users, are planned for.
void add_arrivals(const scenario::Scenario& scenario, const plan::Plan& plan, std::vector<std::string>& lines) {
  constexpr double bursts = 2.0;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.workload.trace != nullptr) {
      if (const double times = plan::burstiness(client.workload, plan.at); times > bursts) {
        lines.push_back(
            fmt::format("recorded arrivals of {} come in bursts ({:.2g} times the variance of random ones), but are "
                        "planned as random "
                        "ones: waits are longer than a plan says, and `spillway run` replays them",
                        printable(client.name), times));
      }
    } else if (client.workload.users > 0) {
      const double rate =
          client.workload.users * client.count * plan::most_rate_of_user(scenario, client) * plan.growth;
      lines.push_back(fmt::format(
          "{} users of {} send at most {}, if no request waits: shares are of that rate; when simulated, users wait "
          "for "
          "responses",
          with_thousands(
              static_cast<std::uint64_t>(std::ceil(client.workload.users * client.count * plan.growth * (1.0 - 1e-9)))),
          printable(client.name), rate_text(rate)));
    }
  }
}

// Returns what proxies are told of lost endpoints: ", and EDS reports them unhealthy"; empty if none is lost.
std::string reported_text(const plan::Plan& plan) {
  std::set<scenario::LossReported> told;
  for (const plan::Row& row : plan.rows) {
    if (!row.failure.endpoints.empty() && !row.failure.is_gray() && !row.failure.degraded) {
      told.insert(row.failure.reported);
    }
  }
  if (told.empty()) {
    return "";
  }
  const auto text = [](scenario::LossReported reported) {
    return reported == scenario::LossReported::unhealthy ? "EDS reports them unhealthy"
           : reported == scenario::LossReported::removed ? "EDS removes them"
                                                         : "no proxy is told";
  };
  std::vector<std::string> texts;
  std::transform(told.begin(), told.end(), std::back_inserter(texts), text);
  return ", and " + joined(texts, ", or ") + (told.size() > 1 ? ", as each failure says" : "");
}

std::vector<std::string> opening(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<std::string> lines;
  std::string sent = fmt::format("{} at {}", rate_text(plan.rows.front().rate), moment_text(plan.at));
  if (plan.growth != 1.0) {
    sent += fmt::format(", {} of the scenario's", exact_percent(plan.growth));
  }
  const bool recorded = std::any_of(scenario.clients.begin(), scenario.clients.end(),
                                    [](const auto& client) { return client.workload.trace != nullptr; });
  lines.push_back(sent + (recorded ? ", recorded arrivals at the rate of the second that begins there" : ""));
  add_arrivals(scenario, plan, lines);
  add_busiest(plan.busiest, lines);
  add_month(plan, lines);
  for (const std::string& objective : objective_texts(scenario, plan)) {
    lines.push_back("objective: " + objective + (plan.assumed_objectives ? " (default; the scenario sets none)" : ""));
  }
  lines.push_back(
      plan.assumed_failures
          ? "failures: the endpoints of each zone and of each node, reported unhealthy to every proxy (default; the "
            "scenario sets none)"
          : "failures: those of the scenario; lost endpoints do not answer" + reported_text(plan));
  if (scenario.mode == scenario::Mode::platform) {
    lines.emplace_back(
        "mode platform: simulated as in mode requests, where nothing waits for links or for cores of other nodes' "
        "requests; only what links carry is compared with their bandwidth");
  }
  if (std::any_of(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return !row.exact; })) {
    lines.emplace_back(
        "some rows are measured by simulation (outage after a warm-up as long as the scenario); +- is the 95 % "
        "confidence "
        "interval");
  }
  return lines;
}

void add_plan(Page& page, const scenario::Scenario& scenario, const plan::Plan& plan) {
  page.title({scenario.name, "capacity plan"});
  const PlanHeadline headline = plan_headline(scenario, plan);
  page.paragraph({headline.verdict + ": " + headline.reason});
  if (!headline.sentences.empty()) {
    page.attached().paragraph({joined(headline.sentences, " ")});
  }
  page.list(opening(scenario, plan));
  page.sheet(plan_table(scenario, plan, shown_rows(plan)));
  if (plan.rows.size() > most_rows) {
    page.attached().paragraph({fmt::format("{} more failures leave more headroom (-o csv lists all)",
                                           with_thousands(plan.rows.size() - most_rows))},
                              1);
  }
  if (plan.partial) {
    page.paragraph({"partial: the time was over before headroom, endpoints, recovery and spill were computed"});
    return;
  }
  std::vector<std::pair<std::string, std::string>> sentences;
  for (const Answer& answer : plan_answers(scenario, plan)) {
    for (const std::string& sentence : answer.sentences) {
      sentences.emplace_back(&sentence == &answer.sentences.front() ? answer.title : "", sentence);
    }
  }
  page.labels(sentences);
  if (!plan.what_ifs.empty()) {
    page.sheet(what_ifs_for_people(scenario, plan));
  }
  if (scenario.zones.size() <= most_zones) {
    const Sheet shares = shares_for_people(scenario, plan);
    page.heading(shares.subject);
    page.sheet(shares);
  }
}

}  // namespace

std::string format_plan(const scenario::Scenario& scenario, const plan::Plan& plan, Format format, const Look& look) {
  return reports::format({.page = [&](Page& page) { add_plan(page, scenario, plan); },
                          .records = [&] { return rows_for_programs(scenario, plan); },
                          .json = [&](const Sink& sink) { sink(plan_json(scenario, plan)); }},
                         format, look);
}

}  // namespace spillway::reports
