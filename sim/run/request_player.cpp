#include "sim/run/request_player.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <string>
#include <xxhash.h>

namespace spillway::run {

namespace {

constexpr std::uint32_t service_unavailable = 503;

// Streams hang on names, so that an entry added to the scenario changes nobody else's draws.
std::uint64_t entity(const std::string& name, std::uint64_t number) {
  return XXH64(name.data(), name.size(), number);
}

bool counts_active_requests(const scenario::Scenario& scenario, config::ServiceIndex service) {
  const std::vector<config::ServiceIndex> members = scenario::members_of(scenario, service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return envoy::policies::reads_active_requests(scenario.services[member.value].cluster.lb_policy);
  });
}

std::uint32_t status_of(scenario::Outcome outcome) {
  return outcome == scenario::Outcome::ok ? 200 : service_unavailable;
}

std::uint32_t active_slot(const envoy::ClusterState& state, const envoy::Pick& pick) {
  return pick.host.value + (state.aggregate ? state.first_host_of_child[pick.child] : 0);
}

void mix(std::uint64_t& hash, std::uint64_t word) {
  unsigned char bytes[8];
  for (unsigned index = 0; index < 8; ++index) {
    bytes[index] = static_cast<unsigned char>(word >> (8 * index));
  }
  hash = XXH64(bytes, sizeof(bytes), hash);
}

void mix(std::uint64_t& hash, const engine::RandomStream& stream) {
  mix(hash, stream.draws());
  mix(hash, stream.fingerprint());
}

}  // namespace

RequestPlayer::RequestPlayer(const scenario::Scenario& scenario, std::uint64_t seed, const world::World& world,
                             const Upstreams& upstreams, EpochBook& book, Agenda<Event>& agenda)
    : scenario_(&scenario), seed_(seed), world_(&world), upstreams_(&upstreams), book_(&book), agenda_(&agenda) {
  for (const scenario::Service& service : scenario.services) {
    failing_.emplace_back(service.endpoints.size(), 0.0);
    failure_draws_.emplace_back(service.endpoints.size());
    existing_.emplace_back(service.endpoints.size(), std::uint8_t{1});
    check_answers_.emplace_back(service.endpoints.size(), scenario::CheckAnswer::healthy);
    for (const config::HostIndex host : service.absent_at_start) {
      existing_.back()[host.value] = 0;
    }
  }
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const config::ClientEntryIndex entry{index};
    const scenario::ClientEntry& client = scenario.clients[index];
    const scenario::Service& service = scenario.services[client.workload.service.value];
    entries_.push_back(
        {engine::Arrivals(client.workload.arrivals, client.workload.rate, client.count,
                          engine::RandomStream({seed, engine::Purpose::arrivals, entity(client.name, 0)})),
         static_cast<std::uint32_t>(proxies_.size())});
    for (std::uint32_t number = 0; number < client.count; ++number) {
      const std::uint64_t id = entity(client.name, number);
      proxies_.emplace_back(entry, upstreams.state(entry),
                            engine::RandomStream({seed, engine::Purpose::balancing, id}));
      if (counts_active_requests(scenario, client.workload.service)) {
        proxies_.back().active_requests.resize(book.targets(entry).size(), 0);
      }
      if (service.cluster.outlier_detection) {
        proxies_.back().ejections = std::make_unique<engine::Ejections>(
            engine::Ejections{health::OutlierDetector(*service.cluster.outlier_detection,
                                                      static_cast<std::uint32_t>(service.endpoints.size())),
                              health::UpdateMergeWindow(service.cluster.common_lb_config.update_merge_window),
                              engine::RandomStream({seed, engine::Purpose::ejection, id}),
                              {}});
      }
    }
    order_.push_back(index);
    std::push_heap(order_.begin(), order_.end(),
                   [&](std::uint32_t left, std::uint32_t right) { return arrives_later(left, right); });
  }
}

bool RequestPlayer::arrives_later(std::uint32_t left, std::uint32_t right) const noexcept {
  const Nanoseconds left_at = entries_[left].arrivals.next().at;
  const Nanoseconds right_at = entries_[right].arrivals.next().at;
  return left_at != right_at ? left_at > right_at : left > right;
}

Nanoseconds RequestPlayer::next_time() const noexcept {
  return std::min(calendar_.next_time(), next_arrival());
}

Nanoseconds RequestPlayer::next_arrival() const noexcept {
  if (order_.empty()) {
    return engine::Calendar::never;
  }
  const Nanoseconds at = entries_[order_.front()].arrivals.next().at;
  return at < scenario_->duration ? at : engine::Calendar::never;
}

void RequestPlayer::play_next() {
  ++played_;
  if (calendar_.next_time() <= next_arrival()) {
    play_answer();
  } else {
    play_arrival();
  }
}

