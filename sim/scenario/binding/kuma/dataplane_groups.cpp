#include "sim/scenario/binding/kuma/dataplane_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "models/kuma/documents/documents.hpp"
#include "sim/scenario/binding/istio/pods.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/pod_group.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using kuma::DataplaneDocument;
using Groups = std::vector<istio::PodGroup>;

// Returns the names of dataplanes that something refers to by name, or that several have.
std::set<std::string, std::less<>> named_elsewhere(const KumaServices& so_far) {
  std::set<std::string, std::less<>> names;
  std::set<std::string> seen;
  for (const DataplaneDocument& dataplane : so_far.documents.dataplanes) {
    if (!seen.insert(dataplane.origin.name).second) {
      names.insert(dataplane.origin.name);
    }
  }
  for (const auto& client : so_far.file.clients.value) {
    names.insert(client->name.value);
  }
  for (const auto& service : so_far.documents.mesh_services) {
    if (service.value.dataplaneRef) {
      names.insert(*service.value.dataplaneRef);
    }
  }
  return names;
}

Groups groups_of(const KumaServices& so_far) {
  const auto named = named_elsewhere(so_far);
  std::map<std::tuple<std::string, std::string, kuma::Tags>, std::size_t> known;  // mesh, zone, tags
  Groups groups;
  for (const DataplaneDocument& dataplane : so_far.documents.dataplanes) {
    if (dataplane.gateway || dataplane.value.inbounds.empty() || !dataplane.outbounds.empty() ||
        named.contains(dataplane.origin.name)) {
      continue;
    }
    const kuma::Tags& tags = dataplane.value.inbounds.front().tags;
    const std::string service(kuma::value_of(tags, kuma::service_tag));
    if (service.empty()) {
      continue;
    }
    const auto [place, is_new] = known.try_emplace({dataplane.origin.mesh, dataplane.zone, tags}, groups.size());
    if (is_new) {
      groups.push_back({.name = service, .locality = "/" + dataplane.zone});
    }
    groups[place->second].pods.push_back(dataplane.origin.name);
  }
  return groups;
}

// Gives out names and addresses that no dataplane has.
class NewDataplanes {
 public:
  explicit NewDataplanes(const kuma::Documents& documents) {
    for (const DataplaneDocument& dataplane : documents.dataplanes) {
      taken_.insert(dataplane.origin.name);
      taken_.insert(dataplane.value.address);
      for (const kuma::Inbound& inbound : dataplane.value.inbounds) {
        taken_.insert(inbound.address);
      }
    }
  }

  DataplaneDocument copy_of(const DataplaneDocument& original, const std::string& service) {
    DataplaneDocument copy = original;
    do {
      copy.origin.name = service + "-added-" + std::to_string(++names_[service]);
    } while (!taken_.insert(copy.origin.name).second);
    copy.value.name = copy.origin.name;
    do {
      ++addresses_;
      // Class E: no network uses these addresses.
      copy.value.address = "240." + std::to_string(addresses_ >> 16U & 255U) + "." +
                           std::to_string(addresses_ >> 8U & 255U) + "." + std::to_string(addresses_ & 255U);
    } while (!taken_.insert(copy.value.address).second);
    for (kuma::Inbound& inbound : copy.value.inbounds) {
      inbound.address.clear();
    }
    return copy;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::uint32_t> names_;
  std::uint32_t addresses_ = 0;
};

void set_numbers(Groups& groups, const std::vector<std::uint32_t>& numbers, kuma::Documents& documents) {
  NewDataplanes fresh(documents);
  const auto place_of = [&](const std::string& name) {
    return std::find_if(documents.dataplanes.begin(), documents.dataplanes.end(),
                        [&](const DataplaneDocument& of) { return of.origin.name == name; });
  };
  for (std::size_t index = 0; index < groups.size(); ++index) {
    std::vector<std::string>& names = groups[index].pods;
    const std::size_t originals = names.size();
    for (std::size_t copies = 0; names.size() < numbers[index]; ++copies) {
      DataplaneDocument copy = fresh.copy_of(*place_of(names[copies % originals]), groups[index].name);
      const auto last = place_of(names.back());
      names.push_back(copy.origin.name);
      documents.dataplanes.insert(std::next(last), std::move(copy));
    }
    while (names.size() > numbers[index] && names.size() > 1) {
      documents.dataplanes.erase(place_of(names.back()));
      names.pop_back();
    }
  }
}

}  // namespace

Groups read_dataplane_groups(KumaServices& so_far) {
  Groups groups = groups_of(so_far);
  set_numbers(groups, replica_numbers(groups, so_far.file, so_far.problems), so_far.documents);
  return groups;
}

void note_dataplanes(const Groups& groups, const std::map<std::string, std::vector<config::EndpointIndex>>& endpoints,
                     KumaServices& so_far) {
  std::vector<PodGroup> all;
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    PodGroup group{.number = number,
                   .workload = groups[number].name,
                   .pods = static_cast<std::uint32_t>(groups[number].pods.size())};
    for (const std::string& name : groups[number].pods) {
      if (const auto own = endpoints.find(name); own != endpoints.end()) {
        group.endpoints.insert(group.endpoints.end(), own->second.begin(), own->second.end());
      }
    }
    if (!group.endpoints.empty()) {
      all.push_back(std::move(group));
    }
  }
  if (!all.empty()) {
    so_far.scenario.pods = std::make_shared<const std::vector<PodGroup>>(std::move(all));
  }
}

}  // namespace spillway::scenario::binding
