// The mesh that a control plane serves: services with instances that join and leave, and the services that each uses.
//
//   Mesh mesh(setting, seed);
//   mesh.join(0);                                     // the first instance of the first service
//   mesh.version();                                   // 1: counts changes
//   mesh.endpoints(0, 1);                             // what Kuma would list of that service then
//   mesh.hash(1);                                     // Kuma's mesh hash, which changes with every resource
//
// An instance is `service * instances + number`. It runs in zone `number` modulo zones, and is a client of the control
// plane if that is the first zone. Queries return the state of the mesh at a version, so that configurations can be
// made from an outdated context. Memory grows with instances and changes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/kuma/endpoint.hpp"
#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

class Mesh {
 public:
  Mesh(const scenario::ControlPlaneSetting& setting, std::uint64_t seed);

  void join(std::uint32_t instance);
  void leave(std::uint32_t instance);
  void apply(scenario::MeshChange::What what);

  [[nodiscard]] std::uint64_t version() const noexcept { return hashed_.size(); }
  // resources() returns the number of resources in a mesh context; services() that of services with an instance.
  [[nodiscard]] std::uint32_t resources() const noexcept { return resources_; }
  [[nodiscard]] std::uint32_t services() const noexcept { return present_; }

  // Returns the services that instances of a service use, ascending.
  [[nodiscard]] std::span<const std::uint32_t> reachable(std::uint32_t service) const {
    return std::span(reachable_)
        .subspan(first_reachable_[service], first_reachable_[service + 1] - first_reachable_[service]);
  }
  [[nodiscard]] std::uint32_t service_of(std::uint32_t instance) const noexcept { return instance / instances_; }
  [[nodiscard]] std::uint32_t zone_of(std::uint32_t instance) const noexcept { return instance % instances_ % zones_; }

  // Returns the last version, not after this one, that changed the endpoints of a service; 0 if none did. O(log
  // changes).
  [[nodiscard]] std::uint64_t endpoints_version(std::uint32_t service, std::uint64_t version) const;
  // Returns the last version, not after this one, that changed every configuration; 0 if none did.
  [[nodiscard]] std::uint64_t policy_version(std::uint64_t version) const;

  // Returns a value of kuma.io/service as listed by Kuma's control plane of the first zone, without zone egress.
  // O(instances).
  [[nodiscard]] std::vector<kuma::Endpoint> endpoints(std::uint32_t service, std::uint64_t version) const;

  // Returns Kuma's mesh hash. Precondition: versions are not descending. O(versions in between).
  [[nodiscard]] const std::string& hash(std::uint64_t version);

 private:
  struct Life {
    std::uint64_t joined = 0;  // version; 0 if it has not joined
    std::uint64_t left = 0;
    [[nodiscard]] bool at(std::uint64_t version) const noexcept {
      return joined != 0 && joined <= version && (left == 0 || left > version);
    }
  };

  void draw_reachable(const scenario::ControlPlaneSetting& setting, std::uint64_t seed);
  std::uint64_t change(std::uint32_t resource);
  void change_service(std::uint32_t instance, std::uint64_t version);

  std::uint32_t instances_;  // of each service
  std::uint32_t zones_;
  std::vector<std::uint32_t> reachable_;
  std::vector<std::size_t> first_reachable_;         // by service, and the end
  std::vector<Life> lives_;                          // by instance
  std::vector<std::vector<std::uint64_t>> changes_;  // versions, by service
  std::vector<std::uint32_t> alive_;                 // instances, by service
  std::vector<std::uint64_t> policies_;              // versions
  std::vector<std::uint32_t> hashed_;                // by version - 1: the resource that has changed
  std::uint32_t resources_ = 0;
  std::uint32_t present_ = 0;
  std::string hash_;
  std::uint64_t hash_version_ = 0;
};

}  // namespace spillway::control_plane
