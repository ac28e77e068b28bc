#include "sim/run/endpoint_book.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace spillway::run {

namespace {

// What may begin a row of a table.
bool tells_proxies(const scenario::Change& change) {
  return std::holds_alternative<scenario::TellHealth>(change.effect) ||
         std::holds_alternative<scenario::TellMembership>(change.effect) ||
         std::holds_alternative<scenario::TellWeights>(change.effect);
}

void sort_and_unite(std::vector<Nanoseconds>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

std::vector<Nanoseconds> sample_ends(Nanoseconds interval, Nanoseconds duration) {
  std::vector<Nanoseconds> ends;
  for (Nanoseconds at = interval; at < duration; at += interval) {
    ends.push_back(at);
  }
  ends.push_back(duration);
  return ends;
}

}  // namespace

EndpointBook::EndpointBook(const scenario::Scenario& scenario, const Flows& flows, EpochBook& book,
                           std::optional<Nanoseconds> sample)
    : scenario_(&scenario),
      flows_(&flows),
      book_(&book),
      sample_(sample),
      service_of_(scenario.endpoints.size()),
      closed_(scenario.endpoints.size(), 0),
      counted_(scenario.endpoints.size(), 0) {
  ends_ = sample ? sample_ends(*sample, scenario.duration) : std::vector{scenario.duration};
  for (const scenario::Change& change : scenario.changes) {
    if (tells_proxies(change) && change.at > Nanoseconds{0}) {
      ends_.push_back(change.at);
    }
  }
  sort_and_unite(ends_);
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    for (const scenario::Host& host : scenario.services[index].hosts) {
      std::optional<config::ServiceIndex>& service = service_of_[host.endpoint.value];
      if (!host.forwards_to && !service) {
        service = scenario::asked_for(scenario, config::ServiceIndex{index});
      }
    }
  }
}

void EndpointBook::count(FlowIndex flow, std::vector<std::uint64_t>& sums) const {
  if (scenario_->clients[flows_->at(flow).client.value].zone_proxy || !book_->is_open(flow)) {
    return;
  }
  const Targets& targets = book_->targets(flow);
  const std::vector<std::uint64_t>& attempts = book_->record(flow).attempts;
  for (std::size_t row = 0; row < attempts.size(); ++row) {
    sums[targets.at(static_cast<std::uint32_t>(row) / engine::availabilities).endpoint.value] += attempts[row];
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

void EndpointBook::write(const Stations& stations, Results& results) const {
  std::vector<Nanoseconds> ends;
  for (const Epoch& epoch : results.epochs) {
    ends.push_back(epoch.end);
  }
  sort_and_unite(ends);
  results.endpoints = loads(stations, ends);
  if (sample_) {
    results.samples = loads(stations, sample_ends(*sample_, scenario_->duration));
  }
}

// By stretches of time that end then; each is made of whole periods.
std::vector<EndpointLoad> EndpointBook::loads(const Stations& stations, std::span<const Nanoseconds> ends) const {
  std::vector<EndpointLoad> rows;
  std::vector<std::size_t> next_of_station(scenario_->endpoints.size(), 0);
  std::uint32_t period = 0;
  Nanoseconds start{0};
  for (std::uint32_t stretch = 0; stretch < ends.size(); ++stretch) {
    std::vector<std::uint64_t> requests(scenario_->endpoints.size(), 0);
    for (; period < ends_.size() && ends_[period] <= ends[stretch]; ++period) {
      for (const auto& [endpoint, count] : requests_[period]) {
        requests[endpoint.value] += count;
      }
    }
    const auto length = static_cast<double>((ends[stretch] - start).count());
    for (std::uint32_t index = 0; index < requests.size(); ++index) {
      const Stations::Measured measured = stations.measured(config::EndpointIndex{index});
      EndpointLoad row{.epoch = stretch, .start = start, .end = ends[stretch], .endpoint = {index}};
      row.requests = requests[index];
      bool idle = row.requests == 0;
      if (measured.load != nullptr) {
        engine::StationLoad::Period sum;
        const auto& periods = measured.load->periods();
        std::size_t& next = next_of_station[index];
        for (; next < periods.size() && periods[next].period < period; ++next) {
          sum.busy += periods[next].busy;
          sum.waited += periods[next].waited;
          sum.queue_max = std::max(sum.queue_max, periods[next].queue_max);
        }
        row.utilisation = sum.busy / (length * measured.cores);
        row.queue_mean = sum.waited / length;
        row.queue_max = sum.queue_max;
        idle = idle && sum.busy == 0.0 && sum.waited == 0.0 && sum.queue_max == 0;
      }
      if (service_of_[index] && !idle) {
        row.service = *service_of_[index];
        rows.push_back(row);
      }
    }
    start = ends[stretch];
  }
  return rows;
}

}  // namespace spillway::run
