#include "reports/shares/merge_clients.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/config/seconds.hpp"
#include "models/numeric/compensated_sum.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

using run::Nanoseconds;

struct MergedEpoch {
  run::Epoch epoch;
  numeric::CompensatedSum weight{};  // requests of all its clients, by their rates
  // The number of clients, each weighted by its time: the weights if none of them sends requests.
  numeric::CompensatedSum clients{};
  std::uint64_t sent = 0;
  std::set<config::ClientEntryIndex> entries{};
  bool closed_loop = false;  // the rate of some clients depends on responses

  // True if the scenario determines each client's fraction of the requests.
  [[nodiscard]] bool rates_known() const { return !closed_loop || entries.size() < 2; }
};

// True if both have equal shares in equal rows, equally exact.
bool same_shares(const run::ExactRows& left, const run::ExactRows& right) {
  return &left == &right ||
         (left.places == right.places && left.positions == right.positions && left.shares == right.shares &&
          left.joint == right.joint && left.joint_rows == right.joint_rows);
}

// Returns the rows without exact shares and without exact sums.
std::shared_ptr<const run::ExactRows> unknown_shares(const run::ExactRows& rows) {
  const auto count = static_cast<std::uint32_t>(rows.positions.size());
  run::ExactRows unknown{.places = rows.places, .basis_of_others = rows.basis_of_others};
  for (std::uint32_t row = 0; row < count; ++row) {
    unknown.add(rows.positions[row], rows.shares[row], "how much closed-loop clients send follows from their answers",
                1, count + 1);
  }
  return std::make_shared<const run::ExactRows>(std::move(unknown));
}

