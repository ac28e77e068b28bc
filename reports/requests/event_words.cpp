// Names of events, and their causes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/seconds.hpp"
#include "models/health/outlier_detection.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/change_words.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

using run::EventGroup;
using run::EventKind;
using run::EventRecord;

// Returns "41.2 %".
std::string percent_text(double percent) {
  return fmt::format("{:.3g} %", percent);
}

std::string number_text(double number) {
  return with_thousands(static_cast<std::uint64_t>(std::max(0.0, std::round(number))));
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", with_thousands(number), number == 1 ? one : several);
}

std::string_view failure_name(health::CheckFailure failure) {
  return name_in({"wrong answer", "an answer to a request asked for it", "no connection", "timeout"}, failure);
}

std::string detection_text(const EventRecord& record) {
  using health::Detection;
  // For prevented ejections `limit` is the reason that prevented them.
  const double threshold = record.kind == EventKind::ejected ? record.limit : record.threshold;
  switch (record.detection) {
    case Detection::consecutive_5xx:
      return fmt::format("{} consecutive 5xx", number_text(record.value));
    case Detection::consecutive_gateway_failure:
      return fmt::format("{} consecutive gateway failures", number_text(record.value));
    case Detection::consecutive_local_origin_failure:
      return fmt::format("{} consecutive local-origin failures", number_text(record.value));
    case Detection::success_rate:
    case Detection::success_rate_local_origin:
      return fmt::format("success rate {} < {} = {} - {:.3g} x {}", percent_text(record.value), percent_text(threshold),
                         percent_text(record.mean), record.deviations,
                         percent_text((record.mean - threshold) / record.deviations));
    case Detection::failure_percentage:
    case Detection::failure_percentage_local_origin:
      return fmt::format("{} of the requests fail, threshold {}", percent_text(record.value), percent_text(threshold));
  }
  return "";
}

std::string enforcing_name(health::Detection detection) {
  constexpr std::array names{"enforcing_consecutive_5xx",
                             "enforcing_consecutive_gateway_failure",
                             "enforcing_success_rate",
                             "enforcing_consecutive_local_origin_failure",
                             "enforcing_local_origin_success_rate",
                             "enforcing_failure_percentage",
                             "enforcing_failure_percentage_local_origin"};
  return names[static_cast<std::size_t>(detection)];
}

std::string prevented_text(const scenario::Scenario& scenario, const EventRecord& record) {
  config::OutlierDetection detection =
      scenario.services[record.service.value].cluster.outlier_detection.value_or(config::OutlierDetection{});
  detection.max_ejection_percent = static_cast<std::uint32_t>(record.limit);
  return fmt::format("{}, but max_ejection_percent {:.0f} lets at most {} of {} be out", detection_text(record),
                     record.limit, health::most_ejected(detection, scenario.profile.envoy, record.hosts), record.hosts);
}

// Describes a failed check. Envoy marks a host for one bad response to an HTTP check; the threshold applies to checks
// without a response, and to retriable_statuses.
std::string marked_text(const EventRecord& record) {
  const health::CheckFailure failure = record.check_failure.value_or(health::CheckFailure::passive);
  std::string text(failure_name(failure));
  if (failure == health::CheckFailure::active && record.value < record.limit) {
    text += fmt::format(", for which unhealthy_threshold {:.0f} does not count", record.limit);
  }
  return text;
}

