#include <algorithm>
#include <utility>

#include "models/documents/problem.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/events.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

// Refuses health timelines of new endpoints, which join healthy; any other change is an event of its own.
void refuse_health(const Header& so_far, const messages::EndpointGroup& group) {
  for (const auto* field : {&group.healthy, &group.degraded}) {
    if (field->present) {
      so_far.problems.error("SP133", field->key, "a health timeline of endpoints that are added later",
                            "write an event of its own");
    }
  }
}

// Adds or removes the endpoints now; EDS reports it to the proxies at its own time.
void come_or_go(Timeline& so_far, const messages::Event& event, std::uint32_t service,
                const std::vector<config::HostIndex>& hosts, bool come, Span where) {
  const config::ServiceIndex index{service};
  const EdsAnnouncement announcement = announcement_of(so_far, event);
  if (!event.lives_on.value_or(false)) {
    so_far.scenario.changes.push_back({*event.at, Existence{index, hosts, come}, where});
  }
  if (announcement.arrives) {
    so_far.scenario.changes.push_back(
        {announcement.at, EdsMembership{index, hosts, come, announcement.audience}, where});
  }
}

// Marks the names as complete if only documents define services and all of them could be read.
void complete_names(Services& so_far) {
  if (!so_far.file.services.given && so_far.services.count() > 0 && !has_errors(so_far.problems)) {
    so_far.services.mark_complete();
    so_far.endpoints.mark_complete();
  }
}

}  // namespace

Endpoints read_endpoints(MeshServices services) {
  Endpoints so_far{std::move(services)};
  complete_names(so_far);
  read_documents_serving(so_far);
  for (std::size_t i = 0; i < so_far.file.timeline.value.size(); ++i) {
    const auto& field = so_far.file.timeline.value[i];
    if (field->add.value.groups.empty()) {
      continue;
    }
    const auto service = service_of(so_far, *field, field.where);
    if (!service || *service >= so_far.scenario.services.size()) {
      so_far.endpoints.mark_incomplete();
      continue;
    }
    std::vector<config::HostIndex>& added = so_far.added[i];
    for (const auto& group : field->add.value.groups) {
      refuse_health(so_far, *group);
      const auto hosts = add_group(so_far, *service, *group, group.where);
      added.insert(added.end(), hosts.begin(), hosts.end());
    }
    auto& absent = so_far.scenario.services[*service].absent_at_start;
    absent.insert(absent.end(), added.begin(), added.end());
  }
  return so_far;
}

void read_membership(Timeline& so_far, std::size_t position, const messages::Event& event, Span where) {
  if (event.add.present && event.remove.present) {
    so_far.problems.error("SP111", event.remove.key, "`remove` in an event that adds", "write an event of its own");
    return;
  }
  const bool timely = in_time(so_far, event);
  if (!event.add.value.groups.empty()) {
    for (const auto& [name, present, key] : {std::tuple("priority", event.priority.present, event.priority.key),
                                             std::tuple("zone", event.zone.present, event.zone.key),
                                             std::tuple("node", event.node.present, event.node.key),
                                             std::tuple("endpoints", event.endpoints.present, event.endpoints.key)}) {
      if (present) {
        so_far.problems.error("SP111", key, "`{}` in an event of new endpoints", "belongs to the groups of `add`",
                              {name});
      }
    }
    const auto added = so_far.added.find(position);
    if (timely && added != so_far.added.end() && !added->second.empty()) {
      const auto service = event.service ? so_far.services.find(*event.service) : std::optional<std::uint32_t>(0);
      come_or_go(so_far, event, service.value_or(0), added->second, true, where);
    }
    return;
  }
  const auto service = service_of(so_far, event, where);
  auto hosts = service ? select_hosts(so_far, event, *service, where) : std::nullopt;
  const grammar::Field<messages::Amount>& remove = event.remove;
  const auto amount = event.add.value.back ? event.add.value.back : remove ? std::optional(*remove) : std::nullopt;
  if (!timely || !hosts || !amount) {
    return;
  }
  const Span amount_place = remove ? remove.where : event.add.where;
  const auto count = count_of(*amount, static_cast<std::uint32_t>(hosts->size()), amount_place, so_far.problems);
  if (!count || *count == 0) {
    return;
  }
  hosts->resize(*count);
  come_or_go(so_far, event, *service, *hosts, event.add.present, where);
}

}  // namespace spillway::scenario::binding
