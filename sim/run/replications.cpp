#include "sim/run/replications.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "models/numeric/disjoint_sets.hpp"
#include "models/numeric/hash.hpp"
#include "sim/engine/latency_histogram.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/statistics/student.hpp"

namespace spillway::run {
namespace {

// Returns the mean; if all values are equal, exactly that double.
double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value - values.front();
  }
  return values.front() + sum / static_cast<double>(values.size());
}

// One share row over all replications.
struct Row {
  std::vector<double> exact;
  std::vector<std::uint64_t> counted;  // by replication
  bool is_exact = true;                // in all of them
  std::string basis;
  std::uint64_t requests = 0;
  std::uint64_t attempts = 0;
  std::uint32_t number = 0;  // of the row within the block
};

// Sums one client, service and epoch over all replications: every run of a scenario has the same blocks.
class BlockSum {
 public:
  BlockSum(std::span<const Results> replications, std::size_t block) : replications_(replications), block_(block) {
    for (std::size_t replication = 0; replication < replications.size(); ++replication) {
      of(replication).for_each([&](const ShareCell& cell) { add(cell, replication); });
    }
    std::uint32_t number = 0;
    for (auto& [position, row] : rows_) {
      row.number = number++;
    }
    join_rows();
  }

  [[nodiscard]] ShareBlock sum() {
    ShareBlock sum = of(0);
    for (std::size_t replication = 0; replication < replications_.size(); ++replication) {
      sum.sent_by_replication.push_back(of(replication).sent);
    }
    ExactRows exact{.places = sum.exact->places};
    CountedRows counted;
    for (const auto& [position, row] : rows_) {
      const std::uint32_t set = sets_.find(row.number);
      exact.add(position, mean_of(row.exact), row.basis, row.is_exact ? 0 : set + 1, row.is_exact ? 0 : members_[set]);
      counted.positions.push_back(position);
      counted.requests.push_back(row.requests);
      counted.attempts.push_back(row.attempts);
      const double share = mean_of(row.exact);
      counted.ci95.push_back(
          half_width_of_counts(row.counted, sum.sent_by_replication, row.is_exact && (share == 0.0 || share == 1.0)));
      std::transform(row.counted.begin(), row.counted.end(), std::back_inserter(counted.by_replication),
                     [](std::uint64_t count) { return static_cast<std::uint32_t>(count); });
    }
    sum.part = 1.0;
    sum.sent = std::accumulate(sum.sent_by_replication.begin(), sum.sent_by_replication.end(), std::uint64_t{0});
    sum.exact = std::make_shared<const ExactRows>(std::move(exact));
    sum.counted = std::make_shared<const CountedRows>(std::move(counted));
    return sum;
  }

 private:
  [[nodiscard]] const ShareBlock& of(std::size_t replication) const {
    return replications_[replication].shares.blocks()[block_];
  }

  // Adds a cell; a replication without the row has share 0 there.
  void add(const ShareCell& cell, std::size_t replication) {
    Row& row = rows_[cell.position];
    row.exact.resize(replications_.size(), 0.0);
    row.counted.resize(replications_.size(), 0);
    row.exact[replication] = cell.at_rest;
    row.counted[replication] = cell.requests.value_or(0);
    // If one replication has no exact share, its reason is that of all.
    if (row.basis.empty() || (!cell.exact && row.is_exact)) {
      row.basis = *cell.exact_basis;
    }
    row.is_exact = row.is_exact && cell.exact;
    row.requests += cell.requests.value_or(0);
    row.attempts += cell.attempts.value_or(0);
  }

  // Joins rows: those with a joint share in one replication have one in the combination.
  void join_rows() {
    sets_ = numeric::DisjointSets(static_cast<std::uint32_t>(rows_.size()));
    std::vector<std::uint32_t> inexact;  // rows of joint shares that are not exact
    for (std::size_t replication = 0; replication < replications_.size(); ++replication) {
      std::map<std::uint32_t, std::uint32_t> first;
      std::map<std::uint32_t, std::uint32_t> missing;
      of(replication).for_each([&](const ShareCell& cell) {
        if (cell.joint != 0) {
          const std::uint32_t row = rows_.at(cell.position).number;
          sets_.join(first.try_emplace(cell.joint, row).first->second, row);
          missing.try_emplace(cell.joint, cell.joint_rows).first->second -= 1;
        }
      });
      for (const auto& [joint, rows_missing] : missing) {
        if (rows_missing > 0) {
          inexact.push_back(first.at(joint));
        }
      }
    }
    members_.assign(rows_.size(), 0);
    for (const auto& [position, row] : rows_) {
      members_[sets_.find(row.number)] += row.is_exact ? 0 : 1;
    }
    for (const std::uint32_t row : inexact) {
      members_[sets_.find(row)] = static_cast<std::uint32_t>(rows_.size()) + 1;
    }
  }

