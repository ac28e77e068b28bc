// Retried requests, as a reason for counts that do not fit.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <utility>

#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::compare {
namespace {

// Hosts that are tested together.
struct TestedCell {
  std::vector<std::size_t> hosts = {};
  double share = 0.0;
  double count = 0.0;
};

std::vector<TestedCell> tested_cells(const Ground& ground, const Mixture& base) {
  std::map<std::uint32_t, TestedCell> cells;
  for (std::size_t host = 0; host < ground.counts().size(); ++host) {
    TestedCell& cell = cells[ground.cells()[host]];
    cell.hosts.push_back(host);
    cell.share += base.shares[host];
    cell.count += static_cast<double>(ground.counts()[host]);
  }
  std::vector<TestedCell> all;
  for (auto& [number, cell] : cells) {
    if (cell.share > 0.0) {
      all.push_back(std::move(cell));
    }
  }
  return all;
}

// Returns the level of requests per share up to which cells with fewer lack `missing` requests in total. This
// distribution of the missing attempts fits the shares best.
double filled_level(std::vector<TestedCell> cells, double missing) {
  std::sort(cells.begin(), cells.end(), [](const TestedCell& one, const TestedCell& other) {
    return one.count / one.share < other.count / other.share;
  });
  double share = 0.0;
  double count = missing;
  for (const TestedCell& cell : cells) {
    if (share > 0.0 && count / share <= cell.count / cell.share) {
      break;
    }
    share += cell.share;
    count += cell.count;
  }
  return share > 0.0 ? count / share : 0.0;
}

// Tests attempts missing in an access log, which has only the last one of each request. The others may have failed at
// any host; the best fit to the shares is used.
Reason attempts_beside_log(const Tested& tested, std::uint64_t retried) {
  const auto& [one, ground, base, threshold] = tested;
  const std::vector<TestedCell> cells = tested_cells(ground, base);
  const double level = filled_level(cells, static_cast<double>(retried));
  std::vector<std::uint64_t> counts = ground.counts();
  std::string hosts;
  std::size_t named = 0;
  for (const TestedCell& cell : cells) {
    const auto failed = static_cast<std::uint64_t>(std::llround(std::max(0.0, level * cell.share - cell.count)));
    counts[cell.hosts.front()] += failed;
    constexpr std::size_t most_named = 4;
    if (failed > 0 && cell.hosts.size() == 1 && ++named <= most_named) {
      hosts += fmt::format("{}{} at {}", hosts.empty() ? ": " : ", ", failed, one.hosts()[cell.hosts.front()].address);
    }
  }
  const double chance = ground.chance(base, counts);
  return tested.reason(
      ReasonKind::retries, chance, true,
      fmt::format("{} attempts failed and were tried again; the access log names the host of the last attempt "
                  "alone. The shares would have them{}",
                  retried, hosts.empty() ? " at hosts that are compared together" : hosts));
}

// Returns counts of first picks. Up to `retried` requests may be counted at another host than the one picked first.
std::vector<std::uint64_t> counts_of_first_picks(const Ground& ground, const Mixture& base, std::uint64_t retried) {
  std::vector<std::uint64_t> counts = ground.counts();
  for (std::uint64_t left = retried; left > 0; --left) {
    const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    std::size_t most = 0;
    double furthest = 0.0;
    for (std::size_t host = 0; host < counts.size(); ++host) {
      const double over = static_cast<double>(counts[host]) - total * base.shares[host];
      if (counts[host] > 0 && over > furthest) {
        most = host;
        furthest = over;
      }
    }
    if (furthest <= 0.0) {
      break;
    }
    // Steps keep the cost of many retries as low as that of few.
    const std::uint64_t step = std::min({left, counts[most], std::max<std::uint64_t>(1, retried / 1'000)});
    counts[most] -= step;
    left -= step - 1;
  }
  return counts;
}

}  // namespace

std::optional<Reason> retried_requests(const Tested& tested) {
  const std::uint64_t retried = tested.one.retries.value_or(0);
  if (retried == 0) {
    return std::nullopt;
  }
  if (tested.one.observation.last_attempts_alone) {
    return attempts_beside_log(tested, retried);
  }
  const double chance = tested.ground.chance(tested.base, counts_of_first_picks(tested.ground, tested.base, retried));
  return tested.reason(ReasonKind::retries, chance, true,
                       fmt::format("{} requests were sent again, to a host of another pick", retried));
}

}  // namespace spillway::compare
