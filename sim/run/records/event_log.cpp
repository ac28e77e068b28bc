#include "sim/run/records/event_log.hpp"

#include <algorithm>
#include <variant>

#include "models/numeric/stable_sort.hpp"
#include "sim/run/parts/components.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/run/records/event_order.hpp"

namespace spillway::run {
namespace {

// What such a happening ends; none: it ends nothing.
std::optional<HappeningKind> ended_by(HappeningKind kind) {
  switch (kind) {
    case HappeningKind::panic_ended:
      return HappeningKind::panic_began;
    case HappeningKind::breaker_closed:
      return HappeningKind::breaker_opened;
    case HappeningKind::retry_budget_refilled:
      return HappeningKind::retry_budget_empty;
    default:
      return std::nullopt;
  }
}

}  // namespace

HappeningLog::HappeningLog(const scenario::Scenario& scenario, Options options)
    : scenario_(&scenario), options_(std::move(options)) {}

// Hosts by their zone, everything else by its priority. What the author lets happen by each change, but nodes of a zone
// that go away or come back together.
HappeningLog::GroupKey HappeningLog::key_of(const scenario::Scenario& scenario, const HappeningRecord& happening) {
  if (happening.change) {
    const scenario::Change& change = scenario.changes[*happening.change];
    const auto* const nodes = std::get_if<scenario::NodeOutage>(&change.effect);
    return {happening.kind,
            happening.service,
            nodes != nullptr ? scenario.nodes[nodes->node.value].zone.value : 0,
            happening.detection,
            happening.check_failure,
            happening.resource,
            nodes != nullptr ? change.at.count() : std::int64_t{*happening.change}};
  }
  const std::uint32_t place = happening.endpoint
                                  ? scenario.nodes[scenario.endpoints[happening.endpoint->value].node.value].zone.value
                                  : happening.priority.value;
  return {happening.kind,          happening.service,  place, happening.detection,
          happening.check_failure, happening.resource, -1};
}

void HappeningLog::add(const HappeningRecord& happening) {
  end_slow_starts(happening.at);
  put(happening);
  if (happening.kind == HappeningKind::slow_start_began) {
    follow_slow_start(happening);
  }
}

// Of several that overlap the last one ends.
void HappeningLog::follow_slow_start(const HappeningRecord& began) {
  const SlowStart key{began.client, began.instance, began.service};
  const auto [place, is_new] = slow_starts_.try_emplace(key, began);
  if (!is_new) {
    slow_start_ends_.erase({*place->second.until, key});
    place->second.until = std::max(*place->second.until, *began.until);
  }
  slow_start_ends_.insert({*place->second.until, key});
}

void HappeningLog::end_slow_starts(Nanoseconds now) {
  while (!slow_start_ends_.empty() && slow_start_ends_.begin()->first <= now) {
    const auto ended = slow_starts_.find(slow_start_ends_.begin()->second);
    HappeningRecord record = ended->second;
    record.kind = HappeningKind::slow_start_ended;
    record.at = *record.until;
    record.until.reset();
    slow_starts_.erase(ended);
    slow_start_ends_.erase(slow_start_ends_.begin());
    put(record);
  }
}

void HappeningLog::put(const HappeningRecord& happening) {
  if (options_.keeps && !options_.keeps(happening)) {
    return;
  }
  if (options_.sink) {
    options_.sink(happening);
  }
  const GroupKey key = key_of(*scenario_, happening);
  Group& group = groups_[key];
  if (group.sum.times == 0) {
    group.sum.first = happening;
  }
  ++group.sum.times;
  group.sum.last = happening.at;
  group.sum.value += happening.value;
  if (happening.change) {
    for (const config::EndpointIndex endpoint :
         endpoints_of(*scenario_, scenario_->changes[*happening.change].effect)) {
      group.endpoints.insert(endpoint);
    }
  } else {
    group.proxies.insert({happening.client, happening.instance});
  }
  if (happening.endpoint) {
    group.endpoints.insert(*happening.endpoint);
  }
  count_time(happening, key);
  // Those of one moment are put in order in the end.
  if (each_.size() < options_.most || (!each_.empty() && each_.back().at == happening.at)) {
    each_.push_back(happening);
  } else {
    ++left_out_;
  }
}

void HappeningLog::count_time(const HappeningRecord& happening, const GroupKey& key) {
  const auto place = [&](HappeningKind kind) {
    return OpenKey{
        kind, {happening.client, happening.instance}, happening.service, happening.priority, happening.resource};
  };
  if (happening.kind == HappeningKind::panic_began || happening.kind == HappeningKind::breaker_opened ||
      happening.kind == HappeningKind::retry_budget_empty) {
    open_.try_emplace(place(happening.kind), key, happening.at);
    return;
  }
  if (const auto began = ended_by(happening.kind)) {
    if (const auto found = open_.find(place(*began)); found != open_.end()) {
      groups_.at(found->second.first).sum.lasted += happening.at - found->second.second;
      open_.erase(found);
    }
  }
}

Happenings HappeningLog::take(Nanoseconds end) {
  // What ends with the run has not ended within it.
  end_slow_starts(end - Nanoseconds{1});
  for (const auto& [place, since] : open_) {
    groups_.at(since.first).sum.lasted += end - since.second;
  }
  Happenings all;
  for (auto& [key, group] : groups_) {
    group.sum.proxies = static_cast<std::uint32_t>(group.proxies.size());
    group.sum.endpoints = static_cast<std::uint32_t>(group.endpoints.size());
    all.groups.push_back(group.sum);
  }
  order_groups(*scenario_, all.groups);
  all.each = std::move(each_);
  if (Components(*scenario_).count() > 1) {
    order_records(*scenario_, all.each);
  }
  const std::size_t kept = std::min<std::uint64_t>(all.each.size(), options_.most);
  all.left_out = left_out_ + all.each.size() - kept;
  all.each.resize(kept);
  return all;
}

void HappeningLog::order(const scenario::Scenario& scenario, std::vector<HappeningGroup>& groups) {
  std::vector<std::pair<GroupKey, HappeningGroup>> keyed;
  keyed.reserve(groups.size());
  for (const HappeningGroup& group : groups) {
    keyed.emplace_back(key_of(scenario, group.first), group);
  }
  std::sort(keyed.begin(), keyed.end(), [](const auto& left, const auto& right) {
    return std::tie(left.second.first.at, left.first) < std::tie(right.second.first.at, right.first);
  });
  groups.clear();
  for (const auto& [key, group] : keyed) {
    groups.push_back(group);
  }
}

void order_groups(const scenario::Scenario& scenario, std::vector<HappeningGroup>& groups) {
  HappeningLog::order(scenario, groups);
}

void order_records(const scenario::Scenario& scenario, std::vector<HappeningRecord>& records) {
  const Components components(scenario);
  const auto place = [&](const HappeningRecord& record) {
    return record.change ? std::int64_t{*record.change} - INT64_C(0x100000000)
                         : std::int64_t{components.of(record.client)};
  };
  numeric::stable_sort(records, [&](const HappeningRecord& left, const HappeningRecord& right) {
    return left.at != right.at ? left.at < right.at : place(left) < place(right);
  });
}

}  // namespace spillway::run
