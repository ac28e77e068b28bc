#include "sim/scenario/messages/events.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/runtime.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario::binding {
namespace {

// A key of an event, to reject it for kinds of events that do not use it.
struct EventKey {
  std::string_view name;
  bool written;
  Span where;
};

std::vector<EventKey> keys_of(const messages::Event& event) {
  std::vector<EventKey> keys;
  const auto add = [&](std::string_view name, const auto& field) { keys.push_back({name, field.present, field.key}); };
  add("service", event.service);
  add("priority", event.priority);
  add("zone", event.zone);
  add("node", event.node);
  add("endpoints", event.endpoints);
  add("link", event.link);
  add("healthy", event.healthy);
  add("degraded", event.degraded);
  add("outage", event.outage);
  add("latency", event.latency);
  add("health_status", event.health_status);
  add("weight", event.weight);
  add("locality_weight", event.locality_weight);
  add("to_priority", event.to_priority);
  add("fails", event.fails);
  add("answers_checks", event.answers_checks);
  add("slow", event.slow);
  add("add", event.add);
  add("remove", event.remove);
  add("delay", event.delay);
  add("audience", event.audience);
  return keys;
}

// Refuses all keys but `takes`, those that an event of this kind uses.
void refuse_all_but(const Header& so_far, const messages::Event& event, const std::string& kind,
                    const std::set<std::string_view>& takes) {
  for (const EventKey& key : keys_of(event)) {
    if (key.written && !takes.contains(key.name)) {
      so_far.problems.error("SP111", key.where, "`{}` in an event of {}", "means nothing here", {key.name, kind});
    }
  }
}

std::optional<config::LinkIndex> find_link(const Topology& so_far, const messages::Event& event) {
  const auto& ends = *event.link;
  const auto first = so_far.zones.resolve(ends[0], so_far.problems);
  const auto second = so_far.zones.resolve(ends[1], so_far.problems);
  if (!first || !second) {
    return std::nullopt;
  }
  if (const auto link = link_between(so_far.scenario, {*first}, {*second})) {
    return link;
  }
  so_far.problems
      .error("SP106", event.link.where, "unknown link between `{}` and `{}`", "no link joins these zones",
             {*ends[0], *ends[1]})
      .help("write it in `links` first");
  return std::nullopt;
}

void read_link_event(Timeline& so_far, const messages::Event& event, Span where) {
  refuse_all_but(so_far, event, "a link", {"link", "outage", "latency"});
  if (!event.link) {
    return;
  }
  const auto link = find_link(so_far, event);
  if (!in_time(so_far, event) || !link) {
    return;
  }
  LinkChange change{*link, std::nullopt, std::nullopt};
  const Nanoseconds jitter = so_far.scenario.links[link->value].jitter;
  if (event.latency && *event.latency < jitter) {
    so_far.problems.error("SP023", event.latency.where, "`latency` is out of bounds",
                          "must be no shorter than the link's `jitter`");
    return;
  }
  if (event.latency) {
    change.latency = *event.latency;
  }
  if (event.outage) {
    change.on = !*event.outage;
  }
  so_far.scenario.changes.push_back({*event.at, change, where});
}

// Reads an outage of endpoints: they fail or recover.
void read_endpoint_outage(Timeline& so_far, const messages::Event& event, Span where) {
  const auto service = service_of(so_far, event, where);
  const bool timely = in_time(so_far, event);
  const auto hosts = service ? select_hosts(so_far, event, *service, where) : std::nullopt;
  if (timely && hosts && event.outage) {
    so_far.scenario.changes.push_back(
        {*event.at, Existence{config::ServiceIndex{*service}, *hosts, !*event.outage}, where});
  }
}

void read_outage(Timeline& so_far, const messages::Event& event, Span where) {
  refuse_all_but(so_far, event, "an outage", {"outage", "service", "priority", "zone", "node", "endpoints"});
  if (event.endpoints.present || event.service.present || event.priority.present) {
    read_endpoint_outage(so_far, event, where);
    return;
  }
  if (event.zone.present == event.node.present) {
    so_far.problems.error("SP111", event.outage.key, "an outage without a target",
                          "needs one of `zone`, `node`, `endpoints`, `service` and `link`");
    return;
  }
  std::vector<std::uint32_t> nodes;
  if (event.node) {
    const auto node = so_far.nodes.resolve(event.node, so_far.problems);
    nodes = node ? std::vector{*node} : nodes;
  } else if (const auto zone = so_far.zones.resolve(event.zone, so_far.problems)) {
    nodes = so_far.nodes_of_zone[*zone];
  }
  if (!in_time(so_far, event) || !event.outage) {
    return;
  }
  for (const std::uint32_t node : nodes) {
    so_far.scenario.changes.push_back({*event.at, NodeOutage{config::NodeIndex{node}, !*event.outage}, where});
  }
}

// Returns the entries of the load assignment that share locality and priority with one of the hosts, ascending.
std::vector<std::uint32_t> groups_of(const Service& service, const std::vector<config::HostIndex>& hosts) {
  const auto& entries = service.load_assignment.endpoints;
  std::set<std::pair<config::Priority, config::Locality>> meant;
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex host, const auto&, const auto& entry) {
    if (std::binary_search(hosts.begin(), hosts.end(), host)) {
      meant.emplace(entry.priority, entry.locality);
    }
  });
  std::vector<std::uint32_t> groups;
  for (std::uint32_t group = 0; group < entries.size(); ++group) {
    if (meant.contains({entries[group].priority, entries[group].locality})) {
      groups.push_back(group);
    }
  }
  return groups;
}

