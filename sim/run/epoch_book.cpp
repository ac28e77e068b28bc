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

// Loads and panic of every priority, as `state` has them.
void describe_loads(Epoch& epoch, const scenario::Scenario& scenario, const envoy::ClusterState& state) {
  const envoy::PriorityState& priorities = state.priorities;
  epoch.total_availability = static_cast<std::uint32_t>(priorities.normalized_total_availability);
  const std::vector<std::string>& children = scenario.services[epoch.view.value].cluster.aggregate_clusters;
  for (PriorityHealth& priority : epoch.priorities) {
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
  describe(epoch, index);
  entry.epochs.push_back(std::move(epoch));
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
  entry.open = true;
  entry.time_counted = now;
  entry.last_new_state = now;
}

void EpochBook::describe(Epoch& epoch, FlowIndex index) const {
  const scenario::Scenario& scenario = *scenario_;
  const Targets& hosts = targets(index);
  const bool aggregate = !scenario.services[epoch.view.value].cluster.aggregate_clusters.empty();
  std::map<std::pair<std::uint32_t, config::Priority>, PriorityHealth> priorities;
  for (std::uint32_t position = 0; position < hosts.size(); ++position) {
    const Target& target = hosts.at(position);
    if (!target.first_of_host) {
      continue;
    }
    const scenario::ToldHosts& all_told = upstreams_->told(index, target.service);
    epoch.told.push_back(all_told.health[target.host.value]);
    epoch.absent.push_back(all_told.absent[target.host.value] != 0 ? 1 : 0);
    if (all_told.absent[target.host.value] != 0) {
      continue;
    }
    PriorityHealth& priority = priorities[{target.child, target.priority}];
    priority.priority = target.priority;
    priority.cluster = aggregate ? scenario.services[target.service.value].name : "";
    ++priority.hosts;
    const config::HealthStatus told = all_told.health[target.host.value];
    priority.healthy += told == config::HealthStatus::healthy || told == config::HealthStatus::unknown ? 1 : 0;
    priority.degraded += told == config::HealthStatus::degraded ? 1 : 0;
  }
  for (const auto& [place, priority] : priorities) {
    epoch.priorities.push_back(priority);
  }
  describe_loads(epoch, scenario, *upstreams_->state(index));
  epoch.label = health_label(epoch.priorities);
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
    end_states(index, entry.by_requests, now);
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
  entry.shares.emplace_back();
  if (!scenario_->clients[flows_->at(index).client.value].zone_proxy) {
    ExactMean& mean = exact_mean(index, now);
    entry.shares.back() = shares_of(index, mean);
    count_crossings(index, mean);
  }
  entry.open = false;
  entry.by_requests.clear();
  entry.by_rate.clear();
  entry.by_time.clear();
  entry.ended.reset();
  entry.ended_requests = 0.0;
  entry.stays = 0;
  entry.retried = false;
  entry.records.back()->requests = {};
  entry.records.back()->attempts = {};
  if (flows_->leader(index) == index) {
    summarise_latency(index, epoch(index));
  }
}

std::vector<Share> EpochBook::shares_of(FlowIndex index, ExactMean& mean) const {
  const Entry& entry = entries_[index.value];
  const engine::EpochRecord& record = *entry.records.back();
  const Targets& hosts = targets(index);
  std::vector<Share> shares;
  std::map<std::uint32_t, std::uint32_t> rows_of_joint;
  const std::vector<std::uint32_t>& rows = hosts.rows();
  for (std::uint32_t position = 0; position < rows.size(); ++position) {
    const std::uint32_t row = rows[position];
    const std::uint32_t joint = mean.joint(row);
    if (mean.share(row) == 0.0 && joint == 0 && record.requests[row] == 0 && record.attempts[row] == 0) {
      continue;
    }
    const Target& target = hosts.at(row / engine::availabilities);
    Share share{.epoch = epoch(index), .client = flows_->at(index).client, .service = entry.epochs.back().service};
    add_place(share, target);
    share.availability = static_cast<envoy::Availability>(row % engine::availabilities);
    share.at_rest = mean.share(row);
    share.joint = joint;
    share.exact = joint == 0 ? std::optional(share.at_rest) : std::nullopt;
    share.exact_basis = joint == 0 ? mean.basis() : mean.why_joint();
    if (joint != 0) {
      ++rows_of_joint.try_emplace(joint, mean.sums_are_exact() ? 0 : 1).first->second;
    }
    if (mode_ != scenario::Mode::exact) {
      const double sent = static_cast<double>(record.sent);
      share.simulated = record.sent > 0 ? static_cast<double>(record.requests[row]) / sent : 0.0;
      share.requests = record.requests[row];
      share.attempts = record.attempts[row];
    }
    share.position = position;
    shares.push_back(std::move(share));
  }
  for (Share& share : shares) {
    share.joint_rows = share.joint == 0 ? 0 : rows_of_joint.at(share.joint);
  }
  return shares;
}

double EpochBook::expected_requests(FlowIndex index) const {
  return entries_[index.value].by_rate.total() * scenario_->clients[flows_->at(index).client.value].count;
}

void EpochBook::add_place(Share& share, const Target& target) const {
  const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
  const scenario::Node& node = scenario_->nodes[endpoint.node.value];
  const scenario::Zone& zone = scenario_->zones[node.zone.value];
  share.cluster = scenario_->services[target.service.value].name;
  share.priority = target.priority;
  share.region = zone.region;
  share.zone = zone.name;
  share.sub_zone = node.sub_zone;
  share.node = node.name;
  share.endpoint = endpoint.id;
  for (const config::EndpointIndex proxy : target.via) {
    share.via += (share.via.empty() ? "" : " > ") + scenario_->endpoints[proxy.value].id;
  }
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
    const std::uint64_t sent = sent_in(leader, epoch);
    std::uint32_t rows_before = 0;
    for (const FlowIndex flow : group) {
      for (Share& share : entries_[flow.value].shares[epoch]) {
        share.position += rows_before;
        share.joint += share.joint == 0 ? 0 : rows_before;
        if (group.size() > 1) {
          share.at_rest *= traffic_->part_of_client(flow) / all;
          share.exact = share.exact ? std::optional(share.at_rest) : std::nullopt;
        }
        if (group.size() > 1 && share.simulated) {
          *share.simulated = sent > 0 ? static_cast<double>(*share.requests) / static_cast<double>(sent) : 0.0;
        }
        results.shares.push_back(std::move(share));
      }
      entries_[flow.value].shares[epoch] = {};
      rows_before += static_cast<std::uint32_t>(targets(flow).rows().size());
    }
  }
}

}  // namespace spillway::run
