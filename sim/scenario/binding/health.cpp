#include <algorithm>
#include <set>
#include <variant>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

constexpr std::uint64_t whole = 100'000'000'000;  // 100 % in billionths of a percent

// Formats a count, "2.4", with at most four decimals.
std::string exact_count(std::uint64_t billionths, std::uint32_t total) {
  const std::uint64_t ten_thousandths = billionths / 100'000 * total / 100;
  std::string decimals = std::to_string(10'000 + ten_thousandths % 10'000).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  const std::string count = std::to_string(ten_thousandths / 10'000);
  return decimals.empty() ? "about " + count : count + "." + decimals;
}

struct Steps {
  const Field<std::vector<messages::HealthStep>>& written;
  std::vector<Nanoseconds> starts;
};

// Returns the start of each step. Steps at or past the end of the run are reported and left out.
Steps steps_of(const Header& so_far, const Field<std::vector<messages::HealthStep>>& field) {
  Steps steps{field, {}};
  const auto& duration = so_far.file.duration;
  Nanoseconds at{0};
  for (std::size_t i = 0; i < field->size(); ++i) {
    const messages::HealthStep& step = (*field)[i];
    steps.starts.push_back(at);
    const bool last = i + 1 == field->size();
    if (!last && step.lasts == Nanoseconds{0}) {
      so_far.problems.error("SP126", field.where, "a step of no duration", "step {} lasts 0s", {i + 1});
      return steps;
    }
    at += step.lasts;
    if (duration && (last ? at > *duration : at >= *duration)) {
      so_far.problems
          .error("SP113", field.where, "a health timeline longer than the run",
                 "step {} reaches the end of the run or goes past it", {i + 1})
          .note("the run ends at the `duration` in {}", {place(duration.where)});
      return steps;
    }
  }
  return steps;
}

Field<messages::Amount> amount_at(const Steps& steps, Nanoseconds at) {
  Field<messages::Amount> amount;
  if (!steps.written) {
    return amount;
  }
  const auto after = std::upper_bound(steps.starts.begin(), steps.starts.end(), at);
  amount.value = (*steps.written)[static_cast<std::size_t>(after - steps.starts.begin()) - 1].amount;
  amount.where = steps.written.where;
  amount.present = amount.given = true;
  return amount;
}

}  // namespace

std::optional<std::uint32_t> count_of(const messages::Amount& amount, std::uint32_t total, Span where,
                                      Diagnostics& problems) {
  if (const auto* count = std::get_if<std::uint32_t>(&amount)) {
    if (*count > total) {
      problems.error("SP115", where, "more endpoints than there are", "{} of {}", {*count, total});
      return std::nullopt;
    }
    return *count;
  }
  // Below 10^11 * 10^6: no overflow.
  const std::uint64_t billionths = std::get<grammar::ExactPercent>(amount).billionths;
  const std::uint64_t product = billionths * total;
  const auto count = static_cast<std::uint32_t>((product + whole / 2) / whole);
  if (product % whole != 0) {
    problems
        .warning("SP201", where, "a fraction of an endpoint", "{} of {} endpoints; {} are taken",
                 {exact_count(billionths, total), total, count})
        .help("write the number of endpoints instead of a percentage to say which one is meant");
  }
  return count;
}

std::optional<EdsHealth> tell(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts,
                              const Field<messages::Amount>& healthy, const Field<messages::Amount>& degraded,
                              Diagnostics& problems) {
  const auto total = static_cast<std::uint32_t>(hosts.size());
  std::uint32_t degraded_count = 0;
  if (degraded) {
    const auto count = count_of(*degraded, total, degraded.where, problems);
    if (!count) {
      return std::nullopt;
    }
    degraded_count = *count;
  }
  std::uint32_t healthy_count = total - degraded_count;
  if (healthy) {
    const auto count = count_of(*healthy, total, healthy.where, problems);
    if (!count) {
      return std::nullopt;
    }
    healthy_count = *count;
  }
  // Two halves of an odd number are both rounded up: the extra endpoint is not the author's mistake.
  if (healthy_count + degraded_count == total + 1 && degraded_count > 0 && healthy && degraded &&
      std::holds_alternative<grammar::ExactPercent>(*healthy) &&
      std::holds_alternative<grammar::ExactPercent>(*degraded)) {
    --degraded_count;
  }
  if (healthy_count + degraded_count > total) {
    problems.error("SP115", degraded.where, "more endpoints than there are", "{} healthy and {} degraded of {}",
                   {healthy_count, degraded_count, total});
    return std::nullopt;
  }
  EdsHealth reported;
  reported.service = service;
  for (std::uint32_t i = 0; i < total; ++i) {
    reported.hosts.emplace_back(hosts[i], i < healthy_count                    ? config::HealthStatus::healthy
                                          : i < healthy_count + degraded_count ? config::HealthStatus::degraded
                                                                               : config::HealthStatus::unhealthy);
  }
  return reported;
}

namespace {

// True if the list of changes already has a change of the service's health at the start, which a later one must follow.
bool changes_at_start(const Scenario& scenario, config::ServiceIndex service) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [&](const Change& change) {
    return change.at == Nanoseconds{0} && is_about<EdsHealth>(change, service);
  });
}

}  // namespace

void apply_health(Scenario& scenario, Nanoseconds at, EdsHealth reported, Span where) {
  if (at > Nanoseconds{0} || !reported.audience.empty() || changes_at_start(scenario, reported.service)) {
    scenario.changes.push_back({at, std::move(reported), where});
    return;
  }
  Service& service = scenario.services[reported.service.value];
  std::size_t next = 0;
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex host, config::LbEndpoint& endpoint) {
    if (next < reported.hosts.size() && reported.hosts[next].first == host) {
      endpoint.health_status = reported.hosts[next++].second;
    }
  });
}

void read_health_steps(Header& so_far, config::ServiceIndex service, const messages::EndpointGroup& group,
                       const std::vector<config::HostIndex>& hosts) {
  if (!group.healthy && !group.degraded) {
    return;
  }
  const Steps healthy = steps_of(so_far, group.healthy);
  const Steps degraded = steps_of(so_far, group.degraded);
  std::set<Nanoseconds> moments(healthy.starts.begin(), healthy.starts.end());
  moments.insert(degraded.starts.begin(), degraded.starts.end());
  for (const Nanoseconds at : moments) {
    auto reported = tell(service, hosts, amount_at(healthy, at), amount_at(degraded, at), so_far.problems);
    if (!reported) {
      return;
    }
    apply_health(so_far.scenario, at, std::move(*reported), group.healthy ? group.healthy.where : group.degraded.where);
  }
}

}  // namespace spillway::scenario::binding
