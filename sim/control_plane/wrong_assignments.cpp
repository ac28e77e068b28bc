#include "sim/control_plane/wrong_assignments.hpp"

#include <algorithm>
#include <utility>

#include "sim/control_plane/assignments.hpp"

namespace spillway::control_plane {

void WrongAssignments::add(Proxy& proxy, int change, Nanoseconds now) {
  const bool before = proxy.wrong > 0;
  proxy.wrong = static_cast<std::uint32_t>(static_cast<int>(proxy.wrong) + change);
  const bool after = proxy.wrong > 0;
  if (before == after) {
    return;
  }
  if (after) {
    proxy.since = now;
    hazard_.proxies += proxy.ever ? 0 : 1;
    proxy.ever = true;
    hazard_.most_at_once = std::max(hazard_.most_at_once, ++wrong_now_);
    return;
  }
  --wrong_now_;
  const Nanoseconds time = now - proxy.since;
  if (time > Nanoseconds{0}) {
    ++hazard_.periods;
  }
  hazard_.together += time;
  hazard_.longest = std::max(hazard_.longest, time);
}

void WrongAssignments::take(std::uint32_t proxy, std::uint32_t kind, Objects objects, Nanoseconds now) {
  Proxy& holder = proxies_[proxy];
  // New assignments count before old ones are given back, so that one wrong assignment after another is one period.
  const Objects had = std::exchange(holder.objects, std::move(objects));
  holder.kind = kind;
  for (const auto& object : holder.objects) {
    object->holders[kind].push_back(proxy);
    if (object->wrong[kind] != 0) {
      add(holder, 1, now);
    }
  }
  for (const auto& object : had) {
    auto& holders = object->holders[kind];
    holders.erase(std::find(holders.begin(), holders.end(), proxy));
    if (object->wrong[kind] != 0) {
      add(holder, -1, now);
    }
  }
}

void WrongAssignments::turn(const SharedObject& object, const std::vector<std::uint8_t>& before, Nanoseconds now) {
  for (std::size_t kind = 0; kind < before.size(); ++kind) {
    if (before[kind] == object.wrong[kind]) {
      continue;
    }
    for (const std::uint32_t proxy : object.holders[kind]) {
      add(proxies_[proxy], object.wrong[kind] != 0 ? 1 : -1, now);
    }
  }
}

void WrongAssignments::finish(Nanoseconds end) {
  for (std::size_t proxy = 0; proxy < proxies_.size(); ++proxy) {
    if (proxies_[proxy].wrong > 0) {
      ++hazard_.proxies_at_end;
      take(static_cast<std::uint32_t>(proxy), proxies_[proxy].kind, {}, end);
    }
  }
}

}  // namespace spillway::control_plane
