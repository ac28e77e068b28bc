#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/runtime.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;

struct EventField {
  const char* name;
  bool written;
  Span where;
};

template <class T>
EventField event_field(const char* name, const Field<T>& field) {
  return {name, field.present, field.key};
}

// An event of one kind has no use for the keys of another.
void refuse_fields(Context& context, const std::string& kind, const std::vector<EventField>& parts) {
  for (const EventField& extra : parts) {
    if (extra.written) {
      context.problems.push_back(
          error("SP111", in_ticks(extra.name) + " in an event of " + kind, extra.where, "means nothing here"));
    }
  }
}

std::optional<config::LinkIndex> find_link(Context& context, const written::Event& event) {
  const auto& ends = *event.link;
  const auto first = context.zones.resolve(ends[0], context.problems);
  const auto second = context.zones.resolve(ends[1], context.problems);
  if (!first || !second) {
    return std::nullopt;
  }
  if (const auto link = link_between(context.scenario, {*first}, {*second})) {
    return link;
  }
  Diagnostic problem = error("SP106", "unknown link between " + in_ticks(*ends[0]) + " and " + in_ticks(*ends[1]),
                             event.link.where, "no link joins these zones");
  problem.helps.push_back("write it in `links` first");
  context.problems.push_back(std::move(problem));
  return std::nullopt;
}

void read_link_event(Context& context, const written::Event& event, Span where) {
  refuse_fields(
      context, "a link",
      {event_field("service", event.service), event_field("priority", event.priority), event_field("zone", event.zone),
       event_field("node", event.node), event_field("endpoints", event.endpoints),
       event_field("healthy", event.healthy), event_field("degraded", event.degraded),
       event_field("health_status", event.health_status), event_field("weight", event.weight),
       event_field("locality_weight", event.locality_weight), event_field("to_priority", event.to_priority),
       event_field("fails", event.fails), event_field("answers_checks", event.answers_checks),
       event_field("slow", event.slow), event_field("add", event.add), event_field("remove", event.remove),
       event_field("delay", event.delay), event_field("audience", event.audience)});
  if (!event.link) {
    return;
  }
  const auto link = find_link(context, event);
  if (!in_time(context, event) || !link) {
    return;
  }
  LinkChange change{*link, std::nullopt, std::nullopt};
  const Nanoseconds jitter = context.scenario.links[link->value].jitter;
  if (event.latency && *event.latency < jitter) {
    context.problems.push_back(error("SP023", "`latency` is out of bounds", event.latency.where,
                                     "must be no shorter than the link's `jitter`"));
    return;
  }
  if (event.latency) {
    change.latency = *event.latency;
  }
  if (event.outage) {
    change.on = !*event.outage;
  }
  context.scenario.changes.push_back({*event.at, change, where});
}

// The endpoints themselves go away or come back.
void read_endpoint_outage(Context& context, const written::Event& event, Span where) {
  const auto service = service_of(context, event, where);
  const bool timely = in_time(context, event);
  const auto hosts = service ? select_hosts(context, event, *service, where) : std::nullopt;
  if (timely && hosts && event.outage) {
    context.scenario.changes.push_back(
        {*event.at, Existence{config::ServiceIndex{*service}, *hosts, !*event.outage}, where});
  }
}

void read_outage(Context& context, const written::Event& event, Span where) {
  refuse_fields(context, "an outage",
                {event_field("healthy", event.healthy), event_field("degraded", event.degraded),
                 event_field("health_status", event.health_status), event_field("weight", event.weight),
                 event_field("locality_weight", event.locality_weight), event_field("to_priority", event.to_priority),
                 event_field("fails", event.fails), event_field("answers_checks", event.answers_checks),
                 event_field("slow", event.slow), event_field("latency", event.latency), event_field("add", event.add),
                 event_field("remove", event.remove), event_field("delay", event.delay),
                 event_field("audience", event.audience)});
  if (event.endpoints.present || event.service.present || event.priority.present) {
    read_endpoint_outage(context, event, where);
    return;
  }
  if (event.zone.present == event.node.present) {
    context.problems.push_back(error("SP111", "an outage without a target", event.outage.key,
                                     "needs one of `zone`, `node`, `endpoints`, `service` and `link`"));
    return;
  }
  std::vector<std::uint32_t> nodes;
  if (event.node) {
    const auto node = context.nodes.resolve(event.node, context.problems);
    nodes = node ? std::vector{*node} : nodes;
  } else if (const auto zone = context.zones.resolve(event.zone, context.problems)) {
    nodes = context.nodes_of_zone[*zone];
  }
  if (!in_time(context, event) || !event.outage) {
    return;
  }
  for (const std::uint32_t node : nodes) {
    context.scenario.changes.push_back({*event.at, NodeOutage{config::NodeIndex{node}, !*event.outage}, where});
  }
}

