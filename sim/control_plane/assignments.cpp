#include "sim/control_plane/assignments.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/kuma/assign.hpp"
#include "models/kuma/cla_cache.hpp"
#include "models/kuma/digest.hpp"
#include "sim/control_plane/mesh.hpp"
#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

namespace {

using scenario::AssignmentSharing;

kuma::AssignInput input_of(const std::vector<kuma::Endpoint>& endpoints, const kuma::Client& client,
                           const std::optional<kuma::Conf>& conf) {
  return {.endpoints = endpoints, .client = &client, .destination = kuma::DestinationModel::tag, .conf = conf};
}

// True if Envoy gets the same assignment; the reasons for an endpoint's place, and dropped endpoints, do not count.
bool alike(const kuma::LoadAssignment& left, const kuma::LoadAssignment& right) {
  const auto same_endpoint = [](const kuma::AssignedEndpoint& one, const kuma::AssignedEndpoint& other) {
    return one.endpoint == other.endpoint;
  };
  const auto same_locality = [&](const kuma::AssignedLocality& one, const kuma::AssignedLocality& other) {
    return one.has_locality == other.has_locality && one.zone == other.zone && one.sub_zone == other.sub_zone &&
           one.priority == other.priority && one.weight == other.weight &&
           std::equal(one.endpoints.begin(), one.endpoints.end(), other.endpoints.begin(), other.endpoints.end(),
                      same_endpoint);
  };
  return left.overprovisioning_factor == right.overprovisioning_factor &&
         std::equal(left.localities.begin(), left.localities.end(), right.localities.begin(), right.localities.end(),
                    same_locality);
}

}  // namespace

Assignments::Assignments(const scenario::ControlPlaneSetting& setting, Mesh& mesh)
    : setting_(setting), mesh_(mesh), client_{.name = "client", .zone = "zone-1"} {
  for (const scenario::ProxyPolicy& policy : setting.policies) {
    confs_.emplace_back(policy.conf);
  }
  confs_.emplace_back(std::nullopt);
  // Distributes each kind over the services as evenly as whole numbers allow.
  std::vector<double> owed(confs_.size(), 0.0);
  for (std::uint32_t service = 0; service < setting.services; ++service) {
    double rest = 1.0;
    for (std::size_t kind = 0; kind < setting.policies.size(); ++kind) {
      owed[kind] += setting.policies[kind].services;
      rest -= setting.policies[kind].services;
    }
    owed.back() += rest;
    const auto most = static_cast<std::uint32_t>(std::max_element(owed.begin(), owed.end()) - owed.begin());
    owed[most] -= 1.0;
    kind_of_service_.push_back(most);
  }
  slots_.resize(std::size_t{setting.services} * confs_.size());
}

const kuma::LoadAssignment& Assignments::right(std::uint32_t service, std::uint32_t kind, std::uint64_t version) {
  Slot& slot = slots_[slot_of(service, kind)];
  const std::uint64_t endpoints_version = mesh_.endpoints_version(service, version);
  if (!slot.right || slot.endpoints_version != endpoints_version) {
    const std::vector<kuma::Endpoint> endpoints = mesh_.endpoints(service, version);
    slot.right = std::make_unique<const kuma::LoadAssignment>(kuma::assign(input_of(endpoints, client_, confs_[kind])));
    slot.endpoints_version = endpoints_version;
  }
  return *slot.right;
}

void Assignments::renew_key(std::uint32_t service, std::uint32_t kind, std::uint64_t version) {
  Slot& slot = slots_[slot_of(service, kind)];
  if (slot.version == version) {
    return;
  }
  entries_.erase(slot.key);
  std::string text = fmt::format("v3:default:service-{}:{}", service, mesh_.hash(version));
  if (setting_.sharing == AssignmentSharing::reusable) {
    text += ':' + kuma::cla_key(mesh_.endpoints_version(service, version), input_of({}, client_, confs_[kind]));
  }
  slot.key = kuma::base64_sha256(text);
  slot.version = version;
}

Asked Assignments::ask(std::uint32_t service, std::uint32_t kind, std::uint64_t version, std::chrono::nanoseconds now,
                       std::vector<std::uint8_t>& before) {
  if (setting_.sharing == AssignmentSharing::none) {
    static_cast<void>(right(service, kind, version));
    return {.made = true};
  }
  renew_key(service, kind, version);
  const auto [found, added] = entries_.try_emplace(slots_[slot_of(service, kind)].key);
  Entry& entry = found->second;
  Asked asked;
  asked.made = added || now >= entry.made + setting_.cache_expiration;
  const bool shared = setting_.sharing == AssignmentSharing::shared_object && kinds() > 1;
  if (asked.made) {
    entry.made = now;
    if (shared) {
      entry.object = std::make_shared<SharedObject>();
      entry.object->assignment = kuma::group(mesh_.endpoints(service, version));
      entry.object->service = service;
      entry.object->version = version;
      entry.object->wrong.assign(kinds(), 0);
      entry.object->holders.resize(kinds());
    } else {
      static_cast<void>(right(service, kind, version));
    }
  }
  if (shared) {
    asked.object = entry.object;
    before = entry.object->wrong;
    asked.edited = edit(*entry.object, kind);
  }
  return asked;
}

// Edits an object for a kind of clients. Has no effect if the last edit was by the same kind.
bool Assignments::edit(SharedObject& object, std::uint32_t kind) {
  if (object.editor == kind) {
    return false;
  }
  object.editor = kind;
  const std::vector<kuma::Endpoint> endpoints = mesh_.endpoints(object.service, object.version);
  kuma::assign_in_place(object.assignment, input_of(endpoints, client_, confs_[kind]));
  for (std::uint32_t other = 0; other < kinds(); ++other) {
    object.wrong[other] = alike(object.assignment, right(object.service, other, object.version)) ? 0 : 1;
  }
  return true;
}

}  // namespace spillway::control_plane
