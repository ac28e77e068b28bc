#include "reports/explain/retry_chances.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace spillway::reports::explain {
namespace {

// A group of identical hosts.
struct LikeHosts {
  RetryTarget each;
  std::uint32_t hosts = 0;
};

std::vector<LikeHosts> like_hosts(const std::vector<RetryTarget>& targets) {
  constexpr double rounding = 1e-12;
  std::vector<LikeHosts> groups;
  for (const RetryTarget& target : targets) {
    if (target.share <= 0.0) {
      continue;
    }
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const LikeHosts& group) {
      return std::abs(group.each.share - target.share) < rounding && std::abs(group.each.ok - target.ok) < rounding &&
             std::abs(group.each.retried - target.retried) < rounding;
    });
    if (same == groups.end()) {
      groups.push_back({target, 1});
    } else {
      ++same->hosts;
    }
  }
  return groups;
}

// The number of hosts already tried per group, and the probability that the request is still to be retried.
using Tried = std::map<std::vector<std::uint32_t>, double>;

// Computes one more attempt: returns the probability of success, and adds the requests that are retried to `after`.
double succeeds_in_attempt(const std::vector<LikeHosts>& groups, const RetryRule& rule, bool first, const Tried& before,
                           Tried& after) {
  double succeeded = 0.0;
  for (const auto& [tried, chance] : before) {
    double rejected = 0.0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      rejected += tried[group] * groups[group].each.share;
    }
    // The limit of new picks; the last one is used even if rejected.
    const double again = rule.previous_hosts && !first ? rule.host_selection_retry_max_attempts : 0.0;
    const double last = again > 0.0 ? std::pow(rejected, again) : 1.0;
    double all = 1.0;
    for (double pick = 1.0; pick <= again; pick += 1.0) {
      all += std::pow(rejected, pick);
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const RetryTarget& each = groups[group].each;
      const double untried = (groups[group].hosts - tried[group]) * each.share * all;
      const double same = tried[group] * each.share * last;
      succeeded += chance * (untried + same) * each.ok;
      std::vector<std::uint32_t> next = tried;
      after[next] += chance * same * each.retried;
      if (untried > 0.0 && rule.previous_hosts) {
        ++next[group];
      }
      after[next] += chance * untried * each.retried;
    }
  }
  return succeeded;
}

}  // namespace

std::vector<double> chances_of_success(const std::vector<RetryTarget>& targets, const RetryRule& rule) {
  constexpr std::size_t most_ways = 100'000;
  const std::vector<LikeHosts> groups = like_hosts(targets);
  std::vector<double> chances;
  double succeeded = 0.0;
  Tried tried{{std::vector<std::uint32_t>(groups.size(), 0), 1.0}};
  for (std::uint32_t number = 0; number < rule.attempts && tried.size() * groups.size() <= most_ways; ++number) {
    Tried after;
    succeeded += succeeds_in_attempt(groups, rule, number == 0, tried, after);
    chances.push_back(succeeded);
    tried = std::move(after);
  }
  return chances;
}

}  // namespace spillway::reports::explain
