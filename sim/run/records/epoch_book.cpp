#include "sim/run/records/epoch_book.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/newcomers.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/records/epoch_health.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-9;
}

LatencyQuantiles quantiles_of(const engine::LatencyHistogram& latency) {
  return {.answers = latency.total(),
          .p50 = seconds(latency.quantile(0.5)),
          .p90 = seconds(latency.quantile(0.9)),
          .p95 = seconds(latency.quantile(0.95)),
          .p99 = seconds(latency.quantile(0.99)),
          .p999 = seconds(latency.quantile(0.999)),
          .max = seconds(latency.maximum())};
}

std::vector<std::uint64_t> filled_cells(const engine::LatencyHistogram& latency) {
  const auto cells = latency.cells();
  std::vector<std::uint64_t> filled;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] > 0) {
      filled.insert(filled.end(), {cell, cells[cell]});
    }
  }
  return filled;
}

}  // namespace

EpochBook::EpochBook(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic,
                     const Upstreams& upstreams, ClosedForms& closed_forms, scenario::Mode mode,
                     std::vector<Nanoseconds> latency_limits, CountedPositions counted_positions)
    : scenario_(&scenario),
      flows_(&flows),
      traffic_(&traffic),
      upstreams_(&upstreams),
      closed_forms_(&closed_forms),
      mode_(mode),
      latency_limits_(std::move(latency_limits)),
      counted_positions_(std::move(counted_positions)),
      position_of_count_(scenario.services.size()),
      places_of_service_(scenario.services.size()),
      healths_(upstreams.classes()),
      forwarded_(std::make_shared<ForwardedParts>(Balancing{scenario, flows, traffic, upstreams})),
      opened_(scenario, upstreams.classes()),
      clocks_(upstreams.classes()),
      entries_(flows.size()),
      open_rows_(flows.size()),
      crossings_(scenario, flows, mode) {
  for (std::uint32_t service = 0; service < scenario.services.size(); ++service) {
    targets_of_service_.emplace_back(scenario, config::ServiceIndex{service});
  }
}

void EpochBook::set_apart(config::EndpointIndex endpoint) {
  closed_forms_->set_apart(endpoint);
}

void EpochBook::note_own_state(FlowIndex of_zone_proxy) {
  closed_forms_->note_own_state(of_zone_proxy);
}

void EpochBook::open(FlowIndex index, Nanoseconds now) {
  Entry& entry = entries_[index.value];
  Epoch epoch;
  epoch.index = static_cast<std::uint32_t>(entry.epochs.size());
  epoch.client = flows_->at(index).client;
  epoch.view = flows_->at(index).service;
  epoch.service = scenario::asked_for(*scenario_, epoch.view);
  epoch.start = now;
  epoch.health = health(index);
  entry.epochs.push_back(std::move(epoch));
  if (mode_ != scenario::Mode::exact) {
    entry.records.push_back(std::make_unique<engine::EpochRecord>());
    const std::size_t rows = std::size_t{targets(index).size()} * engine::availabilities;
    entry.records.back()->requests.assign(rows, 0);
    entry.records.back()->latency.count_within(latency_limits_);
    entry.latency.emplace_back();
    open_rows_[index.value] = {entry.records.back().get(), entry.epochs.back().index};
  }
  entry.open = true;
  entry.time_counted = now;
  entry.last_new_state = now;
}

std::shared_ptr<const EpochHealth> EpochBook::health(FlowIndex index) {
  auto& [state, reported] = healths_[upstreams_->class_index(index)];
  if (state != upstreams_->state(index)) {
    state = upstreams_->state(index);
    reported = std::make_shared<const EpochHealth>(epoch_health(
        *scenario_, targets(index), scenario_->services[flows_->at(index).service.value].cluster, *upstreams_, index));
  }
  return reported;
}