  std::span<const Results> replications_;
  std::size_t block_;
  std::map<std::uint32_t, Row> rows_;  // by position
  numeric::DisjointSets sets_;
  std::vector<std::uint32_t> members_;  // rows of the joint share whose first row this is
};

void add(Latency& sum, const Latency& latency) {
  sum.answers += latency.answers;
  sum.p50 += latency.p50;
  sum.p90 += latency.p90;
  sum.p95 += latency.p95;
  sum.p99 += latency.p99;
  sum.max = std::max(sum.max, latency.max);
}

// Returns quantiles of all requests together: a run of a hundred requests has no 99th percentile of its own. Only `max`
// is known if cells were not kept.
LatencyQuantiles pooled_quantiles(std::span<const Results> replications, std::size_t row,
                                  LatencyQuantiles WholeLatency::* of,
                                  std::vector<std::uint64_t> WholeLatency::* cells_of) {
  LatencyQuantiles pooled;
  engine::LatencyHistogram all;
  for (const Results& results : replications) {
    const LatencyQuantiles& one = results.whole_latency[row].*of;
    pooled.answers += one.answers;
    pooled.max = std::max(pooled.max, one.max);
    const std::vector<std::uint64_t>& cells = results.whole_latency[row].*cells_of;
    for (std::size_t place = 0; place + 1 < cells.size(); place += 2) {
      all.add_to_cell(cells[place], cells[place + 1]);
    }
  }
  const auto quantile = [&](double fraction) {
    return std::min(static_cast<double>(all.quantile(fraction).count()) * 1e-9, pooled.max);
  };
  pooled.p50 = quantile(0.5);
  pooled.p90 = quantile(0.9);
  pooled.p95 = quantile(0.95);
  pooled.p99 = quantile(0.99);
  pooled.p999 = quantile(0.999);
  return pooled;
}

// Returns loads of endpoints, by (stretch of time, endpoint): means over the replications, except for the longest queue
// and the sum of requests. A replication without a row counts as 0.
std::vector<EndpointLoad> mean_loads(std::span<const Results> replications, std::vector<EndpointLoad> Results::* rows) {
  std::map<std::pair<std::uint32_t, config::EndpointIndex>, EndpointLoad> sums;
  for (const Results& results : replications) {
    for (const EndpointLoad& row : results.*rows) {
      const auto [place, is_new] = sums.try_emplace({row.epoch, row.endpoint}, row);
      if (is_new) {
        continue;
      }
      EndpointLoad& sum = place->second;
      sum.requests += row.requests;
      if (row.utilisation) {
        *sum.utilisation += *row.utilisation;
        *sum.queue_mean += *row.queue_mean;
        sum.queue_max = std::max(sum.queue_max, row.queue_max);
      }
    }
  }
  const auto count = static_cast<double>(replications.size());
  std::vector<EndpointLoad> means;
  for (auto& [place, sum] : sums) {
    if (sum.utilisation) {
      *sum.utilisation /= count;
      *sum.queue_mean /= count;
    }
    means.push_back(sum);
  }
  return means;
}

// Sums counts; exact parts are means, or unknown if one is unknown.
CrossZones sum_crossings(std::span<const Results> replications) {
  using PlaceOfCrossing =
      std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t, config::ZoneIndex, config::ZoneIndex>;
  std::map<PlaceOfCrossing, CrossZone> sums;
  for (const Results& results : replications) {
    for (const CrossZone& row : results.cross_zone) {
      const auto [place, is_new] = sums.try_emplace({row.client, row.service, row.epoch, row.from, row.to}, row);
      if (is_new) {
        continue;
      }
      CrossZone& sum = place->second;
      sum.exact = sum.exact && row.exact ? std::optional(*sum.exact + *row.exact) : std::nullopt;
      sum.requests += row.requests;
      sum.request_bytes += row.request_bytes;
      sum.response_bytes += row.response_bytes;
    }
  }
  std::vector<CrossZone> rows;
  for (auto& [place, sum] : sums) {
    if (sum.exact) {
      *sum.exact /= static_cast<double>(replications.size());
    }
    rows.push_back(sum);
  }
  return CrossZones(rows);
}

