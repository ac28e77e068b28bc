#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "models/numeric/compensated_sum.hpp"
#include "models/numeric/logarithm.hpp"
#include "models/numeric/power.hpp"
#include "sim/diff/changes.hpp"
#include "sim/diff/paired.hpp"
#include "sim/diff/target_shares.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::diff {
namespace {

// True if the client sends nothing.
bool is_silent(const Look& look, const Look::Asking& asking) {
  return !(look.still().clients[asking.client.value].workload.rate > 0.0);
}

bool same_counts(const TargetShares& before, const TargetShares& after) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
  std::uint64_t lost_before = before.sent;
  std::uint64_t lost_after = after.sent;
  for (const Target& target : all_targets(before, after)) {
    const auto count_in = [&](const TargetShares& shares) {
      const auto found = shares.counts.find(target);
      return found == shares.counts.end() ? std::uint64_t{0} : found->second;
    };
    counts.emplace_back(count_in(before), count_in(after));
    lost_before -= std::min(lost_before, counts.back().first);
    lost_after -= std::min(lost_after, counts.back().second);
  }
  counts.emplace_back(lost_before, lost_after);
  for (auto& [old_count, new_count] : counts) {
    const auto picks = [](std::uint64_t count, double part) {
      return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * part));
    };
    old_count = picks(old_count, before.independent);
    new_count = picks(new_count, after.independent);
  }
  return same_by_count(counts);
}

// Sums by some property, in the order of the names.
class Sums {
 public:
  explicit Sums(const std::vector<std::string>& order) {
    for (const std::string& name : order) {
      (void)sum_of(name);
    }
  }

  void add(const std::string& name, double before, double after) {
    Sum& sum = sum_of(name);
    sum.before.add(before);
    sum.after.add(after);
  }

  [[nodiscard]] std::vector<Part> changed() const {
    std::vector<Part> parts;
    for (const Sum& sum : sums_) {
      const Part part{sum.name, sum.before.value(), sum.after.value()};
      if (!same(part.before, part.after)) {
        parts.push_back(part);
      }
    }
    return parts;
  }

 private:
  struct Sum {
    std::string name;
    numeric::CompensatedSum before = {};
    numeric::CompensatedSum after = {};
  };

  Sum& sum_of(const std::string& name) {
    const auto [place, is_new] = places_.try_emplace(name, sums_.size());
    if (is_new) {
      sums_.push_back({name});
    }
    return sums_[place->second];
  }

  std::vector<Sum> sums_;
  std::map<std::string, std::size_t> places_;  // index in `sums_`
};

std::vector<std::string> names_of_zones(const Look& before, const Look& after) {
  std::vector<std::string> names;
  for (const Look* const look : {&after, &before}) {
    for (const scenario::Zone& zone : look->still().zones) {
      if (std::find(names.begin(), names.end(), zone.name) == names.end()) {
        names.push_back(zone.name);
      }
    }
  }
  return names;
}

// Returns the relevant endpoints in the order of the files. A set of the wanted ones avoids one search per endpoint.
std::vector<std::string> names_of_endpoints(const Look& before, const Look& after, const std::set<Target>& targets) {
  std::set<std::string> wanted;
  for (const Target& target : targets) {
    wanted.insert(target.endpoint);
  }
  std::vector<std::string> names;
  for (const Look* const look : {&after, &before}) {
    for (const scenario::Endpoint& endpoint : look->still().endpoints) {
      if (wanted.erase(endpoint.id) > 0) {
        names.push_back(endpoint.id);
      }
    }
  }
  return names;
}

// Returns half the sum of all changes: the share that goes to another target.
double moved(const std::vector<Part>& parts, const Move& move) {
  numeric::CompensatedSum sum;
  sum.add(std::abs(move.no_host.change()));
  sum.add(std::abs(move.lost.change()));
  for (const Part& part : parts) {
    sum.add(std::abs(part.change()));
  }
  return sum.value() / 2.0;
}

// Adds intervals of the differences of two counted parts. They are normal, with the variance of independent picks, an
// upper bound for policies that spread evenly. Parts that chance alone may explain are left out beside others.
void add_intervals(const TargetShares& old_shares, const TargetShares& new_shares, Move& move) {
  constexpr double quantile = 1.959964;
  const auto set = [&](Part& part) {
    part.half_width = quantile * std::sqrt(part.before * (1.0 - part.before) / old_shares.picks() +
                                           part.after * (1.0 - part.after) / new_shares.picks());
  };
  const std::array lists = {&move.zones, &move.priorities, &move.endpoints};
  for (std::vector<Part>* const parts : lists) {
    std::for_each(parts->begin(), parts->end(), set);
  }
  set(move.no_host);
  set(move.lost);
  const auto is_certain = [](const Part& part) { return std::abs(part.change()) > *part.half_width; };
  if (is_certain(move.no_host) || is_certain(move.lost) ||
      std::any_of(lists.begin(), lists.end(), [&](const std::vector<Part>* parts) {
        return std::any_of(parts->begin(), parts->end(), is_certain);
      })) {
    for (std::vector<Part>* const parts : lists) {
      std::erase_if(*parts, [&](const Part& part) { return !is_certain(part); });
    }
  }
}

