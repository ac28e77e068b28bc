#include <algorithm>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

// New endpoints are there and healthy; whatever else happens to them is an event of its own.
void refuse_health(Context& context, const written::EndpointGroup& group) {
  for (const auto* field : {&group.healthy, &group.degraded}) {
    if (field->present) {
      context.problems.push_back(error("SP133", "a health timeline of endpoints that are added later", field->key,
                                       "write an event of its own"));
    }
  }
}

// They come or go now, and the proxies hear of it when they are told.
void come_or_go(Context& context, const written::Event& event, std::uint32_t service,
                const std::vector<config::HostIndex>& hosts, bool come, Span where) {
  const config::ServiceIndex index{service};
  const Telling telling = telling_of(context, event);
  if (!event.lives_on.value_or(false)) {
    context.scenario.changes.push_back({*event.at, Existence{index, hosts, come}, where});
  }
  if (telling.arrives) {
    context.scenario.changes.push_back({telling.at, TellMembership{index, hosts, come, telling.audience}, where});
  }
}

}  // namespace

void read_additions(Context& context) {
  for (std::size_t i = 0; i < context.file.timeline.value.size(); ++i) {
    const auto& field = context.file.timeline.value[i];
    if (field->add.value.groups.empty()) {
      continue;
    }
    const auto service = service_of(context, *field, field.where);
    if (!service || *service >= context.scenario.services.size()) {
      context.endpoints.mark_incomplete();
      continue;
    }
    std::vector<config::HostIndex>& added = context.added[i];
    for (const auto& group : field->add.value.groups) {
      refuse_health(context, *group);
      const auto hosts = add_group(context, *service, *group, group.where);
      added.insert(added.end(), hosts.begin(), hosts.end());
    }
    auto& absent = context.scenario.services[*service].absent_at_start;
    absent.insert(absent.end(), added.begin(), added.end());
  }
}

void read_membership(Context& context, std::size_t position, const written::Event& event, Span where) {
  if (event.add.present && event.remove.present) {
    context.problems.push_back(
        error("SP111", "`remove` in an event that adds", event.remove.key, "write an event of its own"));
    return;
  }
  const bool timely = in_time(context, event);
  if (!event.add.value.groups.empty()) {
    for (const auto& [name, present, key] : {std::tuple("priority", event.priority.present, event.priority.key),
                                             std::tuple("zone", event.zone.present, event.zone.key),
                                             std::tuple("node", event.node.present, event.node.key),
                                             std::tuple("endpoints", event.endpoints.present, event.endpoints.key)}) {
      if (present) {
        context.problems.push_back(
            error("SP111", in_ticks(name) + " in an event of new endpoints", key, "belongs to the groups of `add`"));
      }
    }
    const auto added = context.added.find(position);
    if (timely && added != context.added.end() && !added->second.empty()) {
      const auto service = event.service ? context.services.find(*event.service) : std::optional<std::uint32_t>(0);
      come_or_go(context, event, service.value_or(0), added->second, true, where);
    }
    return;
  }
  const auto service = service_of(context, event, where);
  auto hosts = service ? select_hosts(context, event, *service, where) : std::nullopt;
  const grammar::Field<written::Amount>& remove = event.remove;
  const auto amount = event.add.value.back ? event.add.value.back : remove ? std::optional(*remove) : std::nullopt;
  if (!timely || !hosts || !amount) {
    return;
  }
  const Span amount_place = remove ? remove.where : event.add.where;
  const auto count = count_of(*amount, static_cast<std::uint32_t>(hosts->size()), amount_place, context.problems);
  if (!count || *count == 0) {
    return;
  }
  hosts->resize(*count);
  come_or_go(context, event, *service, *hosts, event.add.present, where);
}

}  // namespace spillway::scenario::meaning
