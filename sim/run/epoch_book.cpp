#include "sim/run/epoch_book.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "models/envoy/newcomers.hpp"
#include "sim/run/forwarded_parts.hpp"

namespace spillway::run {

namespace {

double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-9;
}

std::string health_label(const std::vector<PriorityHealth>& priorities) {
  std::string label;
  for (const PriorityHealth& priority : priorities) {
    const std::uint32_t hosts = std::max(priority.hosts, 1U);
    label += (label.empty() ? "" : ", ") + priority.cluster + (priority.cluster.empty() ? "P" : " P") +
             std::to_string(priority.priority.value) + " " +
             std::to_string((200 * priority.healthy + hosts) / (2 * hosts)) + "%";
  }
  return label;
}

SharePlace place_of(const scenario::Scenario& scenario, const Target& target) {
  const scenario::Endpoint& endpoint = target.endpoint_in(scenario);
  const scenario::Node& node = scenario.nodes[endpoint.node.value];
  const scenario::Zone& zone = scenario.zones[node.zone.value];
  SharePlace place{.cluster = scenario.services[target.service.value].name,
                   .priority = target.priority,
                   .region = zone.region,
                   .zone = zone.name,
                   .sub_zone = node.sub_zone,
                   .node = node.name,
                   .endpoint = endpoint.id};
  for (const config::EndpointIndex proxy : target.via) {
    place.via += (place.via.empty() ? "" : " > ") + scenario.endpoints[proxy.value].id;
  }
  return place;
}

// Loads and panic of every priority, as `state` has them.
void describe_loads(EpochHealth& health, const envoy::Cluster& cluster, const envoy::ClusterState& state) {
  const envoy::PriorityState& priorities = state.priorities;
  health.total_availability = static_cast<std::uint32_t>(priorities.normalized_total_availability);
  const std::vector<std::string>& children = cluster.aggregate_clusters;
  for (PriorityHealth& priority : health.priorities) {
    std::size_t level = priority.priority.value;
    if (state.aggregate) {
      // A child that is listed twice shows its first place.
      level = static_cast<std::size_t>(std::find_if(state.levels.begin(), state.levels.end(),
                                                    [&](const envoy::AggregateLevel& candidate) {
                                                      return children[candidate.child] == priority.cluster &&
                                                             candidate.priority == priority.priority;
                                                    }) -
                                       state.levels.begin());
    }
    if (level < priorities.load.healthy.size()) {
      priority.load = priorities.load.healthy[level] + priorities.load.degraded[level];
      priority.degraded_load = priorities.load.degraded[level];
      priority.panic = priorities.panic[level];
    }
  }
}

}  // namespace

EpochBook::EpochBook(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic,
                     const Upstreams& upstreams, ClosedForms& closed_forms, scenario::Mode mode,
                     std::vector<LatencyLimit> latency_limits)
    : scenario_(&scenario),
      flows_(&flows),
      traffic_(&traffic),
      upstreams_(&upstreams),
      closed_forms_(&closed_forms),
      mode_(mode),
      latency_limits_(std::move(latency_limits)),
      places_of_service_(scenario.services.size()),
      healths_(upstreams.classes()),
      entries_(flows.size()),
      crossings_(scenario, flows) {
  for (std::uint32_t service = 0; service < scenario.services.size(); ++service) {
    targets_of_service_.emplace_back(scenario, config::ServiceIndex{service});
  }
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
    entry.records.back()->attempts.assign(rows, 0);
    std::vector<Nanoseconds> limits;
    for (const LatencyLimit& limit : latency_limits_) {
      limits.push_back(limit.limit);
    }
    entry.records.back()->latency.count_within(std::move(limits));
    entry.latency.emplace_back();
  }
  entry.open = true;
  entry.time_counted = now;
  entry.last_new_state = now;
}

std::shared_ptr<const EpochHealth> EpochBook::health(FlowIndex index) {
  auto& [state, told] = healths_[upstreams_->class_index(index)];
  if (state != upstreams_->state(index)) {
    state = upstreams_->state(index);
    told = std::make_shared<const EpochHealth>(describe(index));
  }
  return told;
}

EpochHealth EpochBook::describe(FlowIndex index) const {
  const scenario::Scenario& scenario = *scenario_;
  const Targets& hosts = targets(index);
  const envoy::Cluster& cluster = scenario.services[flows_->at(index).service.value].cluster;
  EpochHealth health;
  std::map<std::pair<std::uint32_t, config::Priority>, PriorityHealth> priorities;
  for (std::uint32_t position = 0; position < hosts.size(); ++position) {
    const Target& target = hosts.at(position);
    if (!target.first_of_host) {
      continue;
    }
    const scenario::ToldHosts& all_told = upstreams_->told(index, target.service);
    health.told.push_back(all_told.health[target.host.value]);
    health.absent.push_back(all_told.absent[target.host.value] != 0 ? 1 : 0);
    if (all_told.absent[target.host.value] != 0) {
      continue;
    }
    PriorityHealth& priority = priorities[{target.child, target.priority}];
    priority.priority = target.priority;
    priority.cluster = cluster.aggregate_clusters.empty() ? "" : scenario.services[target.service.value].name;
    ++priority.hosts;
    const config::HealthStatus told = all_told.health[target.host.value];
    priority.healthy += told == config::HealthStatus::healthy || told == config::HealthStatus::unknown ? 1 : 0;
    priority.degraded += told == config::HealthStatus::degraded ? 1 : 0;
  }
  for (const auto& [place, priority] : priorities) {
    health.priorities.push_back(priority);
  }
  describe_loads(health, cluster, *upstreams_->state(index));
  health.label = health_label(health.priorities);
  return health;
}

