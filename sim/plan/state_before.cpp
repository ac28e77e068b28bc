#include "sim/plan/state_before.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::plan {

using namespace scenario;

StateBefore::StateBefore(const Scenario& scenario, Nanoseconds failure) : scenario_(scenario) {
  for (const Change& change : scenario.changes) {
    if (change.at >= failure) {
      continue;
    }
    if (const auto* const health = std::get_if<EdsHealth>(&change.effect)) {
      for (const auto& [host, status] : health->hosts) {
        health_[{health->service.value, host.value}] = status;
      }
    } else if (const auto* const membership = std::get_if<EdsMembership>(&change.effect)) {
      for (const config::HostIndex host : membership->hosts) {
        members_[{membership->service.value, host.value}] = membership->member;
      }
    } else if (const auto* const weights = std::get_if<EdsWeights>(&change.effect)) {
      for (const auto& [host, weight] : weights->hosts) {
        weights_[{weights->service.value, host.value}] = weight;
      }
      for (const auto& [locality, weight] : weights->localities) {
        localities_[{weights->service.value, locality}] = weight;
      }
    }
  }
}

std::optional<Effect> StateBefore::undone(const Effect& effect) const {
  if (const auto* const existence = std::get_if<Existence>(&effect)) {
    return Existence{existence->service, existence->hosts, !existence->exists};
  }
  if (const auto* const membership = std::get_if<EdsMembership>(&effect)) {
    EdsMembership before{membership->service, {}, !membership->member, membership->audience};
    std::copy_if(membership->hosts.begin(), membership->hosts.end(), std::back_inserter(before.hosts),
                 [&](config::HostIndex host) { return is_member(before.service, host) == before.member; });
    return before;
  }
  if (const auto* const slow = std::get_if<Slow>(&effect)) {
    return Slow{slow->service, slow->hosts, 1.0};
  }
  if (const auto* const fails = std::get_if<Fails>(&effect)) {
    Fails none = *fails;
    none.fraction = 0.0;
    return none;
  }
  if (const auto* const rate = std::get_if<RateChange>(&effect)) {
    return RateChange{rate->client, scenario_.clients[rate->client.value].workload.rate, 0.0};
  }
  if (const auto* const health = std::get_if<EdsHealth>(&effect)) {
    EdsHealth before = *health;
    for (auto& [host, status] : before.hosts) {
      status = health_of(before.service, host);
    }
    return before;
  }
  if (const auto* const weights = std::get_if<EdsWeights>(&effect)) {
    EdsWeights before = *weights;
    for (auto& [host, weight] : before.hosts) {
      weight = weight_of(before.service, host);
    }
    for (auto& [locality, weight] : before.localities) {
      const auto told = localities_.find({before.service.value, locality});
      const auto& written = scenario_.services[before.service.value].load_assignment.endpoints[locality];
      weight = told != localities_.end() ? told->second : written.load_balancing_weight.value_or(1);
    }
    return before;
  }
  return std::nullopt;
}

config::HealthStatus StateBefore::health_of(config::ServiceIndex service, config::HostIndex host) const {
  const auto told = health_.find({service.value, host.value});
  return told != health_.end() ? told->second : host_of(service, host).health_status;
}

std::uint32_t StateBefore::weight_of(config::ServiceIndex service, config::HostIndex host) const {
  const auto told = weights_.find({service.value, host.value});
  return told != weights_.end() ? told->second : host_of(service, host).load_balancing_weight;
}

bool StateBefore::is_member(config::ServiceIndex service, config::HostIndex host) const {
  const auto told = members_.find({service.value, host.value});
  const auto& absent = scenario_.services[service.value].absent_at_start;
  return told != members_.end() ? told->second : std::find(absent.begin(), absent.end(), host) == absent.end();
}

const config::LbEndpoint& StateBefore::host_of(config::ServiceIndex service, config::HostIndex host) const {
  static const config::LbEndpoint none;
  const config::LbEndpoint* const found = lb_endpoint_of(scenario_.services[service.value], host);
  return found == nullptr ? none : *found;
}

}  // namespace spillway::plan
