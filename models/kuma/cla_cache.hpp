// Load assignments that clients share, and Kuma's own cache with its defect.
//
//   ClaCache cache;
//   auto assignment = cache.get(endpoints_version, input);   // computed once for all clients that it is the same for
//   cache.hits();
//
// The key contains exactly what the assignment depends on: the list, the destination, the client's zone and role, its
// values of the affinity tags that the policy names, and the locality awareness. Clients on one node under one policy
// share an entry, whatever else differs. Source: docs/behaviour/kuma.md 12; the design document's "CLA cache".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "models/kuma/assign.hpp"
#include "models/kuma/load_assignment.hpp"

namespace spillway::kuma {

// Returns a key that is equal for inputs with equal assignments. Precondition: `endpoints_version` is equal only for
// equal lists. Linear in the policy, not in the endpoints.
[[nodiscard]] std::string cla_key(std::uint64_t endpoints_version, const AssignInput& input);

class ClaCache {
 public:
  // Returns assign(input), or the assignment made earlier for the same key. Never null; an entry is never changed.
  [[nodiscard]] std::shared_ptr<const LoadAssignment> get(std::uint64_t endpoints_version, const AssignInput& input);

  [[nodiscard]] std::size_t hits() const noexcept { return hits_; }
  [[nodiscard]] std::size_t misses() const noexcept { return misses_; }

 private:
  std::map<std::string, std::shared_ptr<const LoadAssignment>, std::less<>> entries_;
  std::size_t hits_ = 0;
  std::size_t misses_ = 0;
};

// Simulates Kuma's defect: since 2.12 all clients of a cluster edit one object until it expires, one second after it
// was made. An endpoint that one client drops is missing for the next client, and a factor once set stays.
//
//   LoadAssignment shared = group(endpoints);         // made anew when it expires
//   assign_in_place(shared, of_client_with_local_zone);
//   assign_in_place(shared, of_client_without_policy);   // has no remote endpoint either
//
// Precondition: `shared` was made from the list `input.endpoints`.
void assign_in_place(LoadAssignment& shared, const AssignInput& input);

}  // namespace spillway::kuma
