#include "sim/scenario/binding/istio/pods.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/names.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/pod_group.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario::binding {
namespace {

using Groups = std::vector<istio::PodGroup>;

bool is_called(const istio::PodGroup& group, const std::string& name) {
  return name == "*" || name == group.name || name == group.name + "." + group.name_space;
}

// Returns "Deployment frontend", or only the name if the documents do not name the workload.
std::string workload_text(const istio::PodGroup& group) {
  return group.kind.empty() ? group.name : group.kind + " " + group.name;
}

bool is_in(const istio::PodGroup& group, const std::string& zone) {
  const config::Locality place = istio::split_locality(group.locality);
  return zone == place.zone || zone == name_with_region(place.region, place.zone);
}

std::vector<std::string> distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Reports a name or a zone that no group has.
void refuse(Span where, const std::string& what, const std::string& name, const std::vector<std::string>& known,
            Diagnostics& problems) {
  auto& problem =
      problems.error("SP762", where, "`replicas` of pods that do not exist", "no {} `{}` has pods", {what, name});
  const std::string nearest = grammar::nearest(name, known);
  if (!nearest.empty()) {
    problem.help("did you mean `{}`?", {nearest});
  } else if (known.empty()) {
    problem.note(
        "the documents have no pods whose number can be changed; those of a service with `endpoints` have a "
        "`count`");
  } else {
    problem.note("those that have are {}", {grammar::listed(distinct(known), "and")});
  }
}

// Sets the groups of one entry. A total is spread over them as evenly as possible, the first ones first.
void set_numbers(const grammar::Field<messages::Replicas>& field, const std::string& name, const Groups& groups,
                 std::vector<std::uint32_t>& numbers, Diagnostics& problems) {
  std::vector<std::size_t> called;
  std::vector<std::string> names;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    names.push_back(groups[group].name);
    if (is_called(groups[group], name)) {
      called.push_back(group);
    }
  }
  if (called.empty()) {
    refuse(field.key, "workload", name, names, problems);
    return;
  }
  if (field->total) {
    // By workload, since a name may stand for several.
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> of_workload;
    for (const std::size_t group : called) {
      of_workload[{groups[group].name_space, workload_text(groups[group])}].push_back(group);
    }
    for (const auto& [workload, members] : of_workload) {
      for (std::size_t member = 0; member < members.size(); ++member) {
        const std::uint64_t extra = member < *field->total % members.size() ? 1 : 0;
        numbers[members[member]] = static_cast<std::uint32_t>(*field->total / members.size() + extra);
      }
    }
    return;
  }
  for (const auto& of_zone : field->zones) {
    bool is_known = false;
    std::vector<std::string> zones;
    for (const std::size_t group : called) {
      zones.push_back(istio::split_locality(groups[group].locality).zone);
      if (is_in(groups[group], of_zone.name)) {
        numbers[group] = static_cast<std::uint32_t>(of_zone.value.value);
        is_known = true;
      }
    }
    if (!is_known) {
      refuse(of_zone.value.key, "zone of `" + name + "` called", of_zone.name, zones, problems);
    }
  }
}

}  // namespace

std::vector<std::uint32_t> replica_numbers(const Groups& groups, const messages::Scenario& file,
                                           Diagnostics& problems) {
  std::vector<std::uint32_t> numbers;
  for (const istio::PodGroup& group : groups) {
    numbers.push_back(static_cast<std::uint32_t>(group.pods.size()));
  }
  for (const auto& entry : file.replicas.value) {
    if (entry.value) {
      set_numbers(entry.value, entry.name, groups, numbers, problems);
    }
  }
  for (const auto& [group, number] : file.pods) {
    numbers[group] = number;
  }
  return numbers;
}

Groups read_replicas(MeshServices& so_far) {
  Groups groups = istio::pod_groups(so_far.istio.documents.value);
  istio::set_pods(groups, replica_numbers(groups, so_far.file, so_far.problems), so_far.istio.documents.value);
  return groups;
}

void note_pods(const Groups& groups, MeshServices& so_far) {
  using Name = std::pair<std::string, std::string>;  // of the cluster, and the endpoint's source
  std::map<Name, std::uint32_t> group_of;
  std::vector<PodGroup> pods;
  for (const istio::PodGroup& group : groups) {
    const auto number = static_cast<std::uint32_t>(pods.size());
    for (const std::string& pod : group.pods) {
      group_of.emplace(Name{group.cluster, "Pod " + group.name_space + "/" + pod}, number);
    }
    pods.push_back(
        {.number = number, .workload = workload_text(group), .pods = static_cast<std::uint32_t>(group.pods.size())});
  }
  for (const istio::Service& service : so_far.istio.registry.services) {
    for (const istio::Endpoint& endpoint : service.endpoints) {
      const auto group = group_of.find({endpoint.cluster, endpoint.source});
      const auto index = so_far.istio.by_address.find(istio::address_text(endpoint.address, endpoint.port));
      if (group == group_of.end() || index == so_far.istio.by_address.end()) {
        continue;
      }
      auto& endpoints = pods[group->second].endpoints;
      if (std::find(endpoints.begin(), endpoints.end(), index->second) == endpoints.end()) {
        endpoints.push_back(index->second);
      }
    }
  }
  std::erase_if(pods, [](const PodGroup& group) { return group.endpoints.empty(); });
  if (!pods.empty()) {
    so_far.scenario.pods = std::make_shared<const std::vector<PodGroup>>(std::move(pods));
  }
}

}  // namespace spillway::scenario::binding
