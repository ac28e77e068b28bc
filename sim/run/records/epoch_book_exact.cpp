// The exact shares of a row, including those behind zone proxies.
#include <algorithm>
#include <map>
#include <utility>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/health/slow_start.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::run {

// Returns the uses of states in the open row.
const StateUses& EpochBook::uses(FlowIndex index) const {
  const Entry& entry = entries_[index.value];
  const bool sent = entry.ended_requests > 0.0 || entry.by_requests.total() > 0.0;
  return sent ? entry.by_requests : entry.by_rate.total() > 0.0 ? entry.by_rate : entry.by_time;
}

bool EpochBook::in_slow_start(FlowIndex index) const {
  const Entry& entry = entries_[index.value];
  return entry.slow_start_until > entry.epochs.back().start;
}

// Begins the mean over states. Shares behind zone proxies do not change within a row.
ExactMean& EpochBook::begin_mean(FlowIndex index) {
  Entry& entry = entries_[index.value];
  if (!entry.ended) {
    entry.forwarded = forwarded_->of(targets(index));
    const Nanoseconds start = entry.epochs.back().start;
    opened_.note(upstreams_->class_index(index), targets(index), entry.forwarded, start);
    entry.connected = opened_.of(upstreams_->class_index(index), targets(index), start);
    entry.ended.emplace(targets(index), entry.forwarded, entry.connected);
  }
  return *entry.ended;
}

void EpochBook::add_states(ExactMean& mean, FlowIndex index, const StateUses& uses, Nanoseconds now) {
  ClosedForms::When when{.before = now, .slow_start = in_slow_start(index)};
  if (mode_ != scenario::Mode::exact) {
    when.retried = entries_[index.value].retried;
  }
  for (const StateUses::Use& use : uses.uses()) {
    mean.add(closed_forms_->exact_shares(index, *use.state, when), use.weight);
  }
}

// Returns the clock of a row in one state, as EDS reported it to the flow's class, with arrivals at known rates. Null
// if nothing determines how the weights of its hosts grow.
const SlowStartClock* EpochBook::clock_of_row(FlowIndex index) const {
  const Entry& entry = entries_[index.value];
  const scenario::Arrivals arrivals = scenario_->clients[flows_->at(index).client.value].workload.arrivals;
  const std::optional<SlowStartClock>& clock = clocks_[upstreams_->class_index(index)];
  const Upstreams::State& reported = upstreams_->state(index);
  const std::vector<StateUses::Use>& states = uses(index).uses();
  const bool known =
      clock && in_slow_start(index) && !entry.steps.empty() && entry.ended_requests == 0.0 && states.size() == 1 &&
      states.front().state == reported && followed_slow_start(*reported) != nullptr && entry.by_rate.total() > 0.0 &&
      arrivals != scenario::Arrivals::trace && arrivals != scenario::Arrivals::closed && !closed_forms_->checks(index);
  return known ? &*clock : nullptr;
}

// Adds the row's states with the weights that their hosts have while requests come. Returns false, having added
// nothing, if the row has no such shares.
bool EpochBook::add_slow_start(ExactMean& mean, FlowIndex index, Nanoseconds now) {
  const SlowStartClock* const clock = clock_of_row(index);
  if (clock == nullptr) {
    return false;
  }
  const Entry& entry = entries_[index.value];
  const envoy::ClusterState& state = *upstreams_->state(index);
  ClosedForms::When when{.before = now, .slow_start = true};
  if (mode_ != scenario::Mode::exact) {
    when.retried = entry.retried;
  }
  std::vector<std::pair<envoy::ExactShares, double>> steps;
  std::vector<double> shares(state.hosts.hosts.size(), 0.0);  // by host, of the row
  for (const Step& step : entry.steps) {
    const std::vector<double> factors = clock->factors(state, step.middle);
    when.slow_start_factors = factors;
    const auto& [of_step, requests] =
        steps.emplace_back(closed_forms_->exact_shares(index, state, when), step.requests);
    for (const envoy::HostShare& row : of_step.hosts) {
      shares[row.host.value] += row.share * requests / entry.by_rate.total();
    }
  }
  if (!keeps_up(index, *clock, shares)) {
    return false;
  }
  for (const auto& [of_step, requests] : steps) {
    mean.add(of_step, requests);
  }
  return true;
}

