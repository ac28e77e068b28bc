#include <algorithm>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/events.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

// Returns the endpoints that an event names, sorted; nullopt if it names none.
std::optional<std::vector<std::uint32_t>> named_endpoints(const Services& so_far, const messages::Event& event,
                                                          std::uint32_t service, bool& fine) {
  if (!event.endpoints.present) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> named;
  for (const auto& name : event.endpoints.value) {
    const auto endpoint = so_far.endpoints.resolve(name, so_far.problems);
    if (!endpoint) {
      fine = false;
      continue;
    }
    const auto [of, host] = so_far.host_of_endpoint[*endpoint];
    if (of != service) {
      so_far.problems.error("SP118", name.where, "`{}` is an endpoint of another service", "of `{}`",
                            {*name, so_far.services.all()[of]});
      fine = false;
    }
    named.push_back(host.value);
  }
  std::sort(named.begin(), named.end());
  return named;
}

}  // namespace

bool in_time(const Header& so_far, const messages::Event& event) {
  const auto& duration = so_far.file.duration;
  if (!event.at || !duration) {
    return false;
  }
  if (*event.at >= *duration) {
    so_far.problems.error("SP112", event.at.where, "an event at or after the end of the run", "must be before the end")
        .note("the run ends at the `duration` in {}", {place(duration.where)});
    return false;
  }
  return true;
}

std::optional<std::uint32_t> service_of(const Services& so_far, const messages::Event& event, Span where) {
  if (event.service.present) {
    return so_far.services.resolve(event.service, so_far.problems);
  }
  if (so_far.services.count() == 1) {
    return 0;
  }
  if (event.endpoints.present) {
    const auto& named = event.endpoints.value;
    const auto found = named.empty() || !named.front() ? std::nullopt : so_far.endpoints.find(*named.front());
    return found ? std::optional(so_far.host_of_endpoint[*found].first) : std::nullopt;
  }
  if (!so_far.services.incomplete()) {
    so_far.problems.error("SP118", where, "an event without a service", "needs `service`")
        .note("{}", {so_far.services.note()});
  }
  return std::nullopt;
}

std::optional<std::vector<config::HostIndex>> select_hosts(const Services& so_far, const messages::Event& event,
                                                           std::uint32_t service_index, Span where) {
  const Service& service = so_far.scenario.services[service_index];
  bool fine = event.priority.present == event.priority.given && event.endpoints.present == event.endpoints.given;
  const auto named = named_endpoints(so_far, event, service_index, fine);
  const auto zone = so_far.zones.resolve(event.zone, so_far.problems);
  const auto node = so_far.nodes.resolve(event.node, so_far.problems);
  fine = fine && event.zone.present == zone.has_value() && event.node.present == node.has_value();
  if (!fine) {
    return std::nullopt;
  }
  std::vector<config::HostIndex> hosts;
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex host, const auto&, const auto& group) {
    const std::uint32_t on = so_far.scenario.endpoints[service.hosts[host.value].endpoint.value].node.value;
    const bool selected = (!event.priority || group.priority.value == *event.priority) &&
                          (!zone || so_far.scenario.nodes[on].zone.value == *zone) && (!node || on == *node) &&
                          (!named || std::binary_search(named->begin(), named->end(), host.value));
    if (selected) {
      hosts.push_back(host);
    }
  });
  if (hosts.empty() && !so_far.endpoints.incomplete()) {
    so_far.problems.error("SP114", where, "an event about no endpoint", "no endpoint of `{}` matches all of these keys",
                          {service.name});
  }
  return hosts.empty() ? std::nullopt : std::optional(hosts);
}

EdsAnnouncement announcement_of(const Topology& so_far, const messages::Event& event) {
  EdsAnnouncement announcement;
  announcement.at = event.at.value_or(Nanoseconds{0}) + event.delay.value_or(Nanoseconds{0});
  announcement.arrives = announcement.at < so_far.scenario.duration;
  for (const auto& name : event.audience.value) {
    if (const auto zone = so_far.zones.resolve(name, so_far.problems)) {
      announcement.audience.push_back(config::ZoneIndex{*zone});
    }
  }
  return announcement;
}

}  // namespace spillway::scenario::binding