void EpochBook::count_time(FlowIndex index, const Upstreams::State& state, Nanoseconds now, double rate) {
  Entry& entry = entries_[index.value];
  const double passed = seconds(now - entry.time_counted);
  entry.by_time.add(state, passed);
  entry.by_rate.add(state, rate * passed);
  if (in_slow_start(index)) {
    entry.steps.push_back({(entry.time_counted + now) / 2, rate * passed});
  }
  entry.time_counted = now;
}

void EpochBook::count_requests(FlowIndex index, const Upstreams::State& state, std::uint64_t sent, Nanoseconds now) {
  if (sent == 0) {
    return;
  }
  // Bounds the memory by this many states.
  constexpr std::size_t most_states = 64;
  Entry& entry = entries_[index.value];
  entry.stays += std::min<std::uint64_t>(sent, scenario_->clients[flows_->at(index).client.value].concurrency);
  entry.by_requests.add(state, static_cast<double>(sent));
  if (entry.by_requests.uses().size() > most_states) {
    add_states(begin_mean(index), index, entry.by_requests, now);
    entry.ended_requests += entry.by_requests.total();
    entry.by_requests.clear();
  }
}

void EpochBook::count_new_state(FlowIndex index, Nanoseconds now) {
  Entry& entry = entries_[index.value];
  entry.disturbed = true;
  if (now > entry.last_new_state) {
    entry.last_new_state = now;
    ++entry.epochs.back().states;
  }
}

void EpochBook::note_newcomers(FlowIndex flow, const envoy::ClusterState& before, const envoy::ClusterState& after,
                               Nanoseconds now) {
  const Nanoseconds window = envoy::slow_start_window(after);
  if (window > Nanoseconds{0} && envoy::gains_healthy_host(before, after)) {
    Nanoseconds& until = entries_[flow.value].slow_start_until;
    until = std::max(until, now + window);
  }
}

void EpochBook::note_reported(FlowIndex flow, const envoy::ClusterState& before, const envoy::ClusterState& after,
                              Nanoseconds now) {
  note_newcomers(flow, before, after, now);
  if (followed_slow_start(after) != nullptr) {
    std::optional<SlowStartClock>& clock = clocks_[upstreams_->class_index(flow)];
    if (!clock) {
      clock.emplace(before);
    }
    clock->take(after, now);
  }
}

Nanoseconds EpochBook::end_of_step(FlowIndex flow, Nanoseconds now) const {
  constexpr int steps_of_window = 100;
  const Entry& entry = entries_[flow.value];
  const config::SlowStartConfig* const config = followed_slow_start(*upstreams_->state(flow));
  if (config == nullptr || !in_slow_start(flow) || entry.time_counted >= entry.slow_start_until) {
    return now;
  }
  const Nanoseconds step = std::max<Nanoseconds>(config->slow_start_window / steps_of_window, Nanoseconds{1'000'000});
  return std::min({entry.time_counted + step, entry.slow_start_until, now});
}

void EpochBook::close(FlowIndex index, Nanoseconds now) {
  Entry& entry = entries_[index.value];
  entry.epochs.back().end = now;
  entry.epochs.back().expected_requests = expected_requests(index);
  ShareBlock& block = entry.shares.emplace_back();
  if (!scenario_->clients[flows_->at(index).client.value].zone_proxy) {
    const std::shared_ptr<const ClassRows> rows = class_rows(index, now);
    const Epoch& epoch = entry.epochs.back();
    block = {.epoch = epoch.index, .client = epoch.client, .service = epoch.service, .exact = rows->exact};
    block.counted = counted_rows(index);
    count_crossings(block, index, *rows);
  }
  entry.open = false;
  open_rows_[index.value] = {};
  entry.by_requests.clear();
  entry.by_rate.clear();
  entry.by_time.clear();
  entry.steps.clear();
  entry.ended.reset();
  entry.forwarded.clear();
  entry.connected.clear();
  entry.ended_requests = 0.0;
  entry.stays = 0;
  entry.retried = false;
  if (mode_ == scenario::Mode::exact) {
    return;
  }
  // Clearing the list would keep its memory.
  entry.records.back()->requests = std::vector<std::uint64_t>();
  entry.records.back()->further = std::vector<std::uint64_t>();
  if (flows_->leader(index) == index) {
    summarise_latency(index, epoch(index));
  }
}

