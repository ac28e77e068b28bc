#include <algorithm>
#include <string>
#include <vector>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;

struct Part {
  const char* name;
  bool written;
  Span where;
};

template <class T>
Part part(const char* name, const Field<T>& field) {
  return {name, field.present, field.key};
}

// An event of one kind has no use for the keys of another.
void refuse_parts(Context& context, const std::string& kind, const std::vector<Part>& parts) {
  for (const Part& extra : parts) {
    if (extra.written) {
      context.problems.push_back(
          error("SP111", quoted(extra.name) + " in an event of " + kind, extra.where, "means nothing here"));
    }
  }
}

// Whether an event may happen at its time (reported if not).
bool in_time(Context& context, const written::Event& event) {
  const auto& duration = context.file.duration;
  if (!event.at || !duration) {
    return false;
  }
  if (*event.at >= *duration) {
    context.problems.push_back(
        with_note(error("SP112", "an event at or after the end of the run", event.at.where, "must be before the end"),
                  "the run ends at the `duration` in " + place(duration.where)));
    return false;
  }
  return true;
}

std::optional<config::LinkIndex> find_link(Context& context, const written::Event& event) {
  const auto& ends = *event.link;
  const auto first = context.zones.resolve(ends[0], context.problems);
  const auto second = context.zones.resolve(ends[1], context.problems);
  if (!first || !second) {
    return std::nullopt;
  }
  const auto& links = context.scenario.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto [a, b] = std::pair(links[i].first.value, links[i].second.value);
    if ((a == *first && b == *second) || (a == *second && b == *first)) {
      return config::LinkIndex{static_cast<std::uint32_t>(i)};
    }
  }
  Diagnostic problem = error("SP106", "unknown link between " + quoted(*ends[0]) + " and " + quoted(*ends[1]),
                             event.link.where, "no link joins these zones");
  problem.helps.push_back("write it in `links` first");
  context.problems.push_back(std::move(problem));
  return std::nullopt;
}

void read_link_event(Context& context, const written::Event& event, Span where) {
  refuse_parts(context, "a link",
               {part("service", event.service), part("priority", event.priority), part("zone", event.zone),
                part("node", event.node), part("endpoints", event.endpoints), part("healthy", event.healthy),
                part("degraded", event.degraded), part("fails", event.fails)});
  if (!event.link) {
    return;
  }
  const auto link = find_link(context, event);
  if (!in_time(context, event) || !link) {
    return;
  }
  LinkChange change{*link, std::nullopt, std::nullopt};
  if (event.latency) {
    change.latency = *event.latency;
  }
  if (event.outage) {
    change.on = !*event.outage;
  }
  context.scenario.changes.push_back({*event.at, change, where});
}

