// Which clients have to do with each other, and which never meet: client entries that share a service, an endpoint or a
// node with cores of its own are of one component, over zone proxies and aggregate clusters too.
//
//   Components components(scenario);
//   if (components.count() > 1) { ... components.of(client) ... }
//
// What happens in one component has no effect on another one: streams of random numbers belong to clients and
// endpoints, breakers and monitors to a client's proxies, queues to endpoints or their nodes; what the author changes
// happens to all of them alike. Only in platform mode do they meet on links.
//
// Linear in clients, their services and the hosts of those.
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
  // From 0, in the order of their first client entries.
  [[nodiscard]] std::uint32_t of(config::ClientEntryIndex client) const noexcept { return of_client_[client.value]; }

 private:
  std::vector<std::uint32_t> of_client_;
  std::uint32_t count_ = 0;
};

// What happens at one moment in several components stands in their order; what happens in one keeps its own. `rows` are
// in the order of time.
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