double share_of(const TargetShares& shares, const Target& target) {
  const auto found = shares.of.find(target);
  return found == shares.of.end() ? 0.0 : found->second;
}

// Returns nullopt if nothing moves.
std::optional<Move> move_of(const Look& before, const Look& after, const TargetShares& old_shares,
                            const TargetShares& new_shares) {
  const std::set<Target> targets = all_targets(old_shares, new_shares);
  Move move;
  numeric::CompensatedSum points;
  std::set<std::string> clusters;
  for (const Target& target : targets) {
    clusters.insert(target.cluster);
    const double old_share = share_of(old_shares, target);
    const double new_share = share_of(new_shares, target);
    points.add(same(old_share, new_share) ? 0.0 : std::abs(new_share - old_share));
  }
  move.no_host.before = 1.0 - old_shares.answered() - old_shares.lost;
  move.no_host.after = 1.0 - new_shares.answered() - new_shares.lost;
  move.lost.before = old_shares.lost;
  move.lost.after = new_shares.lost;
  for (Part* const part : {&move.no_host, &move.lost}) {
    part->after = same(part->before, part->after) ? part->before : part->after;
    points.add(std::abs(part->change()));
  }
  move.points = points.value() / 2.0;
  if (same(move.points, 0.0)) {
    return std::nullopt;
  }
  Sums zones(names_of_zones(before, after));
  Sums priorities({});
  Sums endpoints(names_of_endpoints(before, after, targets));
  for (const Target& target : targets) {
    const double old_share = share_of(old_shares, target);
    const double new_share = share_of(new_shares, target);
    zones.add(target.zone, old_share, new_share);
    priorities.add(clusters.size() > 1 ? fmt::format("{} P{}", target.cluster, target.priority)
                                       : fmt::format("P{}", target.priority),
                   old_share, new_share);
    endpoints.add(target.endpoint, old_share, new_share);
  }
  move.zones = zones.changed();
  move.priorities = priorities.changed();
  move.endpoints = endpoints.changed();
  move.exact = old_shares.exact && new_shares.exact;
  if (!move.exact) {
    add_intervals(old_shares, new_shares, move);
  }
  move.zone_points = moved(move.zones, move);
  return move;
}

// True if the share of some target, or of no target, differs significantly between repetitions. Uses Student's interval
// of the paired differences, with one false alarm in ten thousand over all targets.
bool moves_in_repetitions(const std::vector<TargetShares>& before, const std::vector<TargetShares>& after) {
  std::set<Target> targets;
  for (std::size_t repetition = 0; repetition < before.size(); ++repetition) {
    targets.merge(all_targets(before[repetition], after[repetition]));
  }
  constexpr double false_alarm = 1e-4;
  const double outside = false_alarm / static_cast<double>(targets.size() + 2);
  const auto moves = [&](auto share_in) {
    std::vector<double> changes;
    for (std::size_t repetition = 0; repetition < before.size(); ++repetition) {
      changes.push_back(share_in(after[repetition]) - share_in(before[repetition]));
    }
    return std::abs(mean(changes)) > half_width(changes, outside);
  };
  return moves([](const TargetShares& shares) { return shares.lost; }) ||
         moves([](const TargetShares& shares) { return shares.answered(); }) ||
         std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
           return moves([&](const TargetShares& shares) { return share_of(shares, target); });
         });
}

// Returns the sum of all repetitions. `spread` is the factor by which they deviate more than independent requests.
TargetShares together(const std::vector<TargetShares>& repeated, double spread) {
  TargetShares all;
  all.exact = false;
  all.independent = std::min(repeated.front().independent, 1.0 / spread);
  for (const TargetShares& one : repeated) {
    all.sent += one.sent;
    for (const auto& [target, count] : one.counts) {
      all.counts[target] += count;
    }
    all.lost += one.lost * static_cast<double>(one.sent);
  }
  const double sent = std::max(1.0, static_cast<double>(all.sent));
  all.lost /= sent;
  for (const auto& [target, count] : all.counts) {
    all.of[target] = static_cast<double>(count) / sent;
  }
  return all;
}

// The lists of shares that a client's requests follow. Clients with the same lists move in the same way.
using Followed = std::vector<std::tuple<const run::ExactRows*, double>>;

Followed followed(const Look& look, const Look::Asking& asking) {
  Followed lists;
  for (const run::ShareBlock& block : look.exact().shares.of(asking.client)) {
    if (block.service == asking.service) {
      lists.emplace_back(block.exact.get(), block.part);
    }
  }
  return lists;
}

std::optional<Move> exact_move(const Look& before, const Look& after, const Look::Asking& old,
                               const Look::Asking& asking) {
  TargetShares old_shares = exact_shares(before, old);
  TargetShares new_shares = exact_shares(after, asking);
  if (!have_same_clusters(old_shares, new_shares)) {
    forget_clusters(old_shares);
    forget_clusters(new_shares);
  }
  return move_of(before, after, old_shares, new_shares);
}

