#include "sim/run/requests/truth.hpp"

#include "sim/engine/entity.hpp"

namespace spillway::run {

Truth::Truth(const scenario::Scenario& scenario, std::uint64_t seed)
    : scenario_(&scenario),
      seed_(seed),
      state_(scenario),
      draws_(scenario.endpoints.size()),
      turns_(scenario.endpoints.size(), 0) {}

void Truth::prepare(const scenario::Fails& effect) {
  for (const config::HostIndex host : effect.hosts) {
    const config::EndpointIndex index = scenario::endpoint_index(*scenario_, effect.service, host);
    turns_[index.value] = 0;
    if (std::optional<engine::RandomStream>& draws = draws_[index.value]; !draws) {
      const std::string& id = scenario_->endpoints[index.value].id;
      draws.emplace(engine::StreamIdentity{seed_, engine::Purpose::failures, engine::entity(id)});
    }
  }
}

void Truth::for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const {
  for (const auto& draws : draws_) {
    if (draws) {
      visit(*draws);
    }
  }
}

}  // namespace spillway::run
