#include "reports/merge_clients.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "sim/run/exact_sum.hpp"

namespace spillway::reports {
namespace {

using run::Nanoseconds;
using EpochKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;

template <class Row>
EpochKey key_of(const Row& row) {
  return {row.client, row.service, row.epoch};
}

struct MergedEpoch {
  run::Epoch epoch;
  double weight = 0.0;   // requests of all clients in it
  double clients = 0.0;  // their number, each for as long as it is there: the weights where nobody sends anything
};

// Moments at which an epoch of every client of the service begins or ends.
std::vector<Nanoseconds> common_boundaries(const std::vector<const run::Epoch*>& epochs) {
  std::map<config::ClientEntryIndex, std::vector<Nanoseconds>> by_client;
  for (const run::Epoch* epoch : epochs) {
    auto& boundaries = by_client[epoch->client];
    if (boundaries.empty()) {
      boundaries.push_back(epoch->start);
    }
    boundaries.push_back(epoch->end);
  }
  std::vector<Nanoseconds> common = by_client.begin()->second;
  for (const auto& [client, boundaries] : by_client) {
    std::vector<Nanoseconds> both;
    std::set_intersection(common.begin(), common.end(), boundaries.begin(), boundaries.end(), std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

class Merger {
 public:
  Merger(const scenario::Scenario& scenario, const run::Results& results) : scenario_(scenario), results_(results) {
    for (const run::Outcomes& row : results.outcomes) {
      sent_[key_of(row)] = row.sent;
    }
    std::map<config::ServiceIndex, std::vector<const run::Epoch*>> by_service;
    for (const run::Epoch& epoch : results.epochs) {
      by_service[epoch.service].push_back(&epoch);
    }
    for (const auto& [service, epochs] : by_service) {
      merge_epochs(epochs);
    }
  }

  run::Results merged() {
    run::Results merged = results_;
    merged.epochs.clear();
    for (const MergedEpoch& row : merged_) {
      merged.epochs.push_back(row.epoch);
    }
    merged.latency.clear();
    merge_shares(merged);
    merge_outcomes(merged);
    merge_crossings(merged);
    return merged;
  }

 private:
  // What the client sent in its row, or would send in mode exact.
  [[nodiscard]] double requests_of(const run::Epoch& epoch) const {
    if (results_.mode != scenario::Mode::exact) {
      const auto found = sent_.find({epoch.client, epoch.service, epoch.index});
      return found == sent_.end() ? 0.0 : static_cast<double>(found->second);
    }
    return epoch.expected_requests;
  }

  [[nodiscard]] double weight_without_requests(const run::Epoch& epoch) const {
    return std::chrono::duration<double>(epoch.end - epoch.start).count() * scenario_.clients[epoch.client.value].count;
  }

  [[nodiscard]] double part_of(const EpochKey& key, const MergedEpoch& into) const {
    return into.weight > 0.0 ? weight_.at(key) / into.weight : clients_.at(key) / into.clients;
  }

  void merge_epochs(const std::vector<const run::Epoch*>& epochs) {
    const std::vector<Nanoseconds> boundaries = common_boundaries(epochs);
    const std::size_t first = merged_.size();
    for (const run::Epoch* epoch : epochs) {
      const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), epoch->start);
      const auto index = static_cast<std::size_t>(after - boundaries.begin()) - 1;
      if (merged_.size() == first + index) {
        MergedEpoch begun{*epoch, 0.0};
        begun.epoch.index = static_cast<std::uint32_t>(index);
        begun.epoch.client = {};
        begun.epoch.states = 0;
        begun.epoch.expected_requests = 0.0;
        begun.epoch.end = *after;
        merged_.push_back(std::move(begun));
      }
      MergedEpoch& into = merged_[first + index];
      into.weight += requests_of(*epoch);
      into.epoch.expected_requests += epoch->expected_requests;
      into.clients += weight_without_requests(*epoch);
      // What changes for one client only is a state of the whole; what changes for all counts once.
      states_[{first + index, epoch->client}] += epoch->states;
      into.epoch.states = std::max(into.epoch.states, states_[{first + index, epoch->client}]);
      position_[{epoch->client, epoch->service, epoch->index}] = first + index;
      weight_[{epoch->client, epoch->service, epoch->index}] = requests_of(*epoch);
      clients_[{epoch->client, epoch->service, epoch->index}] = weight_without_requests(*epoch);
    }
  }

  void merge_shares(run::Results& merged) const {
    std::map<run::ExactSum::Joint, std::uint32_t> joints;  // of the merged clients, numbered anew
    for (run::Share& share : merged.shares) {
      const EpochKey key = key_of(share);
      const MergedEpoch& into = merged_[position_.at(key)];
      const double part = part_of(key, into);
      share.at_rest *= part;
      if (share.exact) {
        *share.exact *= part;
      }
      if (share.joint != 0) {
        const auto next = static_cast<std::uint32_t>(joints.size() + 1);
        share.joint = joints.try_emplace({share.client, share.service, share.epoch, share.joint}, next).first->second;
      }
      if (share.simulated) {
        *share.simulated *= part;
      }
      share.ci95.reset();
      share.epoch = into.epoch.index;
      share.client = {};
    }
  }

  void merge_outcomes(run::Results& merged) const {
    std::map<std::pair<config::ServiceIndex, std::uint32_t>, run::Outcomes> sums;
    for (const run::Outcomes& row : results_.outcomes) {
      const std::uint32_t epoch = merged_[position_.at(key_of(row))].epoch.index;
      run::Outcomes& sum = sums[{row.service, epoch}];
      sum.epoch = epoch;
      sum.service = row.service;
      for (const auto count : {&run::Outcomes::sent, &run::Outcomes::ok, &run::Outcomes::no_healthy_upstream,
                               &run::Outcomes::upstream_error, &run::Outcomes::timeout, &run::Outcomes::overflow,
                               &run::Outcomes::queue_full, &run::Outcomes::connect_failure, &run::Outcomes::unfinished,
                               &run::Outcomes::retries}) {
        sum.*count += row.*count;
      }
    }
    merged.outcomes.clear();
    for (const auto& [key, sum] : sums) {
      merged.outcomes.push_back(sum);
    }
  }

  void merge_crossings(run::Results& merged) const {
    using ZonePair = std::tuple<config::ServiceIndex, std::uint32_t, config::ZoneIndex, config::ZoneIndex>;
    std::map<ZonePair, run::CrossZone> sums;
    for (run::CrossZone row : results_.cross_zone) {
      const EpochKey key = key_of(row);
      const MergedEpoch& into = merged_[position_.at(key)];
      if (row.exact) {
        *row.exact *= part_of(key, into);
      }
      row.epoch = into.epoch.index;
      row.client = {};
      const auto [place, is_new] = sums.try_emplace({row.service, row.epoch, row.from, row.to}, row);
      if (is_new) {
        continue;
      }
      run::CrossZone& sum = place->second;
      sum.exact = sum.exact && row.exact ? std::optional(*sum.exact + *row.exact) : std::nullopt;
      sum.requests += row.requests;
      sum.request_bytes += row.request_bytes;
      sum.response_bytes += row.response_bytes;
    }
    merged.cross_zone.clear();
    for (const auto& [place, sum] : sums) {
      merged.cross_zone.push_back(sum);
    }
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  std::vector<MergedEpoch> merged_;
  std::map<EpochKey, std::uint64_t> sent_;
  std::map<EpochKey, std::size_t> position_;  // in merged_
  std::map<EpochKey, double> weight_;
  std::map<EpochKey, double> clients_;
  std::map<std::pair<std::size_t, config::ClientEntryIndex>, std::uint32_t> states_;
};

}  // namespace

run::Results merge_clients(const scenario::Scenario& scenario, const run::Results& results) {
  return Merger(scenario, results).merged();
}

}  // namespace spillway::reports
