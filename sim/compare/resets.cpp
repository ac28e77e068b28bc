// Counter resets between the two times, as a reason for counts that do not fit.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::compare {
namespace {

// Tests whether the proxy was restarted, which resets all counters to 0. Returns nullopt if totals are unknown.
std::optional<Reason> restarted_proxy(const Tested& tested) {
  Observation since_start = tested.one.observation;
  for (ObservedHost& host : since_start.hosts) {
    if (!host.total && host.requests > 0) {
      return std::nullopt;
    }
    host.requests = host.total.value_or(0);
  }
  const double chance = tested.ground.chance(tested.base, counts_of(tested.one.hosts(), since_start));
  return tested.reason(
      ReasonKind::counters_reset, chance, true,
      fmt::format("counters were reset in between: as if the proxy was restarted, with {} requests since then",
                  since_start.requests()));
}

// Tests hosts with a decreased counter. Their requests before the reset are lost and may be any number.
std::optional<Reason> hosts_that_came_anew(const Tested& tested) {
  const auto& [one, ground, base, threshold] = tested;
  std::map<std::uint32_t, std::string> anew;  // by cell: one of its hosts
  std::vector<std::uint64_t> counts = ground.counts();
  std::map<std::uint32_t, double> share_of_cell;
  std::map<std::uint32_t, double> count_of_cell;
  for (std::size_t host = 0; host < counts.size(); ++host) {
    const ObservedHost* const seen = one.observation.find(one.hosts()[host].address);
    if (seen != nullptr && seen->came_anew) {
      anew.try_emplace(ground.cells()[host], seen->address);
    }
    share_of_cell[ground.cells()[host]] += base.shares[host];
    count_of_cell[ground.cells()[host]] += static_cast<double>(counts[host]);
  }
  double share = 0.0;
  double count = 0.0;
  for (const auto& [cell, of_cell] : share_of_cell) {
    share += anew.contains(cell) ? 0.0 : of_cell;
    count += anew.contains(cell) ? 0.0 : count_of_cell.at(cell);
  }
  if (anew.empty() || share <= 0.0) {
    return std::nullopt;  // all of them: this is a restart
  }
  std::string text;
  for (std::size_t host = 0; host < counts.size(); ++host) {
    const auto found = anew.find(ground.cells()[host]);
    if (found == anew.end() || found->second != one.hosts()[host].address) {
      continue;
    }
    const double expected = count / share * share_of_cell.at(found->first);
    const auto lost =
        static_cast<std::uint64_t>(std::llround(std::max(0.0, expected - count_of_cell.at(found->first))));
    counts[host] += lost;
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", lost, found->second);
  }
  const double chance = ground.chance(base, counts);
  return tested.reason(
      ReasonKind::counters_reset, chance, true,
      "counters were reset in between, so that requests before that are missing; the shares would have " + text);
}

}  // namespace

std::optional<Reason> reset_counters(const Tested& tested) {
  if (!tested.one.observation.reset || tested.one.observation.restarted) {
    return std::nullopt;  // counts are complete since a known restart
  }
  std::optional<Reason> restarted = restarted_proxy(tested);
  std::optional<Reason> came_anew = hosts_that_came_anew(tested);
  if (!restarted || (came_anew && came_anew->chance > restarted->chance)) {
    return came_anew;
  }
  return restarted;
}

}  // namespace spillway::compare