void EpochBook::count_time(FlowIndex index, const Upstreams::State& state, Nanoseconds now, double rate) {
  Entry& entry = entries_[index.value];
  const double passed = seconds(now - entry.time_counted);
  entry.by_time.add(state, passed);
  entry.by_rate.add(state, rate * passed);
  entry.time_counted = now;
}

void EpochBook::count_requests(FlowIndex index, const Upstreams::State& state, std::uint64_t sent, Nanoseconds now) {
  if (sent == 0) {
    return;
  }
  // Memory is bounded by so many states.
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
  entry.by_requests.clear();
  entry.by_rate.clear();
  entry.by_time.clear();
  entry.ended.reset();
  entry.forwarded.clear();
  entry.ended_requests = 0.0;
  entry.stays = 0;
  entry.retried = false;
  if (mode_ == scenario::Mode::exact) {
    return;
  }
  entry.records.back()->requests = {};
  entry.records.back()->attempts = {};
  if (flows_->leader(index) == index) {
    summarise_latency(index, epoch(index));
  }
}

std::shared_ptr<const CountedRows> EpochBook::counted_rows(FlowIndex index) const {
  if (mode_ == scenario::Mode::exact) {
    return nullptr;
  }
  const engine::EpochRecord& record = *entries_[index.value].records.back();
  const std::vector<std::uint32_t>& rows = targets(index).rows();
  CountedRows counted;
  for (std::uint32_t position = 0; position < rows.size(); ++position) {
    const std::uint32_t row = rows[position];
    if (record.requests[row] > 0 || record.attempts[row] > 0) {
      counted.positions.push_back(position);
      counted.requests.push_back(record.requests[row]);
      counted.attempts.push_back(record.attempts[row]);
    }
  }
  return std::make_shared<const CountedRows>(std::move(counted));
}

void EpochBook::count_crossings(const ShareBlock& block, FlowIndex index, const ClassRows& rows) {
  const Targets& hosts = targets(index);
  const double expected = entries_[index.value].epochs.back().expected_requests;
  crossings_.expect(index, block.epoch, rows.crossings, mode_ == scenario::Mode::exact ? expected : 0.0);
  if (!block.counted) {
    return;
  }
  for (std::size_t row = 0; row < block.counted->positions.size(); ++row) {
    if (block.counted->attempts[row] > 0) {
      const Target& target = hosts.at(hosts.rows()[block.counted->positions[row]] / engine::availabilities);
      crossings_.send(index, block.epoch, target, block.counted->attempts[row]);
    }
  }
}

double EpochBook::expected_requests(FlowIndex index) const {
  return entries_[index.value].by_rate.total() * scenario_->clients[flows_->at(index).client.value].count;
}

const std::shared_ptr<const SharePlaces>& EpochBook::places(FlowIndex index) {
  auto& found = places_of_service_[flows_->at(index).service.value];
  if (!found) {
    const Targets& hosts = targets(index);
    SharePlaces table{.places = {}, .rows = hosts.rows()};
    for (std::uint32_t target = 0; target < hosts.size(); ++target) {
      table.places.push_back(place_of(*scenario_, hosts.at(target)));
    }
    found = std::make_shared<const SharePlaces>(std::move(table));
  }
  return found;
}

void EpochBook::finish(FlowIndex flow, std::uint32_t epoch, scenario::Outcome outcome, Nanoseconds latency) {
  const FlowIndex leader = flows_->leader(flow);
  engine::EpochRecord& record = *entries_[leader.value].records[epoch];
  ++record.count(outcome);
  ++record.finished;
  if (outcome == scenario::Outcome::ok) {
    record.latency.add(latency);
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
                                 .p99 = seconds(record.latency.quantile(0.99)),
                                 .max = seconds(record.latency.maximum())};
  summarise_limits(entry, epoch);
  record.latency = {};
}

void EpochBook::summarise_limits(Entry& entry, std::uint32_t epoch) const {
  const engine::EpochRecord& record = *entry.records[epoch];
  const auto answers = static_cast<double>(record.latency.total());
  for (std::uint32_t limit = 0; limit < latency_limits_.size(); ++limit) {
    WithinLimit row{.epoch = epoch,
                    .client = entry.epochs[epoch].client,
                    .service = entry.epochs[epoch].service,
                    .limit = limit,
                    .answers = record.latency.within(limit)};
    const double wanted = latency_limits_[limit].fraction * static_cast<double>(record.finished);
    if (answers > 0.0 && wanted <= answers) {
      row.quantile = seconds(record.latency.quantile(wanted / answers));
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
  results.shares.reserve(rows);
  for (const FlowIndex flow : flows_->all()) {
    if (flows_->leader(flow) == flow && !scenario_->clients[flows_->at(flow).client.value].zone_proxy) {
      write_rows(flow, results);
      write_shares(flow, results);
      crossings_.write(flow, *traffic_, results);
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
  for (const Epoch& epoch : entry.epochs) {
    const engine::EpochRecord& record = *entry.records[epoch.index];
    results.outcomes.push_back({.epoch = epoch.index,
                                .client = epoch.client,
                                .service = epoch.service,
                                .sent = sent_in(leader, epoch.index),
                                .ok = record.count(scenario::Outcome::ok),
                                .no_healthy_upstream = record.count(scenario::Outcome::no_healthy_upstream),
                                .upstream_error = record.count(scenario::Outcome::upstream_error),
                                .timeout = record.count(scenario::Outcome::timeout),
                                .overflow = record.count(scenario::Outcome::overflow),
                                .queue_full = record.count(scenario::Outcome::queue_full),
                                .connect_failure = record.count(scenario::Outcome::connect_failure),
                                .unfinished = record.count(scenario::Outcome::unfinished),
                                .retries = record.retries});
  }
}

// Of several flows together: each has its part of what the client asks of the service.
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
