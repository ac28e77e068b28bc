#include "sim/scenario/messages/planning.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/refused.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

// Sets `into` to the index of a name. False if the name is unknown, which is reported.
template <class Index>
bool find_index(const Header& so_far, const Names& names, const Field<std::string>& name, std::optional<Index>& into) {
  if (const auto found = names.resolve(name, so_far.problems)) {
    into = Index{*found};
  }
  return name.present == into.has_value();
}

void read_objective(MeshClients& so_far, const messages::Objective& file, Span where) {
  Objective objective = file.bounds;
  objective.where = where;
  find_index(so_far, so_far.services, file.service, objective.service);
  so_far.scenario.objectives.push_back(objective);
}

void read_parts(const MeshClients& so_far, const messages::PlannedFailure& file, PlannedFailure& failure) {
  for (const auto& field : file.together.value) {
    LostPart part;
    find_index(so_far, so_far.zones, field->zone, part.zone);
    find_index(so_far, so_far.nodes, field->node, part.node);
    for (const auto& name : field->endpoints.value) {
      if (const auto known = so_far.endpoints.resolve(name, so_far.problems)) {
        const auto [service, host] = so_far.host_of_endpoint[*known];
        part.endpoints.push_back(so_far.scenario.services[service].hosts[host.value].endpoint);
      }
    }
    failure.parts.push_back(std::move(part));
  }
}

void read_sweep(const Header& so_far, const Field<messages::DegradedSweep>& file, PlannedFailure& failure) {
  failure.from = file->from.value_or(0.0);
  failure.to = file->to.value_or(1.0);
  failure.step = file->step.value_or(0.1);
  constexpr double most_steps = 1'000.0;
  if (failure.from > failure.to) {
    so_far.problems.error("SP023", file->from.where, "`from` is out of bounds", "must not be more than `to`");
  }
  if (failure.step * most_steps < 1.0) {
    so_far.problems.error("SP023", file->step.where, "`step` is out of bounds", "must be at least 0.1%");
  }
}

// Refuses keys that a kind of failure does not use.
void refuse_strangers(const Header& so_far, const messages::PlannedFailure& file) {
  const auto refuse = [&](const char* name, const auto& field, const char* kind) {
    if (field.present) {
      so_far.problems.error("SP111", field.key, "`{}` in a failure of {}", "means nothing here", {name, kind});
    }
  };
  if (file.degraded.present) {
    refuse("clients", file.clients, "degraded endpoints");
    refuse("told", file.reported, "degraded endpoints");
  }
  if (file.any.present && file.of && *file.of == 0) {
    refuse("clients", file.clients, "single endpoints");
  }
  if (file.slow.present || file.fails.present) {
    refuse("clients", file.clients, "endpoints that are slow or fail requests");
    refuse("told", file.reported, "endpoints that are slow or fail requests");
    refuse("degraded", file.degraded, "endpoints that are slow or fail requests");
  }
  if (file.together.present) {
    refuse("zone", file.zone, "listed parts");
  }
}

void read_failure(MeshClients& so_far, const messages::PlannedFailure& file, Span where) {
  using Occasion = PlannedFailure::Kind;
  PlannedFailure failure;
  failure.where = where;
  failure.name = file.name.value_or("");
  if (file.each) {
    failure.kind = *file.each == 0 ? Occasion::each_zone : Occasion::each_node;
  } else if (file.any) {
    failure.kind = file.of.value_or(0) == 0 ? Occasion::any_endpoints : Occasion::any_nodes;
    failure.count = static_cast<std::uint32_t>(*file.any);
  } else if (file.together.present) {
    failure.kind = Occasion::together;
    read_parts(so_far, file, failure);
  } else if (file.degraded) {
    failure.kind = Occasion::degraded;
    read_sweep(so_far, file.degraded, failure);
  } else {
    failure.kind = Occasion::any_endpoints;
  }
  failure.slowness = file.slow.value_or(1.0);
  failure.fails = file.fails.value_or(0.0);
  find_index(so_far, so_far.services, file.service, failure.service);
  find_index(so_far, so_far.zones, file.zone, failure.zone);
  failure.clients_lost = file.clients.value_or(0) == 1;
  failure.reported = static_cast<LossReported>(file.reported.value_or(0));
  refuse_strangers(so_far, file);
  so_far.scenario.failures->push_back(std::move(failure));
}

}  // namespace

void read_planning(MeshClients& so_far) {
  for (const auto& field : so_far.file.objectives.value) {
    read_objective(so_far, *field, field.where);
  }
  if (so_far.file.failures.present) {
    so_far.scenario.failures.emplace();
  }
  for (const auto& field : so_far.file.failures.value) {
    read_failure(so_far, *field, field.where);
  }
}

}  // namespace spillway::scenario::binding
