// Pushes of EDS that the binding adds to a scenario's timeline or derives from those in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/change.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::binding {

struct Services;  // stages.hpp

// Returns the type that the file gives the service's cluster; "EDS" if it gives none.
[[nodiscard]] std::string type_of(const Services& so_far, std::uint32_t service);

using Audience = std::vector<config::ZoneIndex>;  // zones whose clients receive a push; empty means all

// Returns one audience for all zones, or one for each zone if some of these pushes reach only some. `audience_of`
// returns that of a change, null if the change is none of them.
template <class AudienceOf>
[[nodiscard]] std::vector<Audience> audiences_of(const Scenario& scenario, const AudienceOf& audience_of) {
  const bool apart = std::any_of(scenario.changes.begin(), scenario.changes.end(), [&](const Change& change) {
    const Audience* const audience = audience_of(change);
    return audience != nullptr && !audience->empty();
  });
  std::vector<Audience> audiences;
  for (std::uint32_t zone = 0; zone < (apart ? scenario.zones.size() : 1); ++zone) {
    audiences.push_back(apart ? Audience{{zone}} : Audience{});
  }
  return audiences;
}

// Adds a push, unless it is about no host.
template <class Push>
void add_push(std::vector<Change>& changes, Nanoseconds at, Push push, Span where) {
  if (!push.hosts.empty()) {
    changes.push_back({at, std::move(push), where});
  }
}

}  // namespace spillway::scenario::binding
