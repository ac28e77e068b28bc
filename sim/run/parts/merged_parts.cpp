// Merges results of parts: rows are by client, and each client is in one part.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

#include "sim/run/parts/components.hpp"
#include "sim/run/parts/part.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/replications.hpp"

namespace spillway::run {

namespace {

template <class Row>
void move_to(std::vector<Row>& into, std::vector<Row>& from) {
  into.insert(into.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from = std::vector<Row>();
}

// Sorts rows by client; rows of one client keep their order.
template <class Row>
void order_by_client(std::vector<Row>& rows) {
  numeric::stable_sort(rows, [](const Row& left, const Row& right) { return left.client < right.client; });
}

// Sorts loads. An endpoint is in one part, or has no requests.
void order_loads(std::vector<EndpointLoad>& rows) {
  numeric::stable_sort(rows, [](const EndpointLoad& left, const EndpointLoad& right) {
    return std::tie(left.epoch, left.endpoint) < std::tie(right.epoch, right.endpoint);
  });
}

template <class Row>
void order_by_time(const scenario::Scenario& scenario, std::vector<Row>& rows) {
  numeric::stable_sort(rows, [](const Row& left, const Row& right) { return left.at < right.at; });
  order_by_component(scenario, rows);
}

std::uint64_t number_of(const std::string& fingerprint) {
  constexpr int hexadecimal = 16;
  return std::strtoull(fingerprint.c_str(), nullptr, hexadecimal);
}

// Merges events. Timeline changes were recorded by every part that they may concern; each is kept once.
Events merge(const scenario::Scenario& scenario, std::vector<Results>& parts, std::uint64_t most) {
  Events all;
  std::uint64_t total = 0;
  std::set<std::uint32_t> known_groups;
  std::set<std::uint32_t> known;
  for (Results& part : parts) {
    total += part.logged_events.each.size() + part.logged_events.left_out;
    for (const EventGroup& group : part.logged_events.groups) {
      if (group.first.change && !known_groups.insert(*group.first.change).second) {
        total -= group.times;
        continue;
      }
      all.groups.push_back(group);
    }
    for (EventRecord& record : part.logged_events.each) {
      if (!record.change || known.insert(*record.change).second) {
        all.each.push_back(record);
      }
    }
    part.logged_events = {};
  }
  EventLog::order(scenario, all.groups);
  order_records(scenario, all.each);
  all.each.resize(std::min<std::uint64_t>(all.each.size(), most));
  all.left_out = total - all.each.size();
  return all;
}

}  // namespace

Results merge_parts(const scenario::Scenario& scenario, std::vector<Results> parts, std::uint64_t most_events) {
  Events logged_events = merge(scenario, parts, most_events);
  Results whole = std::move(parts.front());
  std::uint64_t fingerprint = number_of(whole.result_fingerprint);
  for (std::size_t number = 1; number < parts.size(); ++number) {
    Results& part = parts[number];
    fingerprint += number_of(part.result_fingerprint);
    move_to(whole.epochs, part.epochs);
    move_to(whole.shares.blocks(), part.shares.blocks());
    move_to(whole.outcomes, part.outcomes);
    move_to(whole.latency, part.latency);
    move_to(whole.whole_latency, part.whole_latency);
    move_to(whole.within, part.within);
    move_to(whole.endpoints, part.endpoints);
    move_to(whole.samples, part.samples);
    move_to(whole.windows, part.windows);
    for (std::size_t window = 0; window < whole.outcomes_in_windows.size(); ++window) {
      add(whole.outcomes_in_windows[window], part.outcomes_in_windows[window]);
    }
    move_to(whole.cross_zone.blocks(), part.cross_zone.blocks());
    move_to(whole.ejections, part.ejections);
    move_to(whole.checked, part.checked);
    whole.events.ejections += part.events.ejections;
    whole.events.unejections += part.events.unejections;
  }
  whole.result_fingerprint = fmt::format("{:016x}", fingerprint);
  whole.logged_events = std::move(logged_events);
  order_by_client(whole.epochs);
  order_by_client(whole.shares.blocks());
  order_by_client(whole.outcomes);
  order_by_client(whole.latency);
  order_by_client(whole.whole_latency);
  order_by_client(whole.within);
  order_by_client(whole.cross_zone.blocks());
  order_loads(whole.endpoints);
  order_loads(whole.samples);
  order_loads(whole.windows);
  order_by_time(scenario, whole.ejections);
  order_by_time(scenario, whole.checked);
  return whole;
}

}  // namespace spillway::run