// Returns the requests that the flow is expected to send. A trace determines their number itself.
double EpochBook::expected_requests(FlowIndex index) const {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(index).client.value];
  const double by_rate = entries_[index.value].by_rate.total() * client.count;
  if (client.workload.trace == nullptr || by_rate <= 0.0) {
    return by_rate;
  }
  const Epoch& epoch = entries_[index.value].epochs.back();
  const std::vector<scenario::TracedArrival>& trace = *client.workload.trace;
  const auto from = [&](Nanoseconds time) {
    return std::lower_bound(trace.begin(), trace.end(), time,
                            [](const scenario::TracedArrival& arrival, Nanoseconds at) { return arrival.at < at; });
  };
  const double mean = client.workload.rate * client.count * seconds(entries_[index.value].time_counted - epoch.start);
  return by_rate / mean * static_cast<double>(from(entries_[index.value].time_counted) - from(epoch.start));
}

const std::shared_ptr<const SharePlaces>& EpochBook::places(FlowIndex index) {
  auto& found = places_of_service_[flows_->at(index).service.value];
  if (!found) {
    const Targets& hosts = targets(index);
    SharePlaces table{.places = {}, .rows = hosts.rows()};
    for (std::uint32_t target = 0; target < hosts.size(); ++target) {
      table.places.push_back(share_place(*scenario_, hosts.at(target)));
    }
    found = std::make_shared<const SharePlaces>(std::move(table));
  }
  return found;
}

void EpochBook::finish(FlowIndex flow, std::uint32_t epoch, scenario::Outcome outcome, Nanoseconds latency) {
  const FlowIndex leader = flows_->leader(flow);
  engine::EpochRecord& record = *entries_[leader.value].records[epoch];
  ++record.outcomes[outcome];
  ++record.finished;
  if (outcome == scenario::Outcome::ok) {
    record.latency.add(latency);
  } else if (outcome != scenario::Outcome::unfinished) {
    record.errors.add(latency);
  }
  summarise_latency(leader, epoch);
}

std::uint64_t EpochBook::sent_in(FlowIndex leader, std::uint32_t epoch) const {
  std::uint64_t sent = 0;
  for (const FlowIndex flow : flows_->group(leader)) {
    sent += entries_[flow.value].records[epoch]->sent;
  }
  return sent;
}

void EpochBook::summarise_latency(FlowIndex leader, std::uint32_t epoch) {
  Entry& entry = entries_[leader.value];
  engine::EpochRecord& record = *entry.records[epoch];
  const bool closed = epoch + 1 < entry.records.size() || !entry.open;
  if (!closed || record.finished < sent_in(leader, epoch)) {
    return;
  }
  entry.latency[epoch] = Latency{.epoch = epoch,
                                 .client = entry.epochs[epoch].client,
                                 .service = entry.epochs[epoch].service,
                                 .answers = record.latency.total(),
                                 .p50 = seconds(record.latency.quantile(0.5)),
                                 .p90 = seconds(record.latency.quantile(0.9)),
                                 .p95 = seconds(record.latency.quantile(0.95)),
                                 .p99 = seconds(record.latency.quantile(0.99)),
                                 .max = seconds(record.latency.maximum())};
  summarise_limits(entry, epoch);
  if (entry.epochs[epoch].start >= measured_from_) {
    entry.latency_of_all.add(record.latency);
    entry.errors_of_all.add(record.errors);
  }
  record.latency = {};
  record.errors = {};
}

