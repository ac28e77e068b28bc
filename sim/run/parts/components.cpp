#include "sim/run/parts/components.hpp"

#include "models/numeric/disjoint_sets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

// A union-find over everything that can be shared, by number: client entries, services, endpoints, nodes.
class Sharing {
 public:
  explicit Sharing(const scenario::Scenario& scenario)
      : scenario_(scenario),
        services_(static_cast<std::uint32_t>(scenario.clients.size())),
        endpoints_(services_ + static_cast<std::uint32_t>(scenario.services.size())),
        nodes_(endpoints_ + static_cast<std::uint32_t>(scenario.endpoints.size())),
        sets_(nodes_ + static_cast<std::uint32_t>(scenario.nodes.size())),
        met_(scenario.services.size(), false) {
    for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
      const scenario::ClientEntry& client = scenario.clients[index];
      if (client.zone_proxy) {
        sets_.join(index, number_of(*client.zone_proxy));
      }
      for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
        sets_.join(index, number_of(service));
        meet(service);
      }
    }
  }

  [[nodiscard]] std::uint32_t set_of(std::uint32_t client) noexcept { return sets_.find(client); }

 private:
  [[nodiscard]] std::uint32_t number_of(config::ServiceIndex service) const noexcept {
    return services_ + service.value;
  }
  [[nodiscard]] std::uint32_t number_of(config::EndpointIndex endpoint) const noexcept {
    return endpoints_ + endpoint.value;
  }

  // Joins everything that requests to a used service may reach.
  void meet(config::ServiceIndex index) {
    std::vector<config::ServiceIndex> waiting{index};
    while (!waiting.empty()) {
      const config::ServiceIndex now = waiting.back();
      waiting.pop_back();
      if (met_[now.value]) {
        continue;
      }
      met_[now.value] = true;
      const auto leads_to = [&](config::ServiceIndex other) {
        sets_.join(number_of(now), number_of(other));
        waiting.push_back(other);
      };
      // Rows and events use this name.
      sets_.join(number_of(now), number_of(scenario::asked_for(scenario_, now)));
      for (const config::ServiceIndex member : scenario::members_of(scenario_, now)) {
        leads_to(member);
      }
      for (const scenario::Host& host : scenario_.services[now.value].hosts) {
        sets_.join(number_of(now), number_of(host.endpoint));
        const config::NodeIndex node = scenario_.endpoints[host.endpoint.value].node;
        if (scenario_.nodes[node.value].servers) {
          sets_.join(number_of(now), nodes_ + node.value);
        }
        if (host.forwards_to) {
          leads_to(*host.forwards_to);
        }
      }
    }
  }

  const scenario::Scenario& scenario_;
  std::uint32_t services_;   // the number of the first one
  std::uint32_t endpoints_;  // the number of the first one
  std::uint32_t nodes_;      // the number of the first one
  numeric::DisjointSets sets_;
  std::vector<bool> met_;  // by service
};

}  // namespace

Components::Components(const scenario::Scenario& scenario) {
  Sharing sharing(scenario);
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> number_of_set(scenario.clients.size(), none);
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    // The smallest member of a set is its first client.
    std::uint32_t& number = number_of_set[sharing.set_of(client)];
    number = number == none ? count_++ : number;
    of_client_.push_back(number);
  }
}

}  // namespace spillway::run
