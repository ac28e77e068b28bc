// Applies the changes of the scenario's timeline to a run.
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/run/records/authored_events.hpp"
#include "sim/run/simulation_loop.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/last_of_moment.hpp"

namespace spillway::run {

void SimulationLoop::apply(const AuthoredChange& event, Nanoseconds now) {
  if (log_ && !scenario::is_replaced(last_of_moment_, event.change)) {
    if (const auto logged_event = authored_event(*scenario_, static_cast<std::uint32_t>(event.change))) {
      log_->add(*logged_event);
    }
  }
  const auto last = last_of_moment_.find(event.change);
  std::visit([&](const auto& effect) { change(effect, now); },
             last == last_of_moment_.end() ? scenario_->changes[event.change].effect : last->second);
}

template <class Push>
void SimulationLoop::tell(const Push& push, Nanoseconds now) {
  const std::vector<FlowIndex>& flows = upstreams_.flows_to(push.service);
  std::vector<Upstreams::State> before;
  for (const FlowIndex flow : flows) {
    before.push_back(upstreams_.state(flow));
    const bool moves_traffic = upstreams_.concerns(push, flow) || upstreams_.passes_on(flow, push.service);
    // Several changes at one time are one row.
    if (moves_traffic && book_.is_open(flow)) {
      for (const FlowIndex together : flows_.group(flows_.leader(flow))) {
        end_row(together, now);
      }
    }
  }
  // Events at the start precede the first check.
  upstreams_.tell(push, mode_ == scenario::Mode::exact && now > Nanoseconds{0} ? Upstreams::Removal::once_a_check_fails
                                                                               : Upstreams::Removal::at_once);
  for (std::size_t position = 0; position < flows.size(); ++position) {
    const FlowIndex flow = flows[position];
    if (!upstreams_.concerns(push, flow)) {
      continue;
    }
    book_.note_reported(flow, *before[position], *upstreams_.state(flow), now);
    if (fleet_) {
      if constexpr (std::is_same_v<Push, scenario::EdsMembership>) {
        fleet_->take_membership(flow, push, now);
      } else if constexpr (std::is_same_v<Push, scenario::EdsPriority>) {
        fleet_->take_priorities(flow, push);
      }
      fleet_->take_pushed_states(flow, push.service, now);
    }
  }
}

// Applies runtime values. Only zone-aware routing, which needs a local cluster, reads them when it picks.
void SimulationLoop::change(const config::RuntimeChange& effect, Nanoseconds now) {
  const bool at_once = scenario_->local_cluster.has_value();
  for (const FlowIndex flow : flows_.all()) {
    if (at_once && book_.is_open(flow) && upstreams_.takes_effect(effect, flow)) {
      for (const FlowIndex together : flows_.group(flows_.leader(flow))) {
        end_row(together, now);
      }
    }
  }
  upstreams_.tell(effect);
  for (const FlowIndex flow : flows_.all()) {
    if (at_once && fleet_) {
      fleet_->take_runtime(flow, now);
    }
  }
}

void SimulationLoop::change(const scenario::Slow& effect, Nanoseconds now) {
  truth_.set(effect, now);
  if (simulator_) {
    simulator_->set(effect, now);
  }
}

void SimulationLoop::change(const scenario::RateChange& effect, Nanoseconds now) {
  for (const FlowIndex flow : flows_.of_client(effect.client)) {
    if (book_.is_open(flow)) {
      count_time(flow, now);
    }
  }
  truth_.set(effect, now);
  if (simulator_) {
    simulator_->set_rate(effect, now);
  }
}

void SimulationLoop::change(const scenario::NodeOutage& effect, Nanoseconds now) {
  for (const FlowIndex flow : flows_.all()) {
    const bool runs_there = scenario::clients_on(scenario_->clients[flows_.at(flow).client.value],
                                                 [&](config::NodeIndex node) { return node == effect.node; }) > 0;
    if (runs_there && book_.is_open(flow)) {
      count_time(flow, now);
    }
  }
  world_.set_on(effect.node, effect.on);
  if (simulator_ && !effect.on) {
    simulator_->lose(effect.node, now);
  }
}

void SimulationLoop::change(const scenario::LinkChange& effect, Nanoseconds /*now*/) {
  if (effect.latency) {
    world_.set_latency(effect.link, *effect.latency);
  }
  if (effect.on) {
    world_.set_on(effect.link, *effect.on);
  }
}

}  // namespace spillway::run
