// The one list that all picks of a plain cluster go to, where its policy takes the better of two hosts: what a pick
// will look at is known from its draws, before it is made.
//
//   const OnlyList list = only_list_of(state.sources.hosts(plan.list), choice.priority, plan.availability);
//   const DrawnHost host = list.host_at(list.by_hosts(draw()));
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "models/config/strong.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/numeric/remainder.hpp"

namespace spillway::envoy {

struct DrawnHost {
  const config::HostIndex* place = nullptr;  // in its list; null: it is known without looking there
  config::HostIndex host = {};

  [[nodiscard]] const config::HostIndex& operator*() const noexcept { return place == nullptr ? host : *place; }
  [[nodiscard]] const config::HostIndex* operator->() const noexcept { return &**this; }
};

// One cache line.
struct OnlyList {
  static constexpr std::uint32_t most_gaps = 16;
  const config::HostIndex* hosts = nullptr;  // null: picks go other ways
  numeric::Remainder by_hosts = {};
  config::Priority priority = {};
  Availability availability = Availability::healthy;
  bool few_gaps = false;
  // The hosts that it lacks of those before its last one, ascending, where they are few: how many hosts the list has
  // before each. Then nobody has to look into the list, which hardly ever is at hand.
  std::int16_t after[most_gaps] = {};

  [[nodiscard]] DrawnHost host_at(std::uint64_t position) const noexcept {
    if (!few_gaps) {
      return {&hosts[position]};
    }
    // All of them side by side: nobody can foresee how many it will be.
    const auto own = static_cast<std::int16_t>(position);
    std::int16_t before = 0;
    for (const std::int16_t gap : after) {
      before = static_cast<std::int16_t>(before + (gap <= own ? 1 : 0));
    }
    return {nullptr, config::HostIndex{static_cast<std::uint32_t>(position) + static_cast<std::uint32_t>(before)}};
  }
};

// Of a list that is not empty.
[[nodiscard]] inline OnlyList only_list_of(std::span<const config::HostIndex> hosts, config::Priority priority,
                                           Availability availability) noexcept {
  OnlyList list{hosts.data(), numeric::Remainder(hosts.size()), priority, availability};
  constexpr auto never = std::numeric_limits<std::int16_t>::max();
  if (hosts.size() > static_cast<std::size_t>(never)) {
    return list;
  }
  std::fill(std::begin(list.after), std::end(list.after), never);
  std::uint32_t count = 0;
  for (std::uint32_t position = 0; position < hosts.size(); ++position) {
    const std::uint32_t expected = position + count;
    if (hosts[position].value < expected || hosts[position].value - expected > OnlyList::most_gaps - count) {
      return list;
    }
    for (; position + count < hosts[position].value; ++count) {
      list.after[count] = static_cast<std::int16_t>(position);
    }
  }
  list.few_gaps = true;
  return list;
}

}  // namespace spillway::envoy