// True if schedules keep up with the weights: they read a weight only when they pick the host. Their total lag has to
// be less than one standard deviation of random picks, else the row does not have these shares.
bool EpochBook::keeps_up(FlowIndex index, const SlowStartClock& clock, const std::vector<double>& shares) const {
  const Entry& entry = entries_[index.value];
  const envoy::ClusterState& state = *upstreams_->state(index);
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(index).client.value];
  const double schedules = static_cast<double>(client.count) * client.concurrency;
  const double requests =
      mode_ == scenario::Mode::exact ? expected_requests(index) : entry.by_requests.total() + entry.ended_requests;
  // Turns assigned before the row may use weights as small as at the beginning of slow start.
  const double least = health::slow_start_factor(*followed_slow_start(state), Nanoseconds{0});
  std::vector<double> first = clock.factors(state, entry.epochs.back().start);
  for (double& factor : first) {
    factor = factor < 1.0 ? std::min(factor, least) : factor;
  }
  const std::vector<double> last = clock.factors(state, entry.time_counted);
  for (std::size_t host = 0; host < shares.size(); ++host) {
    const double picks = requests * shares[host];
    const double lag = schedules * lag_of_schedule(first[host], last[host], picks / schedules);
    if (lag * lag > picks) {
      return false;
    }
  }
  return true;
}

// True if schedules matter that go on in the middle of a round. Each stay in a state may give any host one request more
// or less than its share. While all stays together are within one standard deviation of random picks, that is no more
// than chance. It is systematic if stays begin or end because of picks, or if every proxy's schedule begins at the same
// place.
bool EpochBook::carries_schedules(FlowIndex index, double least_of_schedules) const {
  const Entry& entry = entries_[index.value];
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(index).client.value];
  const bool counted = mode_ != scenario::Mode::exact;
  const double requests = counted ? entry.ended_requests + entry.by_requests.total() : expected_requests(index);
  const double stays =
      counted ? static_cast<double>(entry.stays) : static_cast<double>(client.count) * client.concurrency;
  const bool starts_alike = config::before(scenario_->profile.envoy, 30);
  if (requests <= 0.0 || !(entry.disturbed || starts_alike)) {
    return false;
  }
  return least_of_schedules > 0.0 && stays * stays > requests * least_of_schedules;
}

std::shared_ptr<const EpochBook::ClassRows> EpochBook::class_rows(FlowIndex index, Nanoseconds now) {
  const std::shared_ptr<const ClassRows> rows = class_rows(index, now, false);
  return carries_schedules(index, rows->least_of_schedules) ? class_rows(index, now, true) : rows;
}

std::shared_ptr<const EpochBook::ClassRows> EpochBook::class_rows(FlowIndex index, Nanoseconds now, bool carried) {
  const Entry& entry = entries_[index.value];
  const std::vector<StateUses::Use>& states = uses(index).uses();
  // Rates and counts differ between flows of a class, and determine whether a row has the shares of slow start.
  if (entry.ended_requests > 0.0 || states.size() != 1 || states.front().weight <= 0.0 || clock_of_row(index)) {
    return work_out(index, now, carried);
  }
  if (class_rows_at_ != now) {
    class_rows_.clear();
    class_rows_at_ = now;
  }
  auto& rows = class_rows_[{states.front().state, traffic_->class_of(index), closed_forms_->sends(index, now),
                            in_slow_start(index), entry.retried, carried}];
  if (!rows) {
    rows = work_out(index, now, carried);
  }
  return rows;
}

std::shared_ptr<const EpochBook::ClassRows> EpochBook::work_out(FlowIndex index, Nanoseconds now, bool carried) {
  ExactMean mean = begin_mean(index);
  const UnsureParts unsure = closed_forms_->unsure_parts(targets(index), now);
  mean.leave_unsure(unsure);
  if (!add_slow_start(mean, index, now)) {
    add_states(mean, index, uses(index), now);
  }
  const double least_of_schedules = mean.least_of_schedules();
  if (carried) {
    mean.carry_schedules();
  }
  const std::vector<std::uint32_t>& order = targets(index).rows();
  std::map<std::uint32_t, std::uint32_t> rows_of_joint;
  for (const std::uint32_t row : order) {
    if (const std::uint32_t joint = mean.joint(row); joint != 0) {
      ++rows_of_joint.try_emplace(joint, mean.sums_are_exact() ? 0 : 1).first->second;
    }
  }
  ExactRows exact{.places = places(index), .basis_of_others = mean.basis()};
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    const double share = mean.share(order[position]);
    const std::uint32_t joint = mean.joint(order[position]);
    if (joint != 0) {
      exact.add(position, share, mean.why_joint(), joint, rows_of_joint.at(joint));
    } else if (share > 0.0) {
      exact.add(position, share, mean.basis());
    }
  }
  return std::make_shared<const ClassRows>(
      ClassRows{std::make_shared<const ExactRows>(std::move(exact)),
                std::make_shared<const CrossZoneBook::Crossings>(crossings(index, mean)), least_of_schedules});
}

