#include "reports/plan/failure_texts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <type_traits>
#include <utility>

#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

// Returns the limit of the service's circuit breaker, " (max_requests 64)"; empty if the scenario sets several.
std::string breaker_text(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::set<std::uint32_t> written;
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    if (scenario::asked_for(scenario, {index}) == service) {
      for (const auto& of : scenario.services[index].cluster.circuit_breakers.thresholds) {
        written.insert(of.max_requests.value_or(0));
      }
    }
  }
  if (written.contains(UINT32_MAX)) {
    return "";  // no limit: another one overflows
  }
  if (written.empty()) {
    return " (Envoy's default: 1,024 requests of one proxy)";
  }
  return written.size() == 1 && *written.begin() > 0
             ? fmt::format(" (max_requests {})", with_thousands(*written.begin()))
             : "";
}

// Returns "they time out (12 %), then a circuit breaker overflows (3 %)"; a single cause has no share.
std::string causes_text(const scenario::Scenario& scenario, const plan::FailedRequests& failing) {
  std::vector<std::string> parts;
  for (const plan::CausePart& part : failing.causes) {
    parts.push_back(cause_text(part.cause) +
                    (part.cause == plan::Cause::overflow ? breaker_text(scenario, failing.service) : "") +
                    (failing.causes.size() > 1 ? fmt::format(" ({})", exact_percent(part.share)) : ""));
  }
  return joined(parts, ", then ");
}

// Describes the recovery. `fix` is the changed setting with which the worst failure recovers.
std::string recovery_text(const plan::Recovery& recovery, const std::string& fix) {
  switch (recovery.verdict) {
    case plan::Recovery::Verdict::recovers:
      return recovery.seconds > 0.0 ? "recovers within " + duration_text(recovery.seconds) : "recovers at once";
    case plan::Recovery::Verdict::does_not_recover:
      return fmt::format("does not recover within {}: {} of the requests still fail, held down by {}{}",
                         duration_text(recovery.watched), exact_percent(recovery.failing), recovery.held_down_by,
                         fix.empty() ? "" : "; it recovers with " + fix);
    case plan::Recovery::Verdict::unknown:
      break;
  }
  return "unknown: " + recovery.reason;
}

// Returns the part of an onset's text that does not name its zone and service.
std::string onset_text(const scenario::Scenario& scenario, const plan::Onset& onset) {
  const auto number = [&](std::uint32_t lost, const std::optional<config::EndpointIndex>& kind) {
    return fmt::format("{} of {} {} lost{}", lost, onset.endpoints, lost == 1 ? "is" : "are",
                       kind ? fmt::format(" ({}{})", printable(scenario.endpoints[kind->value].id),
                                          lost > 1 ? " and others like it" : "")
                            : "");
  };
  constexpr double shown = 0.00005;  // shown as 0 %
  std::string leaves;
  if (onset.cross_zone >= 1.0) {
    leaves = "all traffic leaves the zone even when healthy";
  } else if (onset.cross_zone >= shown) {
    leaves =
        exact_percent(onset.cross_zone) + " leaves the zone even when healthy" +
        (onset.leaves_zone_at ? ", more once " + number(*onset.leaves_zone_at, onset.leaves_zone_by) : ", never more");
  } else {
    leaves = onset.leaves_zone_at
                 ? "traffic starts leaving the zone when " + number(*onset.leaves_zone_at, onset.leaves_zone_by)
                 : "no traffic leaves the zone";
  }
  return leaves + (onset.panic_at ? "; panic when " + number(*onset.panic_at, onset.panic_by) : "; no panic");
}

}  // namespace

std::string losing(const plan::Plan& plan, std::size_t row) {
  const plan::Failure& failure = plan.rows[row].failure;
  return row == 0                                ? "with everything up"
         : failure.is_gray() || failure.degraded ? "with " + printable(failure.name)
                                                 : "losing " + printable(failure.name);
}

std::vector<std::string> failing_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  constexpr std::size_t most = 12;
  std::vector<std::string> texts;
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    for (const plan::FailedRequests& failing : plan.rows[row].failing) {
      if (texts.size() == most) {
        ++left_out;
        continue;
      }
      texts.push_back(fmt::format("{}: {} of {} to {}: {}", losing(plan, row), exact_percent(failing.share),
                                  printable(scenario.clients[failing.client.value].name),
                                  service_text(scenario, failing.service), causes_text(scenario, failing)));
    }
  }
  if (left_out > 0) {
    texts.push_back(fmt::format("and {} more (-o json lists all)", with_thousands(left_out)));
  }
  return texts;
}

std::vector<std::string> recovery_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<std::pair<std::string, std::vector<std::string>>> names_of;
  std::size_t all = 0;
  std::string fix;
  for (const plan::Row& row : plan.rows) {
    fix = fix.empty() && row.recovery ? row.recovery->fix : fix;
  }
  for (const plan::Row& row : plan.rows) {
    if (!row.recovery) {
      continue;
    }
    ++all;
    const std::string text = recovery_text(*row.recovery, fix);
    const auto known = std::find_if(names_of.begin(), names_of.end(), [&](const auto& of) { return of.first == text; });
    if (known == names_of.end()) {
      names_of.push_back({text, {lost_text(scenario, row)}});
    } else {
      known->second.push_back(lost_text(scenario, row));
    }
  }
  std::vector<std::string> texts;
  for (const auto& [text, names] : names_of) {
    texts.push_back(names.size() == all && all > 1 ? text + " in every row" : names_text(names) + ": " + text);
  }
  return texts;
}

std::vector<std::string> onset_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  using Names = std::vector<std::string>;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Names>>>> zones_of;  // by text, service
  for (const plan::Onset& onset : plan.onsets) {
    const std::string text = onset_text(scenario, onset);
    const std::string service = service_text(scenario, onset.service);
    const std::string zone = printable(scenario.zones[onset.zone.value].name);
    const auto first = [](auto& list, const std::string& key) -> auto& {
      const auto known = std::find_if(list.begin(), list.end(), [&](const auto& of) { return of.first == key; });
      return known == list.end() ? list.emplace_back(key, typename std::decay_t<decltype(list[0])>::second_type{})
                                 : *known;
    };
    first(first(zones_of, text).second, service).second.push_back(zone);
  }
  std::vector<std::string> texts;
  for (const auto& [text, services] : zones_of) {
    std::vector<std::pair<Names, Names>> lines;  // zones, services
    for (const auto& [service, zones] : services) {
      const auto known = std::find_if(lines.begin(), lines.end(), [&](const auto& of) { return of.first == zones; });
      if (known == lines.end()) {
        lines.push_back({zones, {service}});
      } else {
        known->second.push_back(service);
      }
    }
    for (const auto& [zones, names] : lines) {
      texts.push_back(fmt::format("{} for {}: {}", names_text(zones), names_text(names), text));
    }
  }
  return texts;
}

}  // namespace spillway::reports
