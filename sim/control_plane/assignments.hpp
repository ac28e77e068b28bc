// The load assignments that configurations consist of, and a cache of them.
//
//   Assignments assignments(setting, mesh);
//   const Asked asked = assignments.ask(service, policy, context_version, now);
//   asked.made;     // it had to be made: a miss
//
// An entry's key is base64(SHA-256("v3:default:<cluster>:<mesh hash>")), for `reusable` followed by the clients' policy
// (models/kuma/cla_cache.hpp). An entry is kept for the expiration time. `shared_object` simulates a fault of Kuma's:
// clients edit the entry in place, and all its holders see the edits. Source: docs/behaviour/kuma.md 12; Kuma's
// xds/cache/cla. Memory grows with services and kinds of clients.
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
#include "sim/scenario/forward.hpp"

namespace spillway::control_plane {

class Mesh;  // mesh.hpp

// An entry that clients edit, and its holders.
struct SharedObject {
  kuma::LoadAssignment assignment = {};
  std::uint32_t service = 0;
  std::uint64_t version = 0;                             // of the mesh
  std::optional<std::uint32_t> editor = {};              // the kind of clients that edited last
  std::vector<std::uint8_t> wrong = {};                  // by kind of clients
  std::vector<std::vector<std::uint32_t>> holders = {};  // proxies, by kind of clients
};

struct Asked {
  bool made = false;
  std::shared_ptr<SharedObject> object = {};  // set with AssignmentSharing::shared_object if there are policies
  bool edited = false;                        // the content that its holders see has changed
};

class Assignments {
 public:
  Assignments(const scenario::ControlPlaneSetting& setting, Mesh& mesh);

  // Returns the number of kinds of clients: one per policy of the setting, and a last one for clients without a policy.
  [[nodiscard]] std::uint32_t kinds() const noexcept { return static_cast<std::uint32_t>(confs_.size()); }
  // Returns the kind of the instances of a service.
  [[nodiscard]] std::uint32_t kind_of(std::uint32_t service) const { return kind_of_service_[service]; }

  // Requests an assignment. Precondition: versions are not descending. `before`: the previous verdicts of an object
  // that is edited.
  [[nodiscard]] Asked ask(std::uint32_t service, std::uint32_t kind, std::uint64_t version,
                          std::chrono::nanoseconds now, std::vector<std::uint8_t>& before);

  // Returns the correct assignment for clients of this kind.
  [[nodiscard]] const kuma::LoadAssignment& right(std::uint32_t service, std::uint32_t kind, std::uint64_t version);

 private:
  struct Entry {
    std::chrono::nanoseconds made{0};
    std::shared_ptr<SharedObject> object = {};
  };
  // The last request of a kind of clients, by service and kind.
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
  std::unordered_map<std::string, Entry> entries_;  // by key; never iterated
};

}  // namespace spillway::control_plane