void EpochBook::summarise_limits(Entry& entry, std::uint32_t epoch) const {
  const engine::EpochRecord& record = *entry.records[epoch];
  for (std::uint32_t limit = 0; limit < latency_limits_.size(); ++limit) {
    WithinLimit row{.epoch = epoch,
                    .client = entry.epochs[epoch].client,
                    .service = entry.epochs[epoch].service,
                    .limit = limit,
                    .answers = record.latency.within(limit)};
    if (limit == 0) {
      const std::span<const std::uint64_t> cells = record.latency.cells();
      row.cells.assign(cells.begin(), cells.end());
    }
    entry.within.push_back(row);
  }
}

void EpochBook::write(Results& results) {
  std::size_t rows = 0;
  for (const Entry& entry : entries_) {
    rows += entry.epochs.size();
  }
  results.epochs.reserve(rows);
  results.shares.blocks().reserve(rows);
  for (const FlowIndex flow : flows_->all()) {
    if (flows_->leader(flow) == flow && !scenario_->clients[flows_->at(flow).client.value].zone_proxy) {
      write_rows(flow, results);
      write_shares(flow, results);
      crossings_.write(flow, *traffic_, results);
      for (const FlowIndex written : flows_->group(flow)) {
        entries_[written.value] = Entry();
      }
    }
  }
}

void EpochBook::write_rows(FlowIndex leader, Results& results) const {
  const Entry& entry = entries_[leader.value];
  results.epochs.insert(results.epochs.end(), entry.epochs.begin(), entry.epochs.end());
  const std::size_t first = results.epochs.size() - entry.epochs.size();
  for (const FlowIndex flow : flows_->group(leader)) {
    for (std::size_t row = 0; row < entry.epochs.size(); ++row) {
      Epoch& epoch = results.epochs[first + row];
      epoch.states = std::max(epoch.states, entries_[flow.value].epochs[row].states);
      epoch.expected_requests += flow == leader ? 0.0 : entries_[flow.value].epochs[row].expected_requests;
    }
  }
  if (mode_ == scenario::Mode::exact) {
    return;
  }
  results.latency.insert(results.latency.end(), entry.latency.begin(), entry.latency.end());
  results.within.insert(results.within.end(), entry.within.begin(), entry.within.end());
  const Epoch& any = entry.epochs.front();
  results.whole_latency.push_back(
      {any.client, any.service, quantiles_of(entry.latency_of_all), quantiles_of(entry.errors_of_all)});
  if (keeps_latency_cells_) {
    results.whole_latency.back().cells_of_ok = filled_cells(entry.latency_of_all);
    results.whole_latency.back().cells_of_errors = filled_cells(entry.errors_of_all);
  }
  for (const Epoch& epoch : entry.epochs) {
    const engine::EpochRecord& record = *entry.records[epoch.index];
    results.outcomes.push_back({.epoch = epoch.index,
                                .client = epoch.client,
                                .service = epoch.service,
                                .sent = sent_in(leader, epoch.index),
                                .counts = record.outcomes,
                                .retries = record.retries});
  }
}

// Writes the shares of a group of flows: each has its part of the client's requests to the service.
void EpochBook::write_shares(FlowIndex leader, Results& results) {
  const std::vector<FlowIndex>& group = flows_->group(leader);
  double all = 0.0;
  for (const FlowIndex flow : group) {
    all += traffic_->part_of_client(flow);
  }
  for (std::uint32_t epoch = 0; epoch < entries_[leader.value].epochs.size(); ++epoch) {
    std::uint32_t rows_before = 0;
    for (const FlowIndex flow : group) {
      ShareBlock& block = entries_[flow.value].shares[epoch];
      block.first_position = block.first_joint = rows_before;
      block.part = group.size() > 1 ? traffic_->part_of_client(flow) / all : 1.0;
      block.sent = mode_ == scenario::Mode::exact ? 0 : sent_in(leader, epoch);
      results.shares.add(std::move(block));
      rows_before += static_cast<std::uint32_t>(targets(flow).rows().size());
    }
  }
}

}  // namespace spillway::run
