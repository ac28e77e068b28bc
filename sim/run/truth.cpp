#include "sim/run/truth.hpp"

#include "sim/engine/entity.hpp"

namespace spillway::run {

Truth::Truth(const scenario::Scenario& scenario, std::uint64_t seed)
    : scenario_(&scenario), seed_(seed), endpoints_(scenario.endpoints.size()) {
  for (const scenario::Service& service : scenario.services) {
    for (const config::HostIndex host : service.absent_at_start) {
      endpoints_[service.hosts[host.value].endpoint.value].exists = false;
    }
  }
}

void Truth::set(const scenario::Fails& change) {
  for (const config::HostIndex host : change.hosts) {
    const config::EndpointIndex index = index_of(change.service, host);
    Endpoint& of = endpoints_[index.value];
    of.failing = {change.fraction, change.failure, change.status};
    if (!of.draws) {
      const std::string& id = scenario_->endpoints[index.value].id;
      of.draws.emplace(engine::StreamIdentity{seed_, engine::Purpose::failures, engine::entity(id)});
    }
  }
}

void Truth::set(const scenario::Existence& change) {
  for (const config::HostIndex host : change.hosts) {
    endpoints_[index_of(change.service, host).value].exists = change.exists;
  }
}

void Truth::set(const scenario::AnswersChecks& change) {
  for (const config::HostIndex host : change.hosts) {
    endpoints_[index_of(change.service, host).value].check_answer = change.answer;
  }
}

void Truth::for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const {
  for (const Endpoint& endpoint : endpoints_) {
    if (endpoint.draws) {
      visit(*endpoint.draws);
    }
  }
}

}  // namespace spillway::run