// Returns how far a share may move without the G-test finding it in one run: the quantile of the test times the
// deviation of the difference of two counts, for the target where it is largest.
double least_move_found(const TargetShares& before, const TargetShares& after) {
  constexpr double one_in_a_million = 4.8916;
  double most = 0.0;
  for (const Target& target : all_targets(before, after)) {
    const double share = (share_of(before, target) + share_of(after, target)) / 2.0;
    most = std::max(most, share * (1.0 - share));
  }
  const double picks = std::min(before.picks(), after.picks());
  return picks > 0.0 ? std::min(1.0, one_in_a_million * std::sqrt(2.0 * most / picks)) : 1.0;
}

std::optional<Move> counted_move(const Look& before, const Look& after, const Look::Asking& old,
                                 const Look::Asking& asking, NoDifference& none) {
  TargetShares old_shares = counted_shares(before, old);
  TargetShares new_shares = counted_shares(after, asking);
  const bool same_clusters = have_same_clusters(old_shares, new_shares);
  if (!same_clusters) {
    forget_clusters(old_shares);
    forget_clusters(new_shares);
  }
  std::optional<Move> move;
  if (!same_counts(old_shares, new_shares)) {
    // Correlated requests, for example after ejections, deviate more than the G-test assumes.
    std::vector<TargetShares> old_repeated = repeated_shares(before, old);
    std::vector<TargetShares> new_repeated = repeated_shares(after, asking);
    if (!same_clusters) {
      std::for_each(old_repeated.begin(), old_repeated.end(), forget_clusters);
      std::for_each(new_repeated.begin(), new_repeated.end(), forget_clusters);
    }
    if (moves_in_repetitions(old_repeated, new_repeated)) {
      const double spread = std::max(before.overdispersion(), after.overdispersion());
      move = move_of(before, after, together(old_repeated, spread), together(new_repeated, spread));
    }
  }
  // Equal draws that lead to equal counts leave nothing to chance.
  if (!move && old_shares.counts != new_shares.counts) {
    none.add(least_move_found(old_shares, new_shares));
  }
  return move;
}

}  // namespace

bool same(double before, double after) noexcept {
  constexpr double rounding = 1e-12;
  return std::abs(after - before) <= rounding * std::max({1.0, std::abs(before), std::abs(after)});
}

bool same_by_count(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts) {
  double all_before = 0.0;
  double all_after = 0.0;
  double categories = 0.0;
  for (const auto& [before, after] : counts) {
    all_before += static_cast<double>(before);
    all_after += static_cast<double>(after);
    categories += before + after > 0 ? 1.0 : 0.0;
  }
  if (all_before == 0.0 || all_after == 0.0 || categories < 2.0) {
    return true;
  }
  double statistic = 0.0;
  for (const auto& [before, after] : counts) {
    const auto both = static_cast<double>(before + after);
    const auto add = [&](std::uint64_t count, double all) {
      const double expected = both * all / (all_before + all_after);
      statistic += count > 0 ? 2.0 * static_cast<double>(count) *
                                   numeric::natural_logarithm(static_cast<double>(count) / expected)
                             : 0.0;
    };
    add(before, all_before);
    add(after, all_after);
  }
  // The cube root of a chi-square value over its degrees of freedom is nearly normal.
  const double freedom = categories - 1.0;
  constexpr double ninths = 9.0;
  constexpr double one_in_a_million = 4.7534;
  const double spread = 2.0 / (ninths * freedom);
  return (numeric::power(statistic / freedom, 1.0 / 3.0) - (1.0 - spread)) / std::sqrt(spread) <= one_in_a_million;
}

std::vector<Move> moves_of(const Look& before, const Look& after, std::size_t context, NoDifference& none) {
  std::vector<Move> moves;
  std::map<std::pair<Followed, Followed>, std::optional<Move>> exact;
  for (const Look::Asking& asking : after.asking()) {
    const scenario::ClientEntry& client = after.still().clients[asking.client.value];
    const std::string& service = after.still().services[asking.service.value].name;
    const Look::Asking* const old = before.find(client.name, service);
    if (old == nullptr || (is_silent(before, *old) && is_silent(after, asking))) {
      continue;
    }
    std::optional<Move> move;
    if (before.has_closed_form(*old) && after.has_closed_form(asking)) {
      const auto [known, is_new] = exact.try_emplace({followed(before, *old), followed(after, asking)});
      if (is_new) {
        known->second = exact_move(before, after, *old, asking);
      }
      move = known->second;
    } else {
      move = counted_move(before, after, *old, asking, none);
    }
    if (move) {
      move->context = context;
      move->client = client.name;
      move->client_zone = after.still().zones[after.still().nodes[client.node.value].zone.value].name;
      move->service = service;
      moves.push_back(*std::move(move));
    }
  }
  return moves;
}

}  // namespace spillway::diff
