// The exact shares of a row, behind zone proxies too.
#include <algorithm>
#include <map>

#include "sim/run/epoch_book.hpp"
#include "sim/run/forwarded_parts.hpp"

namespace spillway::run {

// What stands behind zone proxies does not change within a row.
ExactMean& EpochBook::begin_mean(FlowIndex index) {
  Entry& entry = entries_[index.value];
  if (!entry.ended) {
    entry.forwarded = forwarded_parts({*scenario_, *flows_, *traffic_, *upstreams_}, targets(index));
    entry.ended.emplace(targets(index), entry.forwarded);
  }
  return *entry.ended;
}

void EpochBook::end_states(FlowIndex index, const StateUses& uses, Nanoseconds now) {
  const Entry& entry = entries_[index.value];
  ClosedForms::When when{.before = now, .slow_start = entry.slow_start_until > entry.epochs.back().start};
  if (mode_ != scenario::Mode::exact) {
    when.retried = entry.retried;
  }
  ExactMean& mean = begin_mean(index);
  for (const StateUses::Use& use : uses.uses()) {
    mean.add(closed_forms_->exact_shares(index, *use.state, when), use.weight);
  }
}

// Of the row that is open, over its states.
ExactMean& EpochBook::exact_mean(FlowIndex index, Nanoseconds now) {
  const Entry& entry = entries_[index.value];
  const bool sent = entry.ended_requests > 0.0 || entry.by_requests.total() > 0.0;
  end_states(index, sent ? entry.by_requests : entry.by_rate.total() > 0.0 ? entry.by_rate : entry.by_time, now);
  ExactMean& mean = begin_mean(index);
  if (carries_schedules(index, mean)) {
    mean.carry_schedules();
  }
  return mean;
}

// Each stay in a state may give any host one request more than its share, or one less. As long as all of them together
// are within one standard deviation of random picks, that is no more than chance. At other times it is none of
// chance's: where stays begin or end because of picks, and where every proxy's schedule begins at the same place.
bool EpochBook::carries_schedules(FlowIndex index, const ExactMean& mean) const {
  const Entry& entry = entries_[index.value];
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(index).client.value];
  const bool counted = mode_ != scenario::Mode::exact;
  const double requests = counted ? entry.ended_requests + entry.by_requests.total() : expected_requests(index);
  const double stays =
      counted ? static_cast<double>(entry.stays) : static_cast<double>(client.count) * client.concurrency;
  const bool starts_alike = scenario_->profile.envoy == config::EnvoyProfile::seed;
  if (requests <= 0.0 || !(entry.disturbed || starts_alike)) {
    return false;
  }
  const double least = mean.least_of_schedules();
  return least > 0.0 && stays * stays > requests * least;
}

void EpochBook::count_crossings(FlowIndex index, ExactMean& mean) {
  const Entry& entry = entries_[index.value];
  const engine::EpochRecord& record = *entry.records.back();
  const Targets& hosts = targets(index);
  const double expected = mode_ == scenario::Mode::exact ? expected_requests(index) : 0.0;
  const auto way_of = [&](const Target& target) {
    std::vector<config::ZoneIndex> way;
    for (const config::EndpointIndex proxy : target.via) {
      way.push_back(scenario_->nodes[scenario_->endpoints[proxy.value].node.value].zone);
    }
    way.push_back(scenario_->nodes[target.endpoint_in(*scenario_).node.value].zone);
    return way;
  };
  // A joint share of targets that all lie behind the same zones is exact for those.
  std::map<std::uint32_t, std::optional<std::vector<config::ZoneIndex>>> ways;
  for (std::uint32_t row = 0; row < record.attempts.size(); ++row) {
    if (const std::uint32_t joint = mean.joint(row); joint != 0) {
      const auto own = way_of(hosts.at(row / engine::availabilities));
      auto& way = ways.try_emplace(joint, own).first->second;
      way = way == own && mean.sums_are_exact() ? way : std::nullopt;
    }
  }
  for (std::uint32_t row = 0; row < record.attempts.size(); ++row) {
    const Target& target = hosts.at(row / engine::availabilities);
    if (record.attempts[row] > 0) {
      crossings_.send(index, epoch(index), target, record.attempts[row]);
    }
    const bool known = mean.joint(row) == 0 || ways.at(mean.joint(row)).has_value();
    if (!known || mean.share(row) > 0.0) {
      crossings_.expect(index, epoch(index), target, known ? std::optional(mean.share(row)) : std::nullopt, expected);
    }
  }
}

std::vector<std::optional<double>> EpochBook::present_shares(FlowIndex index, Nanoseconds start,
                                                             Nanoseconds end) const {
  const Targets& hosts = targets(index);
  const std::vector<double> parts = forwarded_parts({*scenario_, *flows_, *traffic_, *upstreams_}, hosts);
  ExactMean mean(hosts, parts);
  mean.add(closed_forms_->exact_shares(index, *upstreams_->state(index),
                                       {.before = end, .slow_start = entries_[index.value].slow_start_until > start}),
           1.0);
  std::vector<std::optional<double>> shares(hosts.size(), 0.0);
  for (std::uint32_t row = 0; row < hosts.size() * engine::availabilities; ++row) {
    std::optional<double>& share = shares[row / engine::availabilities];
    share = share && mean.joint(row) == 0 ? std::optional(*share + mean.share(row)) : std::nullopt;
  }
  return shares;
}

}  // namespace spillway::run