// Returns by joint share which bytes are known. Endpoints whose individual parts of a joint share are unknown may have
// different sizes of requests and responses. Over connections their shares are means, and so are the bytes.
std::map<std::uint32_t, CrossZoneBook::BytesKnown> EpochBook::bytes_known_of(FlowIndex index, ExactMean& mean) const {
  const Targets& hosts = targets(index);
  const auto count = static_cast<std::uint32_t>(hosts.rows().size());
  std::map<std::uint32_t, const scenario::Endpoint*> first_of;
  std::map<std::uint32_t, CrossZoneBook::BytesKnown> known;
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::uint32_t joint = mean.joint(row);
    if (joint == 0) {
      continue;
    }
    const scenario::Endpoint& endpoint = hosts.at(row / engine::availabilities).endpoint_in(*scenario_);
    const scenario::Endpoint& first = *first_of.try_emplace(joint, &endpoint).first->second;
    CrossZoneBook::BytesKnown& of = known[joint];
    if (mean.why_joint() != connection_basis) {
      of.of_requests = of.of_requests && endpoint.request_bytes == first.request_bytes;
      of.of_answers = of.of_answers && endpoint.response_bytes == first.response_bytes;
    }
  }
  return known;
}

CrossZoneBook::Crossings EpochBook::crossings(FlowIndex index, ExactMean& mean) const {
  CrossZoneBook::Crossings crossings;
  const Targets& hosts = targets(index);
  const auto way_of = [&](const Target& target) {
    std::vector<config::ZoneIndex> way;
    for (const config::EndpointIndex proxy : target.via) {
      way.push_back(scenario_->nodes[scenario_->endpoints[proxy.value].node.value].zone);
    }
    way.push_back(scenario_->nodes[target.endpoint_in(*scenario_).node.value].zone);
    return way;
  };
  const auto count = static_cast<std::uint32_t>(hosts.rows().size());
  // A joint share of targets behind the same zones is exact for these zones.
  std::map<std::uint32_t, std::optional<std::vector<config::ZoneIndex>>> ways;
  const std::map<std::uint32_t, CrossZoneBook::BytesKnown> bytes_known = bytes_known_of(index, mean);
  for (std::uint32_t row = 0; row < count; ++row) {
    if (const std::uint32_t joint = mean.joint(row); joint != 0) {
      const auto own = way_of(hosts.at(row / engine::availabilities));
      auto& way = ways.try_emplace(joint, own).first->second;
      way = way == own && mean.sums_are_exact() ? way : std::nullopt;
    }
  }
  for (std::uint32_t row = 0; row < count; ++row) {
    const bool known = mean.joint(row) == 0 || ways.at(mean.joint(row)).has_value();
    if (!known || mean.share(row) > 0.0) {
      crossings_.add_way(crossings, index, hosts.at(row / engine::availabilities),
                         known ? std::optional(mean.share(row)) : std::nullopt,
                         mean.joint(row) == 0 ? CrossZoneBook::BytesKnown{} : bytes_known.at(mean.joint(row)));
    }
  }
  return crossings;
}

EpochBook::PresentClass EpochBook::present_class(FlowIndex index, Nanoseconds start) const {
  return {upstreams_->class_index(index), traffic_->class_of(index), entries_[index.value].slow_start_until > start};
}

std::vector<std::optional<double>> EpochBook::present_shares(FlowIndex index, Nanoseconds start,
                                                             Nanoseconds end) const {
  const Targets& hosts = targets(index);
  const std::vector<double> parts = forwarded_->of(hosts);
  const std::vector<std::uint8_t> connected = opened_.of(upstreams_->class_index(index), hosts, start);
  const UnsureParts unsure = closed_forms_->unsure_parts(hosts, end);
  ExactMean mean(hosts, parts, connected);
  mean.leave_unsure(unsure);
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
