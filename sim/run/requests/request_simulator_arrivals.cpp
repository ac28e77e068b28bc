// Arrivals: times and clients of requests, and the state kept for them.
#include "sim/run/requests/request_simulator.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

using scenario::Outcome;

// Finds the next open-loop arrival. If none is left before rates change, uses the time of that change as a lower bound.
void RequestSimulator::find_next_of_open_loops() {
  while (upcoming_->empty() && known_until_ <= rates_set_at_ && !rates_change_.empty()) {
    known_until_ = rates_change_.back();
    rates_change_.pop_back();
    upcoming_->begin(known_until_);
  }
  next_of_open_loops_ = upcoming_->empty() ? known_until_ : upcoming_->next().arrival.at;
}

void RequestSimulator::set_rate(const scenario::RateChange& change, Nanoseconds now) {
  entries_[change.client.value].arrivals.set_rate(now, change.rate, change.slope);
  rates_set_at_ = now;
}

inline void RequestSimulator::arrive(config::ClientEntryIndex index, std::uint32_t client, Nanoseconds now,
                                     const Soon* known) {
  if (world_->any_outage() && !world_->is_on(scenario::node_of(scenario_->clients[index.value], client))) {
    users_.answered(index, client, now, Nanoseconds{0});
    return;
  }
  Entry& entry = entries_[index.value];
  const Demand& demand = entry.only_demand != nullptr ? *entry.only_demand : traffic_->choose(index, entry.kinds);
  if (known != nullptr && known->demand != &demand) {
    known = nullptr;
    entry.stretch = 0;
  }
  const DemandPlan& plan = plans_[demand.place];
  // SimGrid may turn off nodes that the scenario does not mention.
  if (plan.hosts != nullptr && !world_->any_outage() && near_[plan.first_proxy + client].known) {
    arrive_near(plan, client, now, known);
    return;
  }
  arrive_slowly(plan, client, now, known);
}

// Sends a request on the general path.
void RequestSimulator::arrive_slowly(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const Soon* known) {
  const FlowIndex flow = plan.demand->flow;
  const EpochBook::OpenRow& row = book_->open_row(flow);
  Try first{.demand = plan.demand,
            .proxy = plan.first_proxy + client,
            .epoch = row.epoch,
            .sent_at = now,
            .now = now,
            .known = known};
  ++row.record->sent;
  Proxy& proxy = fleet_->proxy(first.proxy);
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  if (is_dropped(first)) {
    Ending ending = ending_of(first, Outcome::drop_overload);
    ending.target = std::nullopt;
    finish(ending);
    return;
  }
  if (plan.keeps && !plan.opens_late) {
    first.open = open_request(first);
  }
  attempt(first);
}

void RequestSimulator::simulate_arrival() {
  if (plans_.empty()) {
    find_plans();
  }
  if (users_.next_time() < next_of_open_loops()) {
    const Users::Sending sending = users_.pop();
    arrive(sending.entry, sending.client, sending.at, nullptr);
    return;
  }
  const auto [index, arrival] = upcoming_->next();
  upcoming_->pop();
  next_of_open_loops_ = upcoming_->empty() ? known_until_ : upcoming_->next().arrival.at;
  const Soon* const known = soon(arrived_++);
  arrive(config::ClientEntryIndex{index}, arrival.client, arrival.at, known);
  if (looks_ahead_ && arrived_ % together == 0) {
    look_ahead();
  }
}

// True if the request is dropped. Envoy draws for each request of such a cluster, unless it drops all.
bool RequestSimulator::is_dropped(const Try& attempt) {
  const double part = traffic_->dropped(attempt.demand->flow);
  constexpr double draws = 18446744073709551616.0;  // 2^64
  return part >= 1.0 || (part > 0.0 && static_cast<double>(fleet_->worker(attempt.worker).draws()) < part * draws);
}

// Returns the worker. Precondition: if the worker matters and the proxy has more than most_workers, the request is in
// open_.
std::uint32_t RequestSimulator::worker_of(const engine::Moment& moment) {
  return moment.open_request == OpenRequests::none ? fleet_->proxy(moment.proxy).first_worker + moment.worker
                                                   : open_.at(moment.open_request).worker;
}

std::uint32_t RequestSimulator::open_request(const Try& attempt) {
  OpenRequest request{.demand = attempt.demand,
                      .proxy = attempt.proxy,
                      .worker = attempt.worker,
                      .epoch = attempt.epoch,
                      .epoch_of_try = attempt.epoch,
                      .sent_at = attempt.sent_at};
  const auto choice = [&]() -> ChoiceOfHosts& {
    request.choice = request.choice ? std::move(request.choice) : std::make_unique<ChoiceOfHosts>();
    return *request.choice;
  };
  if (attempt.demand->override_hosts != nullptr) {
    choice().override_hosts = *attempt.demand->override_hosts;
  }
  if (attempt.demand->route != nullptr && attempt.demand->route->retry_policy) {
    const config::RetryPolicy& policy = *attempt.demand->route->retry_policy;
    request.retries.emplace(policy);
    if (!policy.retry_host_predicate.empty()) {
      choice().predicates.emplace(policy.retry_host_predicate);
    }
    if (policy.previous_priorities_update_frequency) {
      choice().previous_priorities.emplace(*policy.previous_priorities_update_frequency);
    }
  }
  return open_.add(std::move(request));
}

}  // namespace spillway::run
