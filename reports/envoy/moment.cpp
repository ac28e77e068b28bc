#include "reports/envoy/moment.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace spillway::reports::envoy_export {
namespace {

class MomentBuilder {
 public:
  MomentBuilder(const scenario::Scenario& scenario, config::ZoneIndex zone)
      : scenario_(scenario),
        zone_(zone),
        missing_(scenario.endpoints.size(), false),
        node_out_(scenario.nodes.size(), false) {
    for (const scenario::Service& service : scenario.services) {
      std::vector<HostAtMoment>& hosts = moment_.hosts.emplace_back();
      for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
        for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
          hosts.push_back({.told = endpoint.health_status});
        }
      }
      for (const config::HostIndex host : service.absent_at_start) {
        hosts[host.value].member = false;
      }
    }
    moment_.told_over_time.resize(scenario.services.size(), false);
  }

  void apply(const scenario::Change& change, bool has_happened) {
    std::visit([&](const auto& effect) { apply(effect, has_happened); }, change.effect);
  }

  // A node that comes back brings back none of its endpoints that were gone by themselves.
  Moment finish() && {
    for (std::size_t service = 0; service < scenario_.services.size(); ++service) {
      const auto& hosts = scenario_.services[service].hosts;
      for (std::size_t index = 0; index < hosts.size(); ++index) {
        const config::EndpointIndex endpoint = hosts[index].endpoint;
        moment_.hosts[service][index].behaviour.gone =
            missing_[endpoint.value] || node_out_[scenario_.endpoints[endpoint.value].node.value];
      }
    }
    return std::move(moment_);
  }

 private:
  [[nodiscard]] bool reaches(const std::vector<config::ZoneIndex>& audience) const {
    return audience.empty() || std::find(audience.begin(), audience.end(), zone_) != audience.end();
  }
  HostAtMoment& host(config::ServiceIndex service, config::HostIndex index) {
    return moment_.hosts[service.value][index.value];
  }

  void apply(const scenario::TellHealth& effect, bool has_happened) {
    moment_.told_over_time[effect.service.value] = true;
    if (!has_happened || !reaches(effect.audience)) {
      return;
    }
    for (const auto& [index, status] : effect.hosts) {
      host(effect.service, index).told = status;
    }
  }
  void apply(const scenario::TellMembership& effect, bool has_happened) {
    moment_.told_over_time[effect.service.value] = true;
    if (!has_happened || !reaches(effect.audience)) {
      return;
    }
    for (const config::HostIndex index : effect.hosts) {
      host(effect.service, index).member = effect.member;
    }
  }
  void apply(const scenario::TellWeights& effect, bool /*has_happened*/) {
    moment_.told_over_time[effect.service.value] = true;
  }
  void apply(const scenario::Existence& effect, bool has_happened) {
    for (const config::HostIndex index : effect.hosts) {
      if (has_happened) {
        missing_[scenario_.services[effect.service.value].hosts[index.value].endpoint.value] = !effect.exists;
      }
    }
  }
  void apply(const scenario::NodeOutage& effect, bool has_happened) {
    if (has_happened) {
      node_out_[effect.node.value] = !effect.on;
    }
  }
  void apply(const scenario::Fails& effect, bool has_happened) {
    for (const config::HostIndex index : effect.hosts) {
      if (has_happened) {
        Behaviour& behaviour = host(effect.service, index).behaviour;
        behaviour.fails = effect.fraction;
        behaviour.failure = effect.failure;
        behaviour.status = effect.status;
      }
    }
  }
  void apply(const scenario::AnswersChecks& effect, bool has_happened) {
    for (const config::HostIndex index : effect.hosts) {
      if (has_happened) {
        host(effect.service, index).behaviour.check_answer = effect.answer;
      }
    }
  }
  // Latency between zones, rates and how fast endpoints are have no place in a proxy's configuration.
  void apply(const scenario::LinkChange& /*effect*/, bool /*has_happened*/) {}
  void apply(const scenario::RateChange& /*effect*/, bool /*has_happened*/) {}
  void apply(const scenario::Slow& /*effect*/, bool /*has_happened*/) {}

  const scenario::Scenario& scenario_;
  config::ZoneIndex zone_;
  std::vector<bool> missing_;   // by EndpointIndex: gone, whatever its node does
  std::vector<bool> node_out_;  // by NodeIndex
  Moment moment_;
};

}  // namespace

Moment moment_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client, scenario::Nanoseconds at) {
  MomentBuilder builder(scenario, scenario.nodes[client.node.value].zone);
  for (const scenario::Change& change : scenario.changes) {
    builder.apply(change, change.at <= at);
  }
  return std::move(builder).finish();
}

}  // namespace spillway::reports::envoy_export
