// The load assignments that configurations are made of, and what a cache of them saves.
//
//   Assignments assignments(setting, mesh);
//   const Asked asked = assignments.ask(service, policy, context_version, now);
//   asked.made;     // it had to be made: a miss
//
// An entry's key is base64(SHA-256("v3:default:<cluster>:<mesh hash>")), and for `reusable` with what the clients'
// policy says behind it (models/kuma/cla_cache.hpp); an entry is kept for the expiration time. `shared_object` plays
// Kuma's fault: clients edit the entry in place, and all who hold it hold what it becomes.
// Source: docs/behaviour/kuma.md 12; Kuma's xds/cache/cla. Memory grows with services and kinds of clients.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/kuma/client.hpp"
#include "models/kuma/load_assignment.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::scenario {
struct ControlPlaneSetting;  // control_plane.hpp
}  // namespace spillway::scenario

namespace spillway::control_plane {

class Mesh;  // mesh.hpp

// An entry that clients edit, and those who hold it.
struct SharedObject {
  kuma::LoadAssignment assignment = {};
  std::uint32_t service = 0;
  std::uint64_t version = 0;                             // of the mesh
  std::optional<std::uint32_t> editor = {};              // the kind of clients that came last
  std::vector<std::uint8_t> wrong = {};                  // by kind of clients
  std::vector<std::vector<std::uint32_t>> holders = {};  // proxies, by kind of clients
};

struct Asked {
  bool made = false;
  std::shared_ptr<SharedObject> object = {};  // with AssignmentSharing::shared_object where there are policies
  bool edited = false;                        // what its holders hold has changed
};

class Assignments {
 public:
  Assignments(const scenario::ControlPlaneSetting& setting, Mesh& mesh);

  // Kinds of clients: position in the setting's policies, and one past them for those without.
  [[nodiscard]] std::uint32_t kinds() const noexcept { return static_cast<std::uint32_t>(confs_.size()); }
  // Of the instances of a service.
  [[nodiscard]] std::uint32_t kind_of(std::uint32_t service) const { return kind_of_service_[service]; }

  // Versions never go back. `before`: the verdicts of an object that is edited, as they were.
  [[nodiscard]] Asked ask(std::uint32_t service, std::uint32_t kind, std::uint64_t version,
                          std::chrono::nanoseconds now, std::vector<std::uint8_t>& before);

  // What clients of this kind should have.
  [[nodiscard]] const kuma::LoadAssignment& right(std::uint32_t service, std::uint32_t kind, std::uint64_t version);

 private:
  struct Entry {
    std::chrono::nanoseconds made{0};
    std::shared_ptr<SharedObject> object = {};
  };
  // What a kind of clients last asked for, by service and kind.
  struct Slot {
    std::uint64_t version = 0;
    std::string key = {};
    std::uint64_t endpoints_version = 0;
    std::unique_ptr<const kuma::LoadAssignment> right = {};
  };

  [[nodiscard]] std::size_t slot_of(std::uint32_t service, std::uint32_t kind) const {
    return std::size_t{service} * kinds() + kind;
  }
  void renew_key(std::uint32_t service, std::uint32_t kind, std::uint64_t version);
  [[nodiscard]] bool edit(SharedObject& object, std::uint32_t kind);

  const scenario::ControlPlaneSetting& setting_;
  Mesh& mesh_;
  std::vector<std::optional<kuma::Conf>> confs_;  // by kind
  kuma::Client client_;
  std::vector<std::uint32_t> kind_of_service_;
  std::vector<Slot> slots_;
  std::unordered_map<std::string, Entry> entries_;  // by key; never walked through
};

}  // namespace spillway::control_plane