void read_outage(Context& context, const written::Event& event, Span where) {
  refuse_parts(context, "an outage",
               {part("healthy", event.healthy), part("degraded", event.degraded), part("fails", event.fails),
                part("latency", event.latency)});
  if (event.endpoints.present || event.service.present || event.priority.present) {
    context.problems.push_back(with_help(
        error("SP303", "an outage of endpoints is not played by this version", event.outage.key, "of endpoints alone"),
        "write `node` or `zone` to take all that runs there, or `fails: 100%` to let the endpoints answer 503"));
    return;
  }
  if (event.zone.present == event.node.present) {
    context.problems.push_back(error("SP111", "an outage of nothing in particular", event.outage.key,
                                     "needs one of `zone`, `node` and `link`"));
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

// The service whose endpoints an event is about.
std::optional<std::uint32_t> service_of(Context& context, const written::Event& event, Span where) {
  if (event.service.present) {
    return context.services.resolve(event.service, context.problems);
  }
  if (context.services.count() == 1) {
    return 0;
  }
  if (event.endpoints.present) {
    const auto& named = event.endpoints.value;
    const auto found = named.empty() || !named.front() ? std::nullopt : context.endpoints.find(*named.front());
    return found ? std::optional(context.host_of_endpoint[*found].first) : std::nullopt;
  }
  if (!context.services.incomplete()) {
    context.problems.push_back(
        with_note(error("SP118", "an event that does not say whose endpoints it is about", where, "needs `service`"),
                  context.services.note()));
  }
  return std::nullopt;
}

// The endpoints that an event names, sorted; nothing if it names none.
std::optional<std::vector<std::uint32_t>> named_endpoints(Context& context, const written::Event& event,
                                                          std::uint32_t service, bool& fine) {
  if (!event.endpoints.present) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> named;
  for (const auto& name : event.endpoints.value) {
    const auto endpoint = context.endpoints.resolve(name, context.problems);
    if (!endpoint) {
      fine = false;
      continue;
    }
    const auto [of, host] = context.host_of_endpoint[*endpoint];
    if (of != service) {
      context.problems.push_back(error("SP118", quoted(*name) + " is an endpoint of another service", name.where,
                                       "of " + quoted(context.services.all()[of])));
      fine = false;
    }
    named.push_back(host.value);
  }
  std::sort(named.begin(), named.end());
  return named;
}

// The hosts that an event is about, in the order of the file; nothing if that cannot be told (reported).
std::optional<std::vector<config::HostIndex>> select(Context& context, const written::Event& event,
                                                     std::uint32_t service_index, Span where) {
  const Service& service = context.scenario.services[service_index];
  bool fine = !event.priority.present || event.priority.given;
  const auto named = named_endpoints(context, event, service_index, fine);
  const auto zone = context.zones.resolve(event.zone, context.problems);
  const auto node = context.nodes.resolve(event.node, context.problems);
  fine = fine && event.zone.present == zone.has_value() && event.node.present == node.has_value();
  if (!fine) {
    return std::nullopt;
  }
  std::vector<config::HostIndex> hosts;
  std::uint32_t host = 0;
  for (const auto& locality : service.load_assignment.endpoints) {
    for (std::size_t i = 0; i < locality.lb_endpoints.size(); ++i, ++host) {
      const std::uint32_t on = service.endpoints[host].node.value;
      const bool selected = (!event.priority || locality.priority.value == *event.priority) &&
                            (!zone || context.scenario.nodes[on].zone.value == *zone) && (!node || on == *node) &&
                            (!named || std::binary_search(named->begin(), named->end(), host));
      if (selected) {
        hosts.push_back(config::HostIndex{host});
      }
    }
  }
  if (hosts.empty() && !context.endpoints.incomplete()) {
    context.problems.push_back(error("SP114", "an event about no endpoint", where,
                                     "no endpoint of " + quoted(service.name) + " is all of what is asked for"));
  }
  return hosts.empty() ? std::nullopt : std::optional(hosts);
}

void read_endpoint_event(Context& context, const written::Event& event, Span where) {
  if (event.latency.present) {
    refuse_parts(context, "endpoints", {part("latency", event.latency)});
    context.problems.back().helps.emplace_back("write `link: [zone, zone]` beside it");
  }
  if (!event.healthy.present && !event.degraded.present && !event.fails.present) {
    return;
  }
  const auto service = service_of(context, event, where);
  const bool timely = in_time(context, event);
  const auto hosts = service ? select(context, event, *service, where) : std::nullopt;
  if (!timely || !hosts) {
    return;
  }
  if (event.healthy || event.degraded) {
    auto told = tell(config::ServiceIndex{*service}, *hosts, event.healthy, event.degraded, context.problems);
    if (told) {
      apply_health(context, *event.at, std::move(*told), where);
    }
  }
  if (event.fails) {
    context.scenario.changes.push_back(
        {*event.at, Fails{config::ServiceIndex{*service}, *hosts, event.fails->percent() / 100.0}, where});
  }
}

}  // namespace

void read_timeline(Context& context) {
  for (const auto& field : context.file.timeline.value) {
    const written::Event& event = field.value;
    if (event.link.present) {
      read_link_event(context, event, field.where);
    } else if (event.outage.present) {
      read_outage(context, event, field.where);
    } else {
      read_endpoint_event(context, event, field.where);
    }
  }
  std::stable_sort(context.scenario.changes.begin(), context.scenario.changes.end(),
                   [](const Change& a, const Change& b) {
                     return std::tie(a.at, a.where.line, a.where.column) < std::tie(b.at, b.where.line, b.where.column);
                   });
}

}  // namespace spillway::scenario::meaning