// The entries of the load assignment that share locality and priority with one of the hosts, ascending.
std::vector<std::uint32_t> groups_of(const Service& service, const std::vector<config::HostIndex>& hosts) {
  const auto& entries = service.load_assignment.endpoints;
  std::set<std::pair<config::Priority, config::Locality>> meant;
  std::uint32_t host = 0;
  for (const config::LocalityLbEndpoints& entry : entries) {
    for (std::size_t i = 0; i < entry.lb_endpoints.size(); ++i, ++host) {
      if (std::binary_search(hosts.begin(), hosts.end(), config::HostIndex{host})) {
        meant.emplace(entry.priority, entry.locality);
      }
    }
  }
  std::vector<std::uint32_t> groups;
  for (std::uint32_t group = 0; group < entries.size(); ++group) {
    if (meant.contains({entries[group].priority, entries[group].locality})) {
      groups.push_back(group);
    }
  }
  return groups;
}

// What the proxies are told of each of the hosts alike: a status, a weight.
void tell_of_each(Context& context, const written::Event& event, config::ServiceIndex service,
                  const std::vector<config::HostIndex>& hosts, const Telling& telling, Span where) {
  if (event.health_status) {
    TellHealth health{.service = service, .hosts = {}, .audience = telling.audience};
    for (const config::HostIndex host : hosts) {
      health.hosts.emplace_back(host, static_cast<config::HealthStatus>(*event.health_status));
    }
    apply_health(context, telling.at, std::move(health), where);
  }
  if (event.weight || event.locality_weight) {
    TellWeights weights{.service = service, .hosts = {}, .audience = telling.audience};
    for (const config::HostIndex host : event.weight ? hosts : std::vector<config::HostIndex>{}) {
      weights.hosts.emplace_back(host, static_cast<std::uint32_t>(*event.weight));
    }
    if (event.locality_weight) {
      for (const std::uint32_t group : groups_of(context.scenario.services[service.value], hosts)) {
        weights.localities.emplace_back(group, static_cast<std::uint32_t>(*event.locality_weight));
      }
    }
    context.scenario.changes.push_back({telling.at, std::move(weights), where});
  }
  if (event.to_priority) {
    const config::Priority priority{static_cast<std::uint32_t>(*event.to_priority)};
    context.scenario.changes.push_back({telling.at, TellPriority{service, hosts, priority, telling.audience}, where});
  }
}

void read_runtime_event(Context& context, const written::Event& event, Span where) {
  refuse_fields(context, "the runtime",
                {event_field("service", event.service),
                 event_field("priority", event.priority),
                 event_field("zone", event.zone),
                 event_field("node", event.node),
                 event_field("endpoints", event.endpoints),
                 event_field("link", event.link),
                 event_field("healthy", event.healthy),
                 event_field("degraded", event.degraded),
                 event_field("outage", event.outage),
                 event_field("latency", event.latency),
                 event_field("health_status", event.health_status),
                 event_field("weight", event.weight),
                 event_field("locality_weight", event.locality_weight),
                 event_field("to_priority", event.to_priority),
                 event_field("fails", event.fails),
                 event_field("answers_checks", event.answers_checks),
                 event_field("slow", event.slow),
                 event_field("add", event.add),
                 event_field("remove", event.remove),
                 event_field("delay", event.delay),
                 event_field("audience", event.audience)});
  const bool timely = in_time(context, event);
  if (event.runtime) {
    RuntimeChange change = read_runtime(**event.runtime, OtherKeys::refused, context.problems);
    if (timely) {
      context.scenario.changes.push_back({*event.at, std::move(change), where});
    }
  }
}

