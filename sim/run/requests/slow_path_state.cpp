// The state that the slow path keeps of requests between their tries.
#include <memory>

#include "sim/run/proxies/fleet.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::run {

using engine::CalendarEvent;

std::uint32_t SlowPath::open_request(const Try& attempt) {
  OpenRequest request{.demand = attempt.demand,
                      .proxy = attempt.proxy,
                      .worker = attempt.worker,
                      .epoch = attempt.epoch,
                      .epoch_of_try = attempt.epoch,
                      .sent_at = attempt.sent_at,
                      .delay = attempt.delay};
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
  return parts_.open.add(std::move(request));
}

// Opens a request whose first try has been sent, or has to wait.
void SlowPath::open_sent(Try& attempt) {
  attempt.open = open_request(attempt);
  OpenRequest& open = parts_.open.at(attempt.open);
  open.tries = 1;
  open.target = attempt.target;
}

void SlowPath::open_sent(CalendarEvent& moment) {
  const DemandPlan& plan = parts_.plans[moment.demand];
  if (!plan.opens_late || !plan.keeps) {
    return;
  }
  Try first{.demand = plan.demand,
            .proxy = moment.proxy,
            .worker = parts_.fleet.proxy(moment.proxy).first_worker + moment.worker,
            .epoch = moment.epoch,
            .target = moment.target,
            .sent_at = moment.sent_at,
            .now = moment.at};
  open_sent(first);
  moment.open_request = first.open;
}

// Returns the worker. Precondition: if the worker matters and the proxy has more than most_workers, the request is in
// parts_.open.
std::uint32_t SlowPath::worker_of(const engine::CalendarEvent& moment) {
  return moment.open_request == OpenRequests::none ? parts_.fleet.proxy(moment.proxy).first_worker + moment.worker
                                                   : parts_.open.at(moment.open_request).worker;
}

}  // namespace spillway::run