// Adds rows of outcomes and latencies. They belong to the epochs, which are the same in every replication.
void add_rows(Results& sum, const Results& results) {
  for (std::size_t row = 0; row < sum.outcomes.size(); ++row) {
    add(sum.outcomes[row], results.outcomes[row]);
  }
  for (std::size_t window = 0; window < sum.outcomes_in_windows.size(); ++window) {
    add(sum.outcomes_in_windows[window], results.outcomes_in_windows[window]);
  }
  for (std::size_t row = 0; row < sum.latency.size(); ++row) {
    add(sum.latency[row], results.latency[row]);
  }
  for (std::size_t row = 0; row < sum.epochs.size(); ++row) {
    sum.epochs[row].states = std::max(sum.epochs[row].states, results.epochs[row].states);
  }
  sum.events.ejections += results.events.ejections;
  sum.events.unejections += results.events.unejections;
}

}  // namespace

void add(Outcomes& sum, const Outcomes& outcomes) {
  sum.sent += outcomes.sent;
  for (std::size_t outcome = 0; outcome < sum.counts.all.size(); ++outcome) {
    sum.counts.all[outcome] += outcomes.counts.all[outcome];
  }
  sum.retries += outcomes.retries;
}

std::uint64_t seed_of_replication(std::uint64_t seed, std::uint32_t replication) {
  return replication == 0 ? seed : numeric::xxhash64("replication", seed + replication);
}

Interval wilson_interval(std::uint64_t missed, std::uint64_t requests) {
  if (requests == 0) {
    return {};
  }
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(requests);
  const double share = static_cast<double>(missed) / n;
  const double middle = share + z * z / (2.0 * n);
  const double half_width = z * std::sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
  const double scale = 1.0 + z * z / n;
  return {missed == 0 ? 0.0 : (middle - half_width) / scale, missed == requests ? 1.0 : (middle + half_width) / scale};
}

double half_width_95(std::span<const double> values) {
  if (values.size() < 2) {
    return 0.0;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return statistics::student_quantile_95(values.size() - 1) * std::sqrt(squares / (count - 1.0) / count);
}

double half_width_of_counts(std::span<const std::uint64_t> counted, std::span<const std::uint64_t> sent, bool certain) {
  std::vector<double> shares;
  std::uint64_t part = 0;
  std::uint64_t all = 0;
  for (std::size_t replication = 0; replication < sent.size(); ++replication) {
    const std::uint64_t own = replication < counted.size() ? counted[replication] : 0;
    shares.push_back(sent[replication] > 0 ? static_cast<double>(own) / static_cast<double>(sent[replication]) : 0.0);
    part += own;
    all += sent[replication];
  }
  const double student = half_width_95(shares);
  if (all == 0 || certain) {
    return student;
  }
  const double share = static_cast<double>(part) / static_cast<double>(all);
  const Interval independent = wilson_interval(part, all);
  return std::max({student, independent.high - share, share - independent.low});
}

Results summarise(std::span<const Results> replications) {
  Results sum = replications.front();
  sum.ejections.clear();
  sum.checked.clear();
  sum.within.clear();
  if (replications.size() == 1 || sum.mode == scenario::Mode::exact) {
    return sum;
  }
  std::string words = sum.result_fingerprint;
  for (const Results& further : replications.subspan(1)) {
    add_rows(sum, further);
    words += further.result_fingerprint;
  }
  for (std::size_t row = 0; row < sum.latency.size(); ++row) {
    // Without a response there is no percentile.
    const auto known = std::count_if(replications.begin(), replications.end(),
                                     [&](const Results& results) { return results.latency[row].answers > 0; });
    for (double Latency::* const percentile : {&Latency::p50, &Latency::p90, &Latency::p95, &Latency::p99}) {
      sum.latency[row].*percentile /= static_cast<double>(std::max<std::ptrdiff_t>(known, 1));
    }
  }
  for (std::size_t row = 0; row < sum.whole_latency.size(); ++row) {
    sum.whole_latency[row].ok = pooled_quantiles(replications, row, &WholeLatency::ok, &WholeLatency::cells_of_ok);
    sum.whole_latency[row].errors =
        pooled_quantiles(replications, row, &WholeLatency::errors, &WholeLatency::cells_of_errors);
  }
  for (std::size_t block = 0; block < sum.shares.blocks().size(); ++block) {
    sum.shares.blocks()[block] = BlockSum(replications, block).sum();
  }
  sum.endpoints = mean_loads(replications, &Results::endpoints);
  sum.samples = mean_loads(replications, &Results::samples);
  sum.windows = mean_loads(replications, &Results::windows);
  sum.cross_zone = sum_crossings(replications);
  sum.replications = static_cast<std::uint32_t>(replications.size());
  sum.result_fingerprint = fmt::format("{:016x}", numeric::xxhash64(words));
  return sum;
}

}  // namespace spillway::run
