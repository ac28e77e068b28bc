#include "sim/compare/fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "models/config/locality.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/compare/prediction.hpp"

namespace spillway::compare {

std::string zone_name(const config::Locality& locality) {
  if (locality.region.empty()) {
    return locality.zone;
  }
  return locality.zone.empty() ? locality.region : locality.region + "/" + locality.zone;
}

Ground::Ground(std::vector<std::uint64_t> counts, const std::vector<Prediction>& predictions)
    : counts_(std::move(counts)), cells_(counts_.size()) {
  std::iota(cells_.begin(), cells_.end(), 0U);
  for (const PredictedHost& host : predictions.front().hosts) {
    zones_.push_back(zone_name(host.locality));
    priorities_.push_back(host.priority.value);
  }
  for (const Prediction& prediction : predictions) {
    blur(prediction);
  }
}

void Ground::blur(const Prediction& prediction) {
  numeric::DisjointSets sets(static_cast<std::uint32_t>(cells_.size()));
  for (std::uint32_t host = 0; host < cells_.size(); ++host) {
    sets.join(host, cells_[host]);
    sets.join(host, prediction.hosts[host].cell);
  }
  for (std::uint32_t host = 0; host < cells_.size(); ++host) {
    cells_[host] = sets.find(host);
  }
}

Mixture Ground::mix(const std::vector<Prediction>& predictions) const {
  const std::size_t hosts = counts_.size();
  std::vector<std::vector<double>> by_cell;  // one row per prediction
  Mixture mixture;
  std::set<std::vector<double>> distinct;
  for (const Prediction& prediction : predictions) {
    std::vector<double>& sums = by_cell.emplace_back(hosts, 0.0);
    for (std::size_t host = 0; host < hosts; ++host) {
      sums[cells_[host]] += prediction.hosts[host].share;
    }
    distinct.insert(sums);
  }
  mixture.parts.assign(predictions.size(), 1.0 / static_cast<double>(predictions.size()));
  std::vector<double> counted(hosts, 0.0);
  for (std::size_t host = 0; host < hosts; ++host) {
    counted[cells_[host]] += static_cast<double>(counts_[host]);
  }
  const double total = std::accumulate(counted.begin(), counted.end(), 0.0);
  constexpr int rounds = 2'000;
  for (int round = 0; distinct.size() > 1 && total > 0.0 && round < rounds; ++round) {
    std::vector<double> parts(predictions.size(), 0.0);
    for (std::size_t cell = 0; cell < hosts; ++cell) {
      double share = 0.0;
      for (std::size_t one = 0; one < predictions.size(); ++one) {
        share += mixture.parts[one] * by_cell[one][cell];
      }
      for (std::size_t one = 0; share > 0.0 && one < predictions.size(); ++one) {
        parts[one] += counted[cell] / total * mixture.parts[one] * by_cell[one][cell] / share;
      }
    }
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    double moved = 0.0;
    for (std::size_t one = 0; sum > 0.0 && one < parts.size(); ++one) {
      moved = std::max(moved, std::abs(parts[one] / sum - mixture.parts[one]));
      mixture.parts[one] = parts[one] / sum;
    }
    constexpr double still = 1e-9;
    if (moved < still) {
      break;
    }
  }
  mixture.shares.assign(hosts, 0.0);
  for (std::size_t host = 0; host < hosts; ++host) {
    for (std::size_t one = 0; one < predictions.size(); ++one) {
      mixture.shares[host] += mixture.parts[one] * predictions[one].hosts[host].share;
    }
  }
  return mixture;
}

std::vector<statistics::Category> Ground::categories(Level level, const Mixture& mixture,
                                                     const std::vector<std::uint64_t>& counts) const {
  numeric::DisjointSets groups(static_cast<std::uint32_t>(counts.size()));
  std::map<std::string, std::uint32_t> first;
  for (std::uint32_t host = 0; host < counts.size(); ++host) {
    groups.join(host, cells_[host]);
    if (level != Level::host) {
      const std::string name = level == Level::zone ? zones_[host] : std::to_string(priorities_[host]);
      groups.join(host, first.try_emplace(name, host).first->second);
    }
  }
  std::map<std::uint32_t, statistics::Category> sums;
  for (std::uint32_t host = 0; host < counts.size(); ++host) {
    statistics::Category& sum = sums[groups.find(host)];
    sum.count += counts[host];
    sum.share += mixture.shares[host];
  }
  std::vector<statistics::Category> all;
  for (const auto& [group, sum] : sums) {
    all.push_back(sum);
  }
  return all;
}

std::vector<FitTest> Ground::tests(const Mixture& mixture) const {
  std::vector<FitTest> tests;
  std::set<std::size_t> seen;
  for (const Level level : {Level::host, Level::zone, Level::priority}) {
    const auto all = categories(level, mixture, counts_);
    if (level != Level::host && (all.size() < 2 || seen.contains(all.size()))) {
      continue;
    }
    seen.insert(all.size());
    const auto thick = statistics::without_thin_categories(all);
    tests.push_back({level, thick.size(), statistics::chance_of_counts(thick)});
  }
  return tests;
}

double Ground::chance(const Mixture& mixture) const {
  return chance(mixture, counts_);
}

double Ground::chance(const Mixture& mixture, const std::vector<std::uint64_t>& counts) const {
  double least = 1.0;
  for (const Level level : {Level::host, Level::zone, Level::priority}) {
    const auto thick = statistics::without_thin_categories(categories(level, mixture, counts));
    least = std::min(least, statistics::chance_of_counts(thick));
  }
  return least;
}

double Ground::dispersion(const Mixture& mixture) const {
  const auto thick = statistics::without_thin_categories(categories(Level::host, mixture, counts_));
  if (thick.size() < 2) {
    return 0.0;
  }
  const auto total = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
  double sum = 0.0;
  for (const statistics::Category& category : thick) {
    const double expected = total * category.share;
    const double off = static_cast<double>(category.count) - expected;
    sum += expected > 0.0 ? off * off / expected : 0.0;
  }
  return sum / static_cast<double>(thick.size() - 1);
}

bool Ground::too_few(const Mixture& mixture) const {
  const auto all = categories(Level::host, mixture, counts_);
  const auto possible = std::count_if(all.begin(), all.end(), [](const statistics::Category& category) {
    return category.share > statistics::share_slack;
  });
  return possible > 1 && statistics::without_thin_categories(all).size() < 2;
}

bool Ground::in_one_cell() const {
  return cells_.size() > 1 && std::all_of(cells_.begin(), cells_.end(), [&](auto cell) { return cell == cells_[0]; });
}

}  // namespace spillway::compare