void RequestPlayer::play_arrival() {
  const config::ClientEntryIndex index{order_.front()};
  Entry& entry = entries_[index.value];
  const engine::Arrival arrival = entry.arrivals.next();
  const auto later = [&](std::uint32_t left, std::uint32_t right) { return arrives_later(left, right); };
  std::pop_heap(order_.begin(), order_.end(), later);
  entry.arrivals.advance();
  std::push_heap(order_.begin(), order_.end(), later);

  const config::NodeIndex client = scenario_->clients[index.value].node;
  if (!world_->is_on(client)) {
    return;
  }
  const std::uint32_t proxy_index = entry.first_proxy + arrival.client;
  engine::Proxy& proxy = proxies_[proxy_index];
  engine::EpochRecord& record = book_->record(index);
  ++record.sent;
  ++proxy.sent_in_state;
  const std::optional<envoy::Pick> pick =
      proxy.balancer.choose(proxy.draws, {.active_requests = proxy.active_requests, .now = arrival.at});
  if (!pick) {
    book_->finish(index, book_->epoch(index), scenario::Outcome::no_healthy_upstream, Nanoseconds{0});
    return;
  }
  const Targets& targets = book_->targets(index);
  const std::uint32_t target = targets.index_of(pick->child, pick->host);
  ++record.requests[engine::row_of(target, pick->availability)];
  engine::Answer answer = answer_of(targets.at(target), client, arrival.at);
  answer.proxy = proxy_index;
  answer.epoch = book_->epoch(index);
  answer.target = target;
  if (!proxy.active_requests.empty()) {
    answer.active_slot = active_slot(*proxy.state, *pick);
    ++proxy.active_requests[answer.active_slot];
  }
  calendar_.push(answer);
}

engine::Answer RequestPlayer::answer_of(const Target& target, config::NodeIndex client, Nanoseconds now) {
  const scenario::Endpoint& endpoint = target.endpoint(*scenario_);
  engine::Answer answer;
  answer.sent_at = now;
  answer.node_outages = world_->outages(endpoint.node);
  if (!world_->is_linked(client, endpoint.node)) {
    answer.at = now;
    answer.outcome = scenario::Outcome::connect_failure;
    return answer;
  }
  answer.at = now + 2 * world_->latency(client, endpoint.node);
  if (!world_->is_on(endpoint.node) || existing_[target.service.value][target.host.value] == 0) {
    answer.outcome = scenario::Outcome::connect_failure;
    return answer;
  }
  answer.at += endpoint.service_time;
  answer.outcome = fails(target) ? scenario::Outcome::upstream_error : scenario::Outcome::ok;
  return answer;
}

bool RequestPlayer::fails(const Target& target) {
  const double fraction = failing_[target.service.value][target.host.value];
  if (fraction <= 0.0 || fraction >= 1.0) {
    return fraction >= 1.0;
  }
  return engine::unit_interval(*failure_draws_[target.service.value][target.host.value]) <= fraction;
}

void RequestPlayer::play_answer() {
  const engine::Answer answer = calendar_.pop();
  engine::Proxy& proxy = proxies_[answer.proxy];
  const Target& target = book_->targets(proxy.entry).at(answer.target);
  if (!proxy.active_requests.empty()) {
    --proxy.active_requests[answer.active_slot];
  }
  scenario::Outcome outcome = answer.outcome;
  if (outcome == scenario::Outcome::ok && world_->outages(target.endpoint(*scenario_).node) != answer.node_outages) {
    outcome = scenario::Outcome::upstream_error;
  }
  book_->finish(proxy.entry, answer.epoch, outcome, answer.at - answer.sent_at);
  if (proxy.ejections) {
    for (const health::Detection run : proxy.ejections->detector.report(target.host, status_of(outcome))) {
      agenda_->push(answer.at, EventClass::ejection, EjectionDecision{answer.proxy, target.host, run});
    }
  }
}

void RequestPlayer::set_failing(const scenario::Fails& change) {
  for (const config::HostIndex host : change.hosts) {
    failing_[change.service.value][host.value] = change.fraction;
    std::optional<engine::RandomStream>& draws = failure_draws_[change.service.value][host.value];
    if (!draws) {
      const std::string& id = scenario_->services[change.service.value].endpoints[host.value].id;
      draws.emplace(engine::StreamIdentity{seed_, engine::Purpose::failures, entity(id, 0)});
    }
  }
}

void RequestPlayer::set_existing(const scenario::Existence& change) {
  for (const config::HostIndex host : change.hosts) {
    existing_[change.service.value][host.value] = change.exists ? 1 : 0;
  }
}

void RequestPlayer::set_check_answers(const scenario::AnswersChecks& change) {
  for (const config::HostIndex host : change.hosts) {
    check_answers_[change.service.value][host.value] = change.answer;
  }
}

void RequestPlayer::set_rate(const scenario::RateChange& change, Nanoseconds now) {
  entries_[change.client.value].arrivals.set_rate(now, change.rate);
  std::make_heap(order_.begin(), order_.end(),
                 [&](std::uint32_t left, std::uint32_t right) { return arrives_later(left, right); });
}

