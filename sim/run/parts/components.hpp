// Finds independent groups of clients. Client entries that share a service, an endpoint or a node with cores of its own
// are of one component. That includes what they reach through zone proxies and aggregate clusters.
//
//   Components components(scenario);
//   if (components.count() > 1) { ... components.of(client) ... }
//
// Components do not affect each other. Random streams belong to clients and endpoints, breakers and monitors to a
// client's proxies, queues to endpoints or their nodes; timeline changes apply to all components alike. Only in
// platform mode do components meet, on links.
//
// O(clients + their services + hosts of those).
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

class Components {
 public:
  explicit Components(const scenario::Scenario& scenario);

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  // Returns the component of a client. Components are numbered from 0, in the order of their first client entries.
  [[nodiscard]] std::uint32_t of(config::ClientEntryIndex client) const noexcept { return of_client_[client.value]; }

 private:
  std::vector<std::uint32_t> of_client_;
  std::uint32_t count_ = 0;
};

// Sorts events at one time by component; events of one component keep their order. Precondition: `rows` are sorted by
// time.
template <class Row>
void order_by_component(const scenario::Scenario& scenario, std::vector<Row>& rows) {
  const Components components(scenario);
  if (components.count() > 1) {
    numeric::stable_sort(rows, [&](const Row& left, const Row& right) {
      return left.at != right.at ? left.at < right.at : components.of(left.client) < components.of(right.client);
    });
  }
}

}  // namespace spillway::run
