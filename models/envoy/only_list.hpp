// The single list from which all picks of a plain cluster come, if its policy picks the better of two hosts. The hosts
// to compare can then be computed from the draws before the pick is made.
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
#include "models/envoy/availability.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/numeric/remainder.hpp"

namespace spillway::envoy {

struct DrawnHost {
  const config::HostIndex* place = nullptr;  // entry in the list; null if `host` was computed without the list
  config::HostIndex host = {};

  [[nodiscard]] const config::HostIndex& operator*() const noexcept { return place == nullptr ? host : *place; }
  [[nodiscard]] const config::HostIndex* operator->() const noexcept { return &**this; }
};

// The list in one cache line.
struct OnlyList {
  static constexpr std::uint32_t most_gaps = 16;
  const config::HostIndex* hosts = nullptr;  // null if picks do not come from one list
  numeric::Remainder by_hosts = {};
  config::Priority priority = {};
  Availability availability = Availability::healthy;
  bool few_gaps = false;
  // Gaps: host indices missing from the list below its last host, ascending, if there are few. Each entry is the number
  // of listed hosts before the gap. A host is then found without reading the list, which is rarely in the cache.
  std::int16_t after[most_gaps] = {};

  [[nodiscard]] DrawnHost host_at(std::uint64_t position) const noexcept {
    if (!few_gaps) {
      return {&hosts[position]};
    }
    // Compares all entries without branches, because the number of matches is unpredictable.
    const auto own = static_cast<std::int16_t>(position);
    std::int16_t before = 0;
    for (const std::int16_t gap : after) {
      before = static_cast<std::int16_t>(before + (gap <= own ? 1 : 0));
    }
    return {nullptr, config::HostIndex{static_cast<std::uint32_t>(position) + static_cast<std::uint32_t>(before)}};
  }
};

// Returns the OnlyList of these hosts. Precondition: `hosts` is not empty.
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

// The two hosts that a balancer's next pick will compare, as far as its draws decide them.

// Valid until the balancer's next draw or update.
template <class Draw>
struct NextPair {
  DrawnHost first = {};
  DrawnHost second = {};
  Draw after;  // the generator after three draws
  config::Priority priority = {};
  Availability availability = Availability::healthy;
};

}  // namespace spillway::envoy