// Returns times at which every client of the service has an epoch boundary.
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
  Merger(const scenario::Scenario& scenario, const run::Results& results)
      : scenario_(scenario), results_(results), finder_(results), places_(results.epochs.size()) {
    for (const run::Outcomes& row : results.outcomes) {
      if (const auto position = finder_.position(row.client, row.service, row.epoch)) {
        places_[*position].sent = row.sent;
      }
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
    run::Results merged;
    merged.mode = results_.mode;
    merged.seed = results_.seed;
    merged.replications = results_.replications;
    merged.result_fingerprint = results_.result_fingerprint;
    merged.at_rest = results_.at_rest;
    merged.within = results_.within;
    merged.whole_latency = results_.whole_latency;
    merged.endpoints = results_.endpoints;
    merged.samples = results_.samples;
    merged.windows = results_.windows;
    merged.events = results_.events;
    merged.ejections = results_.ejections;
    merged.checked = results_.checked;
    for (const MergedEpoch& row : merged_) {
      merged.epochs.push_back(row.epoch);
    }
    merge_shares(merged);
    merge_outcomes(merged);
    merge_crossings(merged);
    return merged;
  }

 private:
  // The position of a client's epoch after merging.
  struct Place {
    std::size_t merged = 0;  // in merged_
    double weight = 0.0;     // requests of the client in it, by its rate
    double clients = 0.0;    // clients x time
    std::uint64_t sent = 0;
  };
  template <class Row>
  [[nodiscard]] const Place& place_of(const Row& row) const {
    return places_[*finder_.position(row.client, row.service, row.epoch)];
  }

  [[nodiscard]] double weight_without_requests(const run::Epoch& epoch) const {
    return config::seconds(epoch.end - epoch.start) * scenario_.clients[epoch.client.value].count;
  }

  [[nodiscard]] static double part_of(const MergedEpoch& into, double weight, double clients) {
    return into.weight.value() > 0.0 ? weight / into.weight.value() : clients / into.clients.value();
  }

  [[nodiscard]] const Place& place_of_epoch(const run::Epoch& epoch) const {
    return places_[static_cast<std::size_t>(&epoch - results_.epochs.data())];
  }

  void merge_epochs(const std::vector<const run::Epoch*>& epochs) {
    const std::vector<Nanoseconds> boundaries = common_boundaries(epochs);
    const std::size_t first = merged_.size();
    const run::Epoch* before = nullptr;
    std::uint32_t states = 0;  // of the client within the merged epoch
    for (const run::Epoch* epoch : epochs) {
      const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), epoch->start);
      const auto index = static_cast<std::size_t>(after - boundaries.begin()) - 1;
      if (merged_.size() == first + index) {
        MergedEpoch begun{*epoch};
        begun.epoch.index = static_cast<std::uint32_t>(index);
        begun.epoch.client = {};
        begun.epoch.states = 0;
        begun.epoch.expected_requests = 0.0;
        begun.epoch.end = *after;
        merged_.push_back(std::move(begun));
      }
      MergedEpoch& into = merged_[first + index];
      Place& place = places_[static_cast<std::size_t>(epoch - results_.epochs.data())];
      place.merged = first + index;
      place.weight = epoch->expected_requests;
      place.clients = weight_without_requests(*epoch);
      into.weight.add(place.weight);
      into.clients.add(place.clients);
      into.sent += place.sent;
      into.entries.insert(epoch->client);
      into.closed_loop = into.closed_loop || scenario_.clients[epoch->client.value].workload.users > 0;
      into.epoch.expected_requests += epoch->expected_requests;
      // A change of one client is a state of the whole; a change of all clients counts once.
      const bool goes_on =
          before != nullptr && before->client == epoch->client && place_of_epoch(*before).merged == place.merged;
      states = goes_on ? states + epoch->states : epoch->states;
      into.epoch.states = std::max(into.epoch.states, states);
      before = epoch;
    }
  }

  // Merges shares. Clients with common exact shares become one block unless requests were counted.
  void merge_shares(run::Results& merged) const {
    struct Merged {
      run::ShareBlock block;
      numeric::CompensatedSum weight{};
      numeric::CompensatedSum clients{};
    };
    std::vector<std::vector<Merged>> sums(merged_.size());
    const std::vector<std::vector<std::uint64_t>> sent = sent_by_replication();
    std::map<std::tuple<std::size_t, const run::ExactRows*, double, std::uint32_t>, std::size_t> known;
    for (const run::ShareBlock& block : results_.shares.blocks()) {
      const Place& place = place_of(block);
      std::vector<Merged>& together = sums[place.merged];
      std::size_t position = together.size();
      if (!block.counted) {
        position = known.try_emplace({place.merged, block.exact.get(), block.part, block.first_position}, position)
                       .first->second;
      }
      if (position == together.size()) {
        together.push_back({block});
      }
      together[position].weight.add(place.weight);
      together[position].clients.add(place.clients);
    }
    for (std::size_t index = 0; index < merged_.size(); ++index) {
      std::uint32_t joints = 0;
      const bool alike = std::all_of(sums[index].begin(), sums[index].end(), [&](const Merged& sum) {
        const run::ShareBlock& first = sums[index].front().block;
        return sum.block.part == 1.0 && first.part == 1.0 && same_shares(*sum.block.exact, *first.exact);
      });
      for (Merged& sum : sums[index]) {
        if (!alike && !merged_[index].rates_known()) {
          sum.block.exact = unknown_shares(*sum.block.exact);
        }
        sum.block.first_joint = joints;
        joints += static_cast<std::uint32_t>(sum.block.exact->places->size());
        sum.block.epoch = merged_[index].epoch.index;
        sum.block.client = {};
        sum.block.part *= part_of(merged_[index], sum.weight.value(), sum.clients.value());
        sum.block.sent = merged_[index].sent;
        sum.block.sent_by_replication = sent[index];
        merged.shares.add(without_intervals(std::move(sum.block)));
      }
    }
  }

  // Returns sent requests by merged epoch. Each block of one client, service and epoch has the total of all of them.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> sent_by_replication() const {
    std::vector<std::vector<std::uint64_t>> sent(merged_.size());
    std::set<std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>> seen;
    for (const run::ShareBlock& block : results_.shares.blocks()) {
      if (!block.sent_by_replication.empty() && seen.insert({block.client, block.service, block.epoch}).second) {
        std::vector<std::uint64_t>& sum = sent[place_of(block).merged];
        sum.resize(block.sent_by_replication.size());
        std::transform(sum.begin(), sum.end(), block.sent_by_replication.begin(), sum.begin(), std::plus<>());
      }
    }
    return sent;
  }

  // Removes the intervals of single clients; those of sums follow from counts.
  static run::ShareBlock without_intervals(run::ShareBlock block) {
    if (block.counted && !block.counted->ci95.empty()) {
      run::CountedRows counted = *block.counted;
      counted.ci95.clear();
      block.counted = std::make_shared<const run::CountedRows>(std::move(counted));
    }
    return block;
  }

  void merge_outcomes(run::Results& merged) const {
    std::map<std::pair<config::ServiceIndex, std::uint32_t>, run::Outcomes> sums;
    for (const run::Outcomes& row : results_.outcomes) {
      const std::uint32_t epoch = merged_[place_of(row).merged].epoch.index;
      run::Outcomes& sum = sums[{row.service, epoch}];
      sum.epoch = epoch;
      sum.service = row.service;
      run::add(sum, row);
    }
    for (const auto& [key, sum] : sums) {
      merged.outcomes.push_back(sum);
    }
  }

  void merge_crossings(run::Results& merged) const {
    using ZonePair = std::tuple<config::ServiceIndex, std::uint32_t, config::ZoneIndex, config::ZoneIndex>;
    std::map<ZonePair, run::CrossZone> sums;
    for (run::CrossZone row : results_.cross_zone) {
      const Place& place = place_of(row);
      const MergedEpoch& into = merged_[place.merged];
      row.exact = row.exact && into.rates_known()
                      ? std::optional(*row.exact * part_of(into, place.weight, place.clients))
                      : std::nullopt;
      row.epoch = into.epoch.index;
      row.client = {};
      const auto [position, is_new] = sums.try_emplace({row.service, row.epoch, row.from, row.to}, row);
      if (is_new) {
        continue;
      }
      run::CrossZone& sum = position->second;
      sum.exact = sum.exact && row.exact ? std::optional(*sum.exact + *row.exact) : std::nullopt;
      sum.requests += row.requests;
      sum.request_bytes += row.request_bytes;
      sum.response_bytes += row.response_bytes;
    }
    std::vector<run::CrossZone> rows;
    for (const auto& [place, sum] : sums) {
      rows.push_back(sum);
    }
    merged.cross_zone = run::CrossZones(rows);
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  std::vector<MergedEpoch> merged_;
  EpochFinder finder_;
  std::vector<Place> places_;  // by number of the epoch
};

}  // namespace

run::Results merge_clients(const scenario::Scenario& scenario, const run::Results& results) {
  return Merger(scenario, results).merged();
}

}  // namespace spillway::reports
