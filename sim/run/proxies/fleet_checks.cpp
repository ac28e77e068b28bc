// The times of active checks, and the consequences of their results.
#include <optional>
#include <utility>
#include <vector>

#include "sim/run/proxies/checks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

namespace {

// Checks of adjacent hosts that are otherwise equal and come one after the other become one agenda entry. With many
// proxies and hosts there are millions of checks.
template <class Rest, class Push>
class Neighbours {
 public:
  explicit Neighbours(Push push) : push_(std::move(push)) { all_.hosts = 0; }

  void add(const CheckDue& one, const Rest& rest) {
    if (all_.hosts > 0 && all_.host.value + all_.hosts == one.host.value && all_.check == one.check &&
        all_.generation == one.generation && rest_ == rest) {
      ++all_.hosts;
      return;
    }
    end();
    all_ = one;
    rest_ = rest;
  }
  void end() {
    if (all_.hosts > 0) {
      push_(all_, rest_);
    }
    all_.hosts = 0;
  }

 private:
  Push push_;
  CheckDue all_;
  Rest rest_ = {};
};
template <class Rest, class Push>
Neighbours<Rest, Push> neighbours(Push push) {
  return Neighbours<Rest, Push>(std::move(push));
}

}  // namespace

void Fleet::warm_up(std::uint32_t index) {
  ProxyCluster& cluster = clusters_[index];
  ClusterWatch& watch = *cluster.watch;
  std::vector<CheckRound> rounds;
  for (std::size_t check = 0; check < results_of_well_[cluster.service.value].size(); ++check) {
    rounds.push_back(round_of(cluster, check, {}));
  }
  auto next = neighbours<Nanoseconds>([this](const CheckDue& due, Nanoseconds at) { push_checks(due, at); });
  for (std::uint32_t host = 0; host < scenario_->services[cluster.service.value].hosts.size(); ++host) {
    const config::HostIndex of{host};
    for (std::uint32_t check = 0; watch.is_member(of) && check < watch.checks_of(of); ++check) {
      const Nanoseconds first = watch.first_delay(of, check);
      const CheckOutcome outcome = rounds[check].send(scenario_->services[cluster.service.value].hosts[host]);
      const auto checked = watch.finish_check(of, check, outcome.result, true, long_before);
      next.add({index, of, check, watch.generation(of)}, first + checked.next_delay);
    }
  }
  next.end();
  watch.settle();
  take_own_state(index, Nanoseconds{0});
}

CheckRound Fleet::round_of(const ProxyCluster& cluster, std::size_t check, Nanoseconds now) const {
  const envoy::Cluster& of = scenario_->services[cluster.service.value].cluster;
  return {*scenario_,
          of.health_checks[check],
          results_of_well_[cluster.service.value][check],
          scenario_->clients[cluster.entry.value].node,
          *truth_,
          *world_,
          now};
}

void Fleet::apply(const CheckDue& event, Nanoseconds now) {
  const ProxyCluster& cluster = clusters_[event.cluster];
  CheckRound round = round_of(cluster, event.check, now);
  using Outcome = std::pair<Nanoseconds, health::CheckResult>;
  auto done = neighbours<Outcome>([this](const CheckDue& of, const Outcome& outcome) {
    agenda_->push(outcome.first, EventClass::check, CheckDone{of, outcome.second});
  });
  CheckDue due = event;
  due.hosts = 1;
  for (const std::uint32_t end = event.host.value + event.hosts; due.host.value < end; ++due.host.value) {
    if (cluster.watch->generation(due.host) == due.generation) {
      const CheckOutcome outcome = round.send(scenario_->services[cluster.service.value].hosts[due.host.value]);
      done.add(due, {outcome.at, outcome.result});
    }
  }
  done.end();
}

void Fleet::apply(const CheckDone& event, Nanoseconds now) {
  auto next = neighbours<Nanoseconds>([this](const CheckDue& due, Nanoseconds at) { push_checks(due, at); });
  CheckDue due = event.of;
  due.hosts = 1;
  ProxyCluster& cluster = clusters_[due.cluster];
  const auto& check = scenario_->services[cluster.service.value].cluster.health_checks[due.check];
  const std::optional<Nanoseconds> usual =
      event.result == health::CheckResult{} ? health::fixed_delay_of_pass(check, cluster.traffic) : std::nullopt;
  for (const std::uint32_t end = event.of.host.value + event.of.hosts; due.host.value < end; ++due.host.value) {
    if (cluster.watch->generation(due.host) != due.generation) {
      continue;
    }
    if (usual && cluster.watch->pass_check_again(due.host)) {
      next.add(due, now + *usual);
      continue;
    }
    const auto checked = cluster.watch->finish_check(due.host, due.check, event.result, cluster.traffic, now);
    if (checked.health) {
      record_health(due.cluster, due.host, *checked.health, now);
    }
    if (checked.unejected) {
      record(due.cluster, {due.host, std::nullopt, health::OutlierEvent::Action::uneject}, true, now);
    }
    log_check(due, event.result, checked, now);
    // A host that was to be removed has gone with a failing check.
    if (cluster.watch->generation(due.host) == due.generation) {
      next.add(due, now + checked.next_delay);
    }
    follow(due.cluster, checked.effect, now);
  }
  next.end();
}

}  // namespace spillway::run