// Weights and priorities under documents of a control plane, which gives them itself.
bool gives_what_control_planes_give(Context& context, const written::Event& event) {
  if (!context.file.policies.present && !context.file.resources.present) {
    return false;
  }
  const auto& weighed = event.weight.present ? event.weight : event.locality_weight;
  if (weighed.present) {
    context.problems.push_back(error("SP303", "a weight under Kuma's documents", weighed.key,
                                     "Kuma's control plane gives endpoints their weights"));
  }
  if (event.to_priority.present) {
    context.problems.push_back(error("SP303", "a priority under documents of a control plane", event.to_priority.key,
                                     "the control plane gives endpoints their priorities"));
  }
  return weighed.present || event.to_priority.present;
}

void read_endpoint_event(Context& context, std::size_t position, const written::Event& event, Span where) {
  if (event.latency.present) {
    refuse_fields(context, "endpoints", {event_field("latency", event.latency)});
    context.problems.back().helps.emplace_back("write `link: [zone, zone]` too");
  }
  const bool told = event.healthy.present || event.degraded.present || event.health_status.present ||
                    event.weight.present || event.locality_weight.present || event.to_priority.present;
  if (!told && !event.add.present && !event.remove.present) {
    refuse_fields(context, "what endpoints do",
                  {event_field("delay", event.delay), event_field("audience", event.audience)});
  }
  if (event.add.present || event.remove.present) {
    refuse_fields(context, "endpoints that are added or removed",
                  {event_field("healthy", event.healthy), event_field("degraded", event.degraded),
                   event_field("health_status", event.health_status), event_field("weight", event.weight),
                   event_field("locality_weight", event.locality_weight), event_field("to_priority", event.to_priority),
                   event_field("fails", event.fails), event_field("answers_checks", event.answers_checks),
                   event_field("slow", event.slow)});
    read_membership(context, position, event, where);
    return;
  }
  if (!told && !event.fails.present && !event.answers_checks.present && !event.slow.present) {
    return;
  }
  if (gives_what_control_planes_give(context, event)) {
    return;
  }
  const auto service = service_of(context, event, where);
  const bool timely = in_time(context, event);
  const Telling telling = telling_of(context, event);
  const auto hosts = service ? select_hosts(context, event, *service, where) : std::nullopt;
  if (!timely || !hosts) {
    return;
  }
  if (event.healthy || event.degraded) {
    auto health = tell(config::ServiceIndex{*service}, *hosts, event.healthy, event.degraded, context.problems);
    if (health && telling.arrives) {
      health->audience = telling.audience;
      apply_health(context, telling.at, std::move(*health), where);
    }
  }
  if (telling.arrives) {
    tell_of_each(context, event, {*service}, *hosts, telling, where);
  }
  if (event.fails) {
    context.scenario.changes.push_back(
        {*event.at,
         Fails{config::ServiceIndex{*service}, *hosts, event.fails->fraction, event.fails_with->failure,
               event.fails_with->status, event.fails->every, event.fails_checks.value_or(true)},
         where});
  }
  if (event.answers_checks) {
    context.scenario.changes.push_back({*event.at,
                                        AnswersChecks{config::ServiceIndex{*service}, *hosts,
                                                      event.answers_checks->answer, event.answers_checks->status},
                                        where});
  }
  if (event.slow) {
    context.scenario.changes.push_back({*event.at, Slow{config::ServiceIndex{*service}, *hosts, *event.slow}, where});
  }
}

}  // namespace

void read_timeline(Context& context) {
  for (std::size_t i = 0; i < context.file.timeline.value.size(); ++i) {
    const auto& field = context.file.timeline.value[i];
    const written::Event& event = field.value;
    if (event.runtime.present) {
      read_runtime_event(context, event, field.where);
    } else if (event.link.present) {
      read_link_event(context, event, field.where);
    } else if (event.outage.present) {
      read_outage(context, event, field.where);
    } else {
      read_endpoint_event(context, i, event, field.where);
    }
  }
  numeric::stable_sort(context.scenario.changes, [](const Change& a, const Change& b) {
    return std::tie(a.at, a.where.line, a.where.column) < std::tie(b.at, b.where.line, b.where.column);
  });
}

}  // namespace spillway::scenario::meaning
