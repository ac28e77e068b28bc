#include <algorithm>
#include <string>

#include "sim/diff/changes.hpp"
#include "sim/plan/onset.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::diff {
namespace {

struct NamedOnset {
  std::string zone;
  std::string service;
  plan::Onset onset;
};

std::vector<NamedOnset> onsets_by_name(const Side& side, Nanoseconds at) {
  const plan::Variants variants(*side.base(), at, 1.0);
  const auto variant = variants.with({});
  std::vector<NamedOnset> named;
  for (const plan::Onset& onset : plan::onsets_of(*side.base(), variants, *variant)) {
    named.push_back(
        {side.scenario().zones[onset.zone.value].name, side.scenario().services[onset.service.value].name, onset});
  }
  return named;
}

}  // namespace

std::vector<OnsetChange> onset_changes(const Side& before, const Side& after, Nanoseconds at) {
  constexpr std::size_t most_endpoints = 2'000;
  if (before.base() == nullptr || after.base() == nullptr ||
      std::max(before.scenario().endpoints.size(), after.scenario().endpoints.size()) > most_endpoints ||
      at >= std::min(before.scenario().duration, after.scenario().duration)) {
    return {};
  }
  const std::vector<NamedOnset> old = onsets_by_name(before, at);
  std::vector<OnsetChange> changes;
  for (const NamedOnset& now : onsets_by_name(after, at)) {
    const auto then = std::find_if(
        old.begin(), old.end(), [&](const NamedOnset& of) { return of.zone == now.zone && of.service == now.service; });
    if (then == old.end() ||
        (then->onset.leaves_zone_at == now.onset.leaves_zone_at && then->onset.panic_at == now.onset.panic_at)) {
      continue;
    }
    changes.push_back({now.zone, now.service, then->onset.endpoints, now.onset.endpoints, then->onset.leaves_zone_at,
                       now.onset.leaves_zone_at, then->onset.panic_at, now.onset.panic_at});
  }
  return changes;
}

}  // namespace spillway::diff
