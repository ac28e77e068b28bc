#include "sim/run/requests/truth.hpp"

#include <algorithm>

#include "sim/engine/entity.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

Truth::Truth(const scenario::Scenario& scenario, std::uint64_t seed)
    : scenario_(&scenario),
      seed_(seed),
      state_(scenario),
      left_(scenario.endpoints.size(), never),
      chances_(scenario.endpoints.size()) {}

void Truth::prepare(const scenario::Fails& effect) {
  for (const config::HostIndex host : effect.hosts) {
    const config::EndpointIndex index = scenario::endpoint_index(*scenario_, effect.service, host);
    std::optional<Chance>& chance = chances_[index.value];
    const engine::RandomStream stream =
        chance ? stream_of(index.value)
               : engine::RandomStream(
                     {seed_, engine::Purpose::failures, engine::entity(scenario_->endpoints[index.value].id)});
    chance.emplace(Chance{stream, stream});
    left_[index.value] = effect.fraction <= 0.0 ? never : effect.every > 0 ? effect.every : 1;
  }
}

// Returns the stream at the position that requests have reached.
engine::RandomStream Truth::stream_of(std::size_t endpoint) const noexcept {
  const Chance& chance = *chances_[endpoint];
  engine::RandomStream stream = chance.stream;
  for (std::uint32_t drawn = left_[endpoint]; drawn < chance.ahead; ++drawn) {
    (void)stream();
  }
  return stream;
}

void Truth::draw_ahead(Chance& chance, double fraction) noexcept {
  constexpr std::uint32_t most = 4096;
  chance.after = chance.stream;
  chance.ahead = 0;
  do {
    ++chance.ahead;
    chance.last_fails = engine::unit_interval(chance.after) <= fraction;
  } while (!chance.last_fails && chance.ahead < most);
}

const scenario::Failing* Truth::fails_perhaps(config::EndpointIndex endpoint) noexcept {
  const scenario::Failing& failing = state_.of(endpoint).failing;
  std::uint32_t& left = left_[endpoint.value];
  if (failing.every > 0 || failing.fraction >= 1.0) {
    left = std::max(failing.every, 1U);
    return &failing;
  }
  Chance& chance = *chances_[endpoint.value];
  if (chance.ahead == 0) {
    draw_ahead(chance, failing.fraction);
    if (chance.ahead > 1) {
      left = chance.ahead - 1;
      return nullptr;
    }
  }
  chance.stream = chance.after;
  chance.ahead = 0;
  left = 1;
  return chance.last_fails ? &failing : nullptr;
}

void Truth::for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const {
  for (std::size_t endpoint = 0; endpoint < chances_.size(); ++endpoint) {
    if (chances_[endpoint]) {
      visit(stream_of(endpoint));
    }
  }
}

}  // namespace spillway::run
