#include "sim/run/records/endpoint_book.hpp"

#include <algorithm>

#include "sim/run/records/epoch_book.hpp"
#include "sim/run/records/load_periods.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {
namespace {

// Returns the windows of expectations, then the parts of each.
std::vector<Stretch> windows_and_parts(const scenario::Scenario& scenario) {
  const std::vector<Stretch> windows = window_stretches(scenario);
  std::vector<Stretch> stretches = windows;
  for (const Stretch& window : windows) {
    const std::vector<Stretch> parts = parts_of(window);
    stretches.insert(stretches.end(), parts.begin(), parts.end());
  }
  return stretches;
}

std::vector<Nanoseconds> with_parts(const scenario::Scenario& scenario, std::span<const Nanoseconds> cuts) {
  std::vector<Nanoseconds> all(cuts.begin(), cuts.end());
  for (const Stretch& stretch : windows_and_parts(scenario)) {
    all.push_back(stretch.end);
  }
  return all;
}

}  // namespace

EndpointBook::EndpointBook(const scenario::Scenario& scenario, const Flows& flows, EpochBook& book,
                           std::optional<Nanoseconds> sample, std::span<const Nanoseconds> cuts)
    : scenario_(&scenario),
      flows_(&flows),
      book_(&book),
      sample_(sample),
      ends_(period_ends(scenario, sample, CutAt::eds_view, with_parts(scenario, cuts))),
      service_of_(services_of_endpoints(scenario)),
      closed_(scenario.endpoints.size(), 0),
      counted_(scenario.endpoints.size(), 0) {}

void EndpointBook::count(FlowIndex flow, std::vector<std::uint64_t>& sums) const {
  if (scenario_->clients[flows_->at(flow).client.value].zone_proxy || !book_->is_open(flow)) {
    return;
  }
  const Targets& targets = book_->targets(flow);
  const engine::EpochRecord& record = book_->record(flow);
  for (std::size_t row = 0; row < record.requests.size(); ++row) {
    sums[targets.at(static_cast<std::uint32_t>(row) / engine::availabilities).endpoint.value] += record.attempts(row);
  }
}

void EndpointBook::end_period() {
  std::vector<std::uint64_t> sums = closed_;
  for (const FlowIndex flow : flows_->all()) {
    count(flow, sums);
  }
  auto& requests = requests_.emplace_back();
  for (std::uint32_t endpoint = 0; endpoint < sums.size(); ++endpoint) {
    if (sums[endpoint] > counted_[endpoint]) {
      requests.emplace_back(config::EndpointIndex{endpoint}, sums[endpoint] - counted_[endpoint]);
    }
  }
  counted_ = std::move(sums);
}

void EndpointBook::write(const ServerQueues& server_queues, std::span<const Stretch> epochs, Results& results) const {
  results.endpoints = loads(server_queues, epochs);
  if (sample_) {
    results.samples = loads(server_queues, sample_stretches(*sample_, scenario_->duration));
  }
  results.windows = loads(server_queues, windows_and_parts(*scenario_));
}

std::vector<EndpointLoad> EndpointBook::loads(const ServerQueues& server_queues,
                                              std::span<const Stretch> stretches) const {
  std::vector<EndpointLoad> rows;
  for (std::uint32_t number = 0; number < stretches.size(); ++number) {
    const Stretch& stretch = stretches[number];
    std::vector<std::uint64_t> requests(scenario_->endpoints.size(), 0);
    const auto [first, last] = periods_of(stretch, ends_);
    for (std::size_t period = first; period < last; ++period) {
      for (const auto& [endpoint, count] : requests_[period]) {
        requests[endpoint.value] += count;
      }
    }
    for (std::uint32_t index = 0; index < requests.size(); ++index) {
      EndpointLoad row{.epoch = number, .start = stretch.start, .end = stretch.end, .endpoint = {index}};
      row.requests = requests[index];
      const bool idle = !add_server(server_queues, first, last, row) && row.requests == 0;
      if (service_of_[index] && !idle) {
        row.service = *service_of_[index];
        rows.push_back(row);
      }
    }
  }
  return rows;
}

// Adds the load of the endpoint's server in these periods; returns false if there was none.
bool EndpointBook::add_server(const ServerQueues& server_queues, std::size_t first, std::size_t last,
                              EndpointLoad& row) {
  const ServerQueues::Measured measured = server_queues.measured(row.endpoint);
  if (measured.load == nullptr) {
    return false;
  }
  engine::ServerLoad::Period sum;
  const auto& periods = measured.load->periods();
  auto next = std::lower_bound(periods.begin(), periods.end(), first,
                               [](const auto& period, std::size_t number) { return period.period < number; });
  for (; next != periods.end() && next->period < last; ++next) {
    sum.busy += next->busy;
    sum.waited += next->waited;
    sum.queue_max = std::max(sum.queue_max, next->queue_max);
  }
  const auto length = static_cast<double>((row.end - row.start).count());
  row.utilisation = sum.busy / (length * measured.cores);
  row.queue_mean = sum.waited / length;
  row.queue_max = sum.queue_max;
  return sum.busy != 0.0 || sum.waited != 0.0 || sum.queue_max != 0;
}

}  // namespace spillway::run