// Returns the cause; empty if the preceding words include it.
std::string reason_text(const scenario::Scenario& scenario, const EventRecord& record) {
  switch (record.kind) {
    case EventKind::ejected:
      return detection_text(record);
    case EventKind::ejection_prevented:
      return prevented_text(scenario, record);
    case EventKind::ejection_not_enforced:
      return fmt::format("{}, but {} is {:.0f}", detection_text(record), enforcing_name(record.detection),
                         record.limit);
    case EventKind::returned:
      return record.by_check ? "an active check passed" : "the ejection time is over";
    case EventKind::check_failed:
      return fmt::format("{} of {}, {}", number_text(record.value), number_text(record.limit),
                         failure_name(record.check_failure.value_or(health::CheckFailure::active)));
    case EventKind::marked_unhealthy:
      return marked_text(record);
    case EventKind::marked_healthy:
      return "active checks pass";
    case EventKind::panic_began:
    case EventKind::panic_ended:
      if (record.kind == EventKind::panic_ended && record.hosts == 0 && record.value == 0.0) {
        return "no host is left";
      }
      return fmt::format("{} of the hosts are available, threshold {}", percent_text(record.value),
                         percent_text(record.limit));
    case EventKind::priority_began:
      return fmt::format("{} of the requests", percent_text(record.value));
    case EventKind::priority_stopped:
      return fmt::format("{} of the requests before", percent_text(record.limit));
    case EventKind::breaker_opened:
      return fmt::format("{} {}", limit_name(record.resource), number_text(record.limit));
    case EventKind::breaker_closed:
      return fmt::format("{}, {} rejected", limit_name(record.resource), number_text(record.value));
    case EventKind::retry_budget_empty:
      return fmt::format("{} concurrent retries now", number_text(record.limit));
    case EventKind::retry_budget_refilled:
      return fmt::format("{} retries were not made", number_text(record.value));
    default:
      return "";
  }
}

// The name of each kind, in the order of run::EventKind, and what one or several proxies do to its object.
struct KindOfEvent {
  const char* name;
  const char* one = "";
  const char* several = "";
};
constexpr std::array kinds_of_event{
    KindOfEvent{"ejected", "ejects {}", "eject {}"},
    KindOfEvent{"ejection_prevented", "may not eject {}", "may not eject {}"},
    KindOfEvent{"ejection_not_enforced", "does not eject {}", "do not eject {}"},
    KindOfEvent{"returned", "takes {} back", "take {} back"},
    KindOfEvent{"check_failed", "sees a check of {} fail", "see a check of {} fail"},
    KindOfEvent{"marked_unhealthy", "marks {} unhealthy", "mark {} unhealthy"},
    KindOfEvent{"marked_healthy", "marks {} healthy", "mark {} healthy"},
    KindOfEvent{"panic_began", "begins to panic in {}", "begin to panic in {}"},
    KindOfEvent{"panic_ended", "ends panic in {}", "end panic in {}"},
    KindOfEvent{"priority_began", "begins to send to {}", "begin to send to {}"},
    KindOfEvent{"priority_stopped", "stops sending to {}", "stop sending to {}"},
    KindOfEvent{"update_held", "holds an update of {} back", "hold an update of {} back"},
    KindOfEvent{"breaker_opened", "opens the circuit breaker of {}", "open the circuit breaker of {}"},
    KindOfEvent{"breaker_closed", "closes the circuit breaker of {}", "close the circuit breaker of {}"},
    KindOfEvent{"retry_budget_empty", "uses up the retry budget of {}", "use up the retry budget of {}"},
    KindOfEvent{"retry_budget_refilled", "may retry again at {}", "may retry again at {}"},
    KindOfEvent{"session_moved", "moves sessions away from {}", "move sessions away from {}"},
    KindOfEvent{"slow_start_began", "begins slow start in {}", "begin slow start in {}"},
    KindOfEvent{"slow_start_ended", "ends slow start in {}", "end slow start in {}"},
    KindOfEvent{"health_told"},
    KindOfEvent{"endpoints_added"},
    KindOfEvent{"endpoints_removed"},
    KindOfEvent{"weights_told"},
    KindOfEvent{"priorities_told"},
    KindOfEvent{"outage_began"},
    KindOfEvent{"outage_ended"},
    KindOfEvent{"node_outage_began"},
    KindOfEvent{"node_outage_ended"},
    KindOfEvent{"link_changed"},
    KindOfEvent{"fails"},
    KindOfEvent{"checks_answered"},
    KindOfEvent{"rate_changed"},
    KindOfEvent{"slow"},
    KindOfEvent{"runtime_changed"},
};
static_assert(kinds_of_event.size() == static_cast<std::size_t>(EventKind::runtime_changed) + 1);

std::string action_text(EventKind kind, const std::string& object, bool several) {
  const KindOfEvent& of = kinds_of_event[static_cast<std::size_t>(kind)];
  return fmt::format(fmt::runtime(several ? of.several : of.one), object);
}