// Adds a change of health. Istio's load assignments are derived from the documents, so they follow the timeline from
// its first event on.
void push_health(Timeline& so_far, Nanoseconds at, EdsHealth reported, Span where) {
  if (so_far.istio.empty()) {
    apply_health(so_far.scenario, at, std::move(reported), where);
  } else {
    so_far.scenario.changes.push_back({at, std::move(reported), where});
  }
}

// Adds EDS reports with one value for all of the hosts: a status, a weight.
void announce_each(Timeline& so_far, const messages::Event& event, config::ServiceIndex service,
                   const std::vector<config::HostIndex>& hosts, const EdsAnnouncement& announcement, Span where) {
  if (event.health_status) {
    EdsHealth health{.service = service, .hosts = {}, .audience = announcement.audience};
    for (const config::HostIndex host : hosts) {
      health.hosts.emplace_back(host, static_cast<config::HealthStatus>(*event.health_status));
    }
    push_health(so_far, announcement.at, std::move(health), where);
  }
  if (event.weight || event.locality_weight) {
    EdsWeights weights{.service = service, .hosts = {}, .audience = announcement.audience};
    for (const config::HostIndex host : event.weight ? hosts : std::vector<config::HostIndex>{}) {
      weights.hosts.emplace_back(host, static_cast<std::uint32_t>(*event.weight));
    }
    if (event.locality_weight) {
      for (const std::uint32_t group : groups_of(so_far.scenario.services[service.value], hosts)) {
        weights.localities.emplace_back(group, static_cast<std::uint32_t>(*event.locality_weight));
      }
    }
    so_far.scenario.changes.push_back({announcement.at, std::move(weights), where});
  }
  if (event.to_priority) {
    const config::Priority priority{static_cast<std::uint32_t>(*event.to_priority)};
    so_far.scenario.changes.push_back(
        {announcement.at, EdsPriority{service, hosts, priority, announcement.audience}, where});
  }
}

void read_runtime_event(Timeline& so_far, const messages::Event& event, Span where) {
  refuse_all_but(so_far, event, "the runtime", {});
  const bool timely = in_time(so_far, event);
  if (event.runtime) {
    config::RuntimeChange change = proxy::read_runtime(**event.runtime, proxy::OtherKeys::refused, so_far.problems);
    if (timely) {
      so_far.scenario.changes.push_back({*event.at, std::move(change), where});
    }
  }
}

// True if the event sets weights or priorities although the scenario contains documents of a control plane, which sets
// them itself. Reports such an event.
bool gives_what_control_planes_give(const Header& so_far, const messages::Event& event) {
  if (!so_far.file.policies.present && !so_far.file.resources.present) {
    return false;
  }
  const auto refuse = [&](const auto& field, const char* what, const char* given) {
    if (field.present) {
      so_far.problems.error("SP303", field.key, "a {} under documents of a control plane",
                            "the control plane gives endpoints their {}", {what, given});
    }
    return field.present;
  };
  const bool weighed = refuse(event.weight.present ? event.weight : event.locality_weight, "weight", "weights");
  return refuse(event.to_priority, "priority", "priorities") || weighed;
}