void RequestPlayer::decide_ejection(const EjectionDecision& decision, Nanoseconds now) {
  engine::Ejections& ejections = *proxies_[decision.proxy].ejections;
  const auto event = ejections.detector.decide(decision.host, decision.run, now, ejections.draws);
  if (event && event->action == health::OutlierEvent::Action::eject) {
    ++events_.ejections;
    change_waits_or_applies(decision.proxy, now);
  }
}

void RequestPlayer::sweep(config::ServiceIndex service, Nanoseconds now) {
  for (std::uint32_t index = 0; index < proxies_.size(); ++index) {
    engine::Proxy& proxy = proxies_[index];
    if (!proxy.ejections || scenario_->clients[proxy.entry.value].workload.service != service) {
      continue;
    }
    for (const health::OutlierEvent& event : proxy.ejections->detector.sweep(now, proxy.ejections->draws)) {
      const bool back = event.action == health::OutlierEvent::Action::uneject;
      const bool out = event.action == health::OutlierEvent::Action::eject;
      events_.unejections += back ? 1 : 0;
      events_.ejections += out ? 1 : 0;
      if (back || out) {
        change_waits_or_applies(index, now);
      }
    }
  }
}

void RequestPlayer::change_waits_or_applies(std::uint32_t index, Nanoseconds now) {
  engine::Proxy& proxy = proxies_[index];
  switch (proxy.ejections->window.change(now)) {
    case health::UpdateMergeWindow::Action::apply:
      apply_ejections(proxy, now);
      break;
    case health::UpdateMergeWindow::Action::start:
      agenda_->push(now + proxy.ejections->window.window(), EventClass::merged_update, MergedUpdate{index});
      break;
    case health::UpdateMergeWindow::Action::keep_still:
      break;
  }
}

void RequestPlayer::deliver_merged_update(const MergedUpdate& update, Nanoseconds now) {
  engine::Proxy& proxy = proxies_[update.proxy];
  if (proxy.ejections->window.deliver(now)) {
    apply_ejections(proxy, now);
  }
}

void RequestPlayer::apply_ejections(engine::Proxy& proxy, Nanoseconds now) {
  const health::OutlierDetector& detector = proxy.ejections->detector;
  std::vector<bool> ejected;
  if (detector.ejected_hosts() > 0) {
    const auto hosts =
        scenario_->services[scenario_->clients[proxy.entry.value].workload.service.value].endpoints.size();
    for (std::uint32_t host = 0; host < hosts; ++host) {
      ejected.push_back(detector.ejected(config::HostIndex{host}));
    }
  }
  take_state(proxy, ejected.empty() ? upstreams_->state(proxy.entry)
                                    : upstreams_->state_without(proxy.entry, proxy.state, ejected));
  book_->count_new_state(proxy.entry, now);
}

void RequestPlayer::take_state(engine::Proxy& proxy, Upstreams::State state) {
  book_->count_requests(proxy.entry, proxy.state, proxy.sent_in_state);
  proxy.sent_in_state = 0;
  proxy.state = std::move(state);
  proxy.balancer.update(proxy.state, proxy.draws, proxy.active_requests);
}

void RequestPlayer::take_pushed_states(config::ClientEntryIndex entry, Nanoseconds now) {
  const std::uint32_t begin = entries_[entry.value].first_proxy;
  for (std::uint32_t index = begin; index < begin + scenario_->clients[entry.value].count; ++index) {
    engine::Proxy& proxy = proxies_[index];
    if (proxy.ejections) {
      proxy.ejections->window.overtaken(now);
      apply_ejections(proxy, now);
    } else {
      take_state(proxy, upstreams_->state(entry));
    }
  }
}

void RequestPlayer::count_requests(config::ClientEntryIndex entry) {
  const std::uint32_t begin = entries_[entry.value].first_proxy;
  for (std::uint32_t index = begin; index < begin + scenario_->clients[entry.value].count; ++index) {
    engine::Proxy& proxy = proxies_[index];
    if (proxy.sent_in_state > 0) {
      book_->count_requests(entry, proxy.state, proxy.sent_in_state);
      proxy.sent_in_state = 0;
    }
  }
}

std::uint64_t RequestPlayer::fingerprint() const {
  std::uint64_t hash = seed_;
  for (const Entry& entry : entries_) {
    mix(hash, entry.arrivals.stream());
  }
  for (const engine::Proxy& proxy : proxies_) {
    mix(hash, proxy.draws);
    if (proxy.ejections) {
      mix(hash, proxy.ejections->draws);
    }
  }
  for (const auto& service : failure_draws_) {
    for (const std::optional<engine::RandomStream>& draws : service) {
      if (draws) {
        mix(hash, *draws);
      }
    }
  }
  mix(hash, events_.ejections);
  mix(hash, events_.unejections);
  return hash;
}

}  // namespace spillway::run