// Returns the name of the service, or of the cluster if a route splits the client's requests between several of it.
std::string service_name(const scenario::Scenario& scenario, const EventRecord& record) {
  const config::ServiceIndex asked = scenario::asked_for(scenario, record.service);
  const std::string& cluster = scenario.services[record.service.value].name;
  const std::string& name = scenario.services[asked.value].name;
  if (cluster == name) {
    return printable(name);
  }
  const std::vector<config::ServiceIndex> services =
      scenario::services_of(scenario, scenario.clients[record.client.value]);
  const auto parts = std::count_if(services.begin(), services.end(), [&](config::ServiceIndex service) {
    return scenario::asked_for(scenario, service) == asked;
  });
  return printable(parts > 1 ? cluster : name);
}

std::string zone_name(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  return scenario.zones[scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value].name;
}

std::string client_name(const scenario::Scenario& scenario, const EventRecord& record) {
  const scenario::ClientEntry& entry = scenario.clients[record.client.value];
  return entry.count == 1 ? printable(entry.name) : fmt::format("{}[{}]", printable(entry.name), record.instance);
}

std::string with_reason(std::string text, const std::string& reason) {
  return reason.empty() ? text : std::move(text) + ": " + reason;
}

}  // namespace

std::string_view limit_name(health::Resource resource) {
  return name_in({"max_connections", "max_pending_requests", "max_requests", "max_retries", "max_connection_pools"},
                 resource);
}

bool is_about_priority(const EventRecord& record) {
  const EventKind kind = record.kind;
  return kind == EventKind::panic_began || kind == EventKind::panic_ended || kind == EventKind::priority_began ||
         kind == EventKind::priority_stopped;
}

const std::vector<std::string>& event_kind_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const KindOfEvent& kind : kinds_of_event) {
      all.emplace_back(kind.name);
    }
    return all;
  }();
  return names;
}

std::string event_text(const scenario::Scenario& scenario, const EventRecord& record) {
  if (record.change) {
    return change_text(scenario, scenario.changes[*record.change].effect);
  }
  std::string object = record.endpoint ? printable(scenario.endpoints[record.endpoint->value].id)
                       : is_about_priority(record)
                           ? fmt::format("P{} of {}", record.priority.value, service_name(scenario, record))
                           : service_name(scenario, record);
  std::string text = with_reason(client_name(scenario, record) + ' ' + action_text(record.kind, object, false),
                                 reason_text(scenario, record));
  if (record.until) {
    text += fmt::format(", until {}{}", event_time(*record.until, true),
                        record.kind == EventKind::ejected ? " at least" : "");
  }
  return text;
}

std::string group_text(const scenario::Scenario& scenario, const EventGroup& group) {
  const EventRecord& record = group.first;
  if (record.change) {
    return change_text(scenario, scenario.changes[*record.change].effect, group.times);
  }
  const std::string service = service_name(scenario, record);
  std::string object = service;
  if (record.endpoint) {
    object = group.endpoints == 1 ? printable(scenario.endpoints[record.endpoint->value].id)
                                  : fmt::format("{} of {} in {}", counted(group.endpoints, "endpoint", "endpoints"),
                                                service, printable(zone_name(scenario, *record.endpoint)));
  } else if (is_about_priority(record)) {
    object = fmt::format("P{} of {}", record.priority.value, service);
  }
  const bool several = group.proxies > 1;
  std::string text = several ? counted(group.proxies, "proxy", "proxies") : client_name(scenario, record);
  text += ' ' + action_text(record.kind, object, several);
  const std::string times = group.times > 1 ? with_thousands(group.times) + " times" : "";
  if (group.lasted > run::Nanoseconds{0}) {
    const double each = config::seconds(group.lasted) / group.proxies;
    text += fmt::format(" ({}{}{}{} in total)", times, times.empty() ? "" : ", ", duration_text(each),
                        several ? " each" : "");
  } else if (!times.empty()) {
    text += ", " + times;
  }
  EventRecord reported = record;
  if (record.kind == EventKind::breaker_closed || record.kind == EventKind::retry_budget_refilled) {
    reported.value = group.value;
  }
  return with_reason(std::move(text), reason_text(scenario, reported));
}

}  // namespace spillway::reports