void read_endpoint_event(Timeline& so_far, std::size_t position, const messages::Event& event, Span where) {
  if (event.latency.present) {
    so_far.problems.error("SP111", event.latency.key, "`latency` in an event of endpoints", "means nothing here")
        .help("write `link: [zone, zone]` too");
  }
  const bool reported = event.healthy.present || event.degraded.present || event.health_status.present ||
                        event.weight.present || event.locality_weight.present || event.to_priority.present;
  if (!reported && !event.add.present && !event.remove.present) {
    refuse_all_but(so_far, event, "what endpoints do",
                   {"service", "priority", "zone", "node", "endpoints", "latency", "fails", "answers_checks", "slow"});
  }
  if (event.add.present || event.remove.present) {
    refuse_all_but(
        so_far, event, "endpoints that are added or removed",
        {"service", "priority", "zone", "node", "endpoints", "latency", "add", "remove", "delay", "audience"});
    read_membership(so_far, position, event, where);
    return;
  }
  if (!reported && !event.fails.present && !event.answers_checks.present && !event.slow.present) {
    return;
  }
  if (gives_what_control_planes_give(so_far, event)) {
    return;
  }
  const auto service = service_of(so_far, event, where);
  const bool timely = in_time(so_far, event);
  const EdsAnnouncement announcement = announcement_of(so_far, event);
  const auto hosts = service ? select_hosts(so_far, event, *service, where) : std::nullopt;
  if (!timely || !hosts) {
    return;
  }
  if (event.healthy || event.degraded) {
    auto health = tell(config::ServiceIndex{*service}, *hosts, event.healthy, event.degraded, so_far.problems);
    if (health && announcement.arrives) {
      health->audience = announcement.audience;
      push_health(so_far, announcement.at, std::move(*health), where);
    }
  }
  if (announcement.arrives) {
    announce_each(so_far, event, {*service}, *hosts, announcement, where);
  }
  if (event.fails) {
    so_far.scenario.changes.push_back(
        {*event.at,
         Fails{config::ServiceIndex{*service}, *hosts, event.fails->fraction, event.fails_with->failure,
               event.fails_with->status, event.fails->every, event.fails_checks.value_or(true)},
         where});
  }
  if (event.answers_checks) {
    so_far.scenario.changes.push_back({*event.at,
                                       AnswersChecks{config::ServiceIndex{*service}, *hosts,
                                                     event.answers_checks->answer, event.answers_checks->status},
                                       where});
  }
  if (event.slow) {
    so_far.scenario.changes.push_back({*event.at, Slow{config::ServiceIndex{*service}, *hosts, *event.slow}, where});
  }
}

// True if the change concerns a service of the file. EDS reports for services derived from a mesh follow from such
// changes.
bool concerns_the_file(const Scenario& scenario, const Change& change) {
  return std::visit(
      [&](const auto& effect) {
        if constexpr (requires { effect.service; }) {
          return effect.service.value < scenario.services.size();
        } else {
          return true;
        }
      },
      change.effect);
}

void add_further(Scenario& scenario, const std::vector<Change>& further) {
  std::vector<Change> of_the_file;
  std::copy_if(further.begin(), further.end(), std::back_inserter(of_the_file),
               [&](const Change& change) { return concerns_the_file(scenario, change); });
  add_changes(scenario, of_the_file);
}

}  // namespace

Timeline read_timeline(Clients clients, const std::vector<Change>& further) {
  Timeline so_far{std::move(clients)};
  for (std::size_t i = 0; i < so_far.file.timeline.value.size(); ++i) {
    const auto& field = so_far.file.timeline.value[i];
    const messages::Event& event = field.value;
    if (event.runtime.present) {
      read_runtime_event(so_far, event, field.where);
    } else if (event.link.present) {
      read_link_event(so_far, event, field.where);
    } else if (event.outage.present) {
      read_outage(so_far, event, field.where);
    } else {
      read_endpoint_event(so_far, i, event, field.where);
    }
  }
  numeric::stable_sort(so_far.scenario.changes, [](const Change& a, const Change& b) {
    return std::tie(a.at, a.where.line, a.where.column) < std::tie(b.at, b.where.line, b.where.column);
  });
  add_further(so_far.scenario, further);
  keep_first_addresses(so_far);
  add_other_places(so_far.scenario);
  read_stale_assignments(so_far);
  return so_far;
}

}  // namespace spillway::scenario::binding
