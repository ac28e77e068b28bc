#include "sim/run/records/event_log.hpp"

#include <algorithm>
#include <variant>

#include "models/numeric/stable_sort.hpp"
#include "sim/run/parts/components.hpp"
#include "sim/run/records/authored_events.hpp"

namespace spillway::run {
namespace {

// Returns the event that this one ends; nullopt if it ends none.
std::optional<EventKind> ended_by(EventKind kind) {
  switch (kind) {
    case EventKind::panic_ended:
      return EventKind::panic_began;
    case EventKind::breaker_closed:
      return EventKind::breaker_opened;
    case EventKind::retry_budget_refilled:
      return EventKind::retry_budget_empty;
    default:
      return std::nullopt;
  }
}

}  // namespace

EventLog::EventLog(const scenario::Scenario& scenario, Options options)
    : scenario_(&scenario), options_(std::move(options)) {}

// Returns the group: of hosts by their zone, of everything else by its priority. Timeline changes have one group each,
// except that nodes of a zone that go off or come back together have one.
EventLog::GroupKey EventLog::key_of(const scenario::Scenario& scenario, const EventRecord& event) {
  if (event.change) {
    const scenario::Change& change = scenario.changes[*event.change];
    const auto* const nodes = std::get_if<scenario::NodeOutage>(&change.effect);
    return {event.kind,
            event.service,
            nodes != nullptr ? scenario.nodes[nodes->node.value].zone.value : 0,
            event.detection,
            event.check_failure,
            event.resource,
            nodes != nullptr ? change.at.count() : std::int64_t{*event.change}};
  }
  const std::uint32_t place = event.endpoint
                                  ? scenario.nodes[scenario.endpoints[event.endpoint->value].node.value].zone.value
                                  : event.priority.value;
  return {event.kind, event.service, place, event.detection, event.check_failure, event.resource, -1};
}

void EventLog::add(const EventRecord& event) {
  end_slow_starts(event.at);
  put(event);
  if (event.kind == EventKind::slow_start_began) {
    follow_slow_start(event);
  }
}

// Follows slow start; if several overlap, the last one ends.
void EventLog::follow_slow_start(const EventRecord& began) {
  const SlowStart key{began.client, began.instance, began.service};
  const auto [place, is_new] = slow_starts_.try_emplace(key, began);
  if (!is_new) {
    slow_start_ends_.erase({*place->second.until, key});
    place->second.until = std::max(*place->second.until, *began.until);
  }
  slow_start_ends_.insert({*place->second.until, key});
}

void EventLog::end_slow_starts(Nanoseconds now) {
  while (!slow_start_ends_.empty() && slow_start_ends_.begin()->first <= now) {
    const auto ended = slow_starts_.find(slow_start_ends_.begin()->second);
    EventRecord record = ended->second;
    record.kind = EventKind::slow_start_ended;
    record.at = *record.until;
    record.until.reset();
    slow_starts_.erase(ended);
    slow_start_ends_.erase(slow_start_ends_.begin());
    put(record);
  }
}

void EventLog::put(const EventRecord& event) {
  if (options_.keeps && !options_.keeps(event)) {
    return;
  }
  if (options_.sink) {
    options_.sink(event);
  }
  const GroupKey key = key_of(*scenario_, event);
  Group& group = groups_[key];
  if (group.sum.times == 0) {
    group.sum.first = event;
  }
  ++group.sum.times;
  group.sum.last = event.at;
  group.sum.value += event.value;
  if (event.change) {
    for (const config::EndpointIndex endpoint : endpoints_of(*scenario_, scenario_->changes[*event.change].effect)) {
      group.endpoints.insert(endpoint);
    }
  } else {
    group.proxies.insert({event.client, event.instance});
  }
  if (event.endpoint) {
    group.endpoints.insert(*event.endpoint);
  }
  count_time(event, key);
  // Events at one time are sorted at the end.
  if (each_.size() < options_.most || (!each_.empty() && each_.back().at == event.at)) {
    each_.push_back(event);
  } else {
    ++left_out_;
  }
}

void EventLog::count_time(const EventRecord& event, const GroupKey& key) {
  const auto place = [&](EventKind kind) {
    return OpenKey{kind, {event.client, event.instance}, event.service, event.priority, event.resource};
  };
  if (event.kind == EventKind::panic_began || event.kind == EventKind::breaker_opened ||
      event.kind == EventKind::retry_budget_empty) {
    open_.try_emplace(place(event.kind), key, event.at);
    return;
  }
  if (const auto began = ended_by(event.kind)) {
    if (const auto found = open_.find(place(*began)); found != open_.end()) {
      groups_.at(found->second.first).sum.lasted += event.at - found->second.second;
      open_.erase(found);
    }
  }
}

Events EventLog::take(Nanoseconds end) {
  // Leaves out slow starts that would end at the end of the run: they have not ended within it.
  end_slow_starts(end - Nanoseconds{1});
  for (const auto& [place, since] : open_) {
    groups_.at(since.first).sum.lasted += end - since.second;
  }
  Events all;
  for (auto& [key, group] : groups_) {
    group.sum.proxies = static_cast<std::uint32_t>(group.proxies.size());
    group.sum.endpoints = static_cast<std::uint32_t>(group.endpoints.size());
    all.groups.push_back(group.sum);
  }
  order(*scenario_, all.groups);
  all.each = std::move(each_);
  if (Components(*scenario_).count() > 1) {
    order_records(*scenario_, all.each);
  }
  const std::size_t kept = std::min<std::uint64_t>(all.each.size(), options_.most);
  all.left_out = left_out_ + all.each.size() - kept;
  all.each.resize(kept);
  return all;
}

void EventLog::order(const scenario::Scenario& scenario, std::vector<EventGroup>& groups) {
  std::vector<std::pair<GroupKey, EventGroup>> keyed;
  keyed.reserve(groups.size());
  for (const EventGroup& group : groups) {
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

void order_records(const scenario::Scenario& scenario, std::vector<EventRecord>& records) {
  const Components components(scenario);
  const auto place = [&](const EventRecord& record) {
    return record.change ? std::int64_t{*record.change} - INT64_C(0x100000000)
                         : std::int64_t{components.of(record.client)};
  };
  numeric::stable_sort(records, [&](const EventRecord& left, const EventRecord& right) {
    return left.at != right.at ? left.at < right.at : place(left) < place(right);
  });
}

}  // namespace spillway::run
