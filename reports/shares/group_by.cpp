#include "reports/shares/group_by.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "models/istio/load_assignment.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "reports/shares/merge_clients.hpp"
#include "reports/shares/printed_cells.hpp"
#include "reports/shares/share_order.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

// Returns the fields of a place that `by` names.
run::SharePlace kept_fields(const run::SharePlace& place, envoy::Availability availability, const Dimensions& by) {
  run::SharePlace kept;
  const auto keep = [&](Dimension dimension, auto run::SharePlace::* field) {
    if (by.has(dimension)) {
      kept.*field = place.*field;
    }
  };
  if (by.has(Dimension::availability)) {
    kept.availability = availability;
  }
  keep(Dimension::cluster, &run::SharePlace::cluster);
  keep(Dimension::priority, &run::SharePlace::priority);
  keep(Dimension::zone, &run::SharePlace::region);
  keep(Dimension::zone, &run::SharePlace::zone);
  keep(Dimension::sub_zone, &run::SharePlace::sub_zone);
  keep(Dimension::node, &run::SharePlace::node);
  keep(Dimension::subset, &run::SharePlace::subset);
  keep(Dimension::via, &run::SharePlace::via);
  keep(Dimension::endpoint, &run::SharePlace::endpoint);
  return kept;
}

// Returns the index in `places` of a position, and its availability.
std::pair<std::uint32_t, envoy::Availability> place_of(const run::SharePlaces& places, std::uint32_t position) {
  if (places.rows.empty()) {
    return {position, places.places[position].availability};
  }
  const std::uint32_t row = places.rows[position];
  return {row / engine::availabilities, static_cast<envoy::Availability>(row % engine::availabilities)};
}

// Calls visit(position, place, before) for the positions of a table in their order. `place` has the fields that `by`
// names; it is null if the position `before` has the same.
template <class Visit>
void for_each_kept(const run::SharePlaces& places, const Dimensions& by, Visit visit) {
  constexpr std::uint32_t none = UINT32_MAX;
  // If lists are not told apart, the three rows of a place agree.
  std::vector<std::uint32_t> first_of(by.has(Dimension::availability) ? 0 : places.places.size(), none);
  run::SharePlace last;
  std::uint32_t last_position = none;
  for (std::uint32_t position = 0; position < places.size(); ++position) {
    const auto [of, availability] = place_of(places, position);
    if (!first_of.empty() && first_of[of] != none) {
      visit(position, nullptr, first_of[of]);
      continue;
    }
    // Neighbours usually agree, too.
    run::SharePlace place = kept_fields(places.places[of], availability, by);
    if (last_position != none && place == last) {
      visit(position, nullptr, last_position);
    } else {
      visit(position, &place, position);
      last = std::move(place);
    }
    last_position = position;
    if (!first_of.empty()) {
      first_of[of] = position;
    }
  }
}

// The groups of one service, and the group of each row of its tables of places.
class Groups {
 public:
  Groups(const ShareOrder& order, config::ServiceIndex service, Dimensions by)
      : order_(order), service_(service), by_(by) {}

  void add(const run::SharePlaces& places) {
    const auto [members, fresh] = members_.try_emplace(&places);
    if (!fresh) {
      return;
    }
    std::vector<Found*>& of = members->second;
    of.reserve(places.size());
    for_each_kept(places, by_, [&](std::uint32_t /*position*/, const run::SharePlace* place, std::uint32_t before) {
      if (place == nullptr) {
        of.push_back(of[before]);
        return;
      }
      const auto [found, is_new] = found_.try_emplace(order_.key(service_, *place));
      if (is_new) {
        found->second.place = *place;
      }
      of.push_back(&found->second);
    });
  }

  // Numbers the groups. Precondition: all are added.
  void number() {
    auto all = std::make_shared<run::SharePlaces>();
    for (auto& [key, found] : found_) {
      found.number = static_cast<std::uint32_t>(all->places.size());
      all->places.push_back(std::move(found.place));
    }
    for (const auto& [places, members] : members_) {
      std::vector<std::uint32_t>& groups = groups_of_[places];
      groups.reserve(members.size());
      for (const Found* const member : members) {
        groups.push_back(member->number);
      }
    }
    places_ = std::move(all);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& of(const run::SharePlaces& places) const {
    return groups_of_.find(&places)->second;
  }
  [[nodiscard]] const std::shared_ptr<const run::SharePlaces>& places() const { return places_; }

 private:
  const ShareOrder& order_;
  config::ServiceIndex service_;
  Dimensions by_;
  struct Found {
    run::SharePlace place;
    std::uint32_t number = 0;
  };
  std::map<ShareOrder::Key, Found> found_;
  std::map<const run::SharePlaces*, std::vector<Found*>> members_;           // by position
  std::map<const run::SharePlaces*, std::vector<std::uint32_t>> groups_of_;  // by position; only looked up
  std::shared_ptr<const run::SharePlaces> places_;
};

// The sum of rows that are merged.
struct Sum {
  std::uint32_t rows = 0;
  run::ExactSum exact{};
  std::string basis{};
  std::string why_joint{};
  std::uint64_t requests = 0;
  std::uint64_t attempts = 0;
  std::optional<double> ci95{};
  std::vector<std::uint64_t> by_replication{};

  void add(const run::ExactSum::Joint& joint, const run::ShareCell& row) {
    exact.add(joint, row);
    basis = rows == 0 || basis == *row.exact_basis ? *row.exact_basis : "mixed";
    why_joint = row.joint != 0 ? *row.exact_basis : why_joint;
    requests += row.requests.value_or(0);
    attempts += row.attempts.value_or(0);
    ci95 = rows == 0 ? row.ci95 : std::nullopt;
    by_replication.resize(std::max(by_replication.size(), row.by_replication.size()));
    for (std::size_t replication = 0; replication < row.by_replication.size(); ++replication) {
      by_replication[replication] += row.by_replication[replication];
    }
    ++rows;
  }
};

// Merges all blocks of a client, service and epoch into one.
class Grouper {
 public:
  Grouper(const scenario::Scenario& scenario, Dimensions by) : order_(scenario) {
    for (std::uint32_t service = 0; service < scenario.services.size(); ++service) {
      groups_.emplace_back(order_, config::ServiceIndex{service}, by);
    }
  }

  [[nodiscard]] run::Shares grouped(const run::Shares& shares) {
    const auto& blocks = shares.blocks();
    for (const run::ShareBlock& block : blocks) {
      groups_[block.service.value].add(*block.exact->places);
    }
    for (Groups& groups : groups_) {
      groups.number();
    }
    run::Shares result;
    for (auto first = blocks.begin(); first != blocks.end();) {
      const auto end = std::find_if(first, blocks.end(), [&](const run::ShareBlock& block) {
        return block.client != first->client || block.service != first->service || block.epoch != first->epoch;
      });
      result.add(grouped({first, end}));
      first = end;
    }
    return result;
  }

 private:
  [[nodiscard]] run::ShareBlock grouped(std::span<const run::ShareBlock> blocks) {
    run::ShareBlock block = blocks.front();
    block.first_position = block.first_joint = 0;
    if (blocks.size() == 1 && !block.counted) {
      // Clients with common exact shares also have common sums.
      const auto [sums, is_new] = known_.try_emplace(block.exact);
      if (is_new) {
        run::ShareBlock whole = block;
        whole.part = 1.0;
        add_up({&whole, 1});
        sums->second = exact_rows(block.service);
      }
      block.exact = sums->second;
      return block;
    }
    add_up(blocks);
    block.part = 1.0;
    block.exact = exact_rows(block.service);
    if (block.counted) {
      block.counted = block.sent_by_replication.empty() ? counted_rows() : counted_rows(block.sent_by_replication);
    }
    return block;
  }

  void add_up(std::span<const run::ShareBlock> blocks) {
    const Groups& groups = groups_[blocks.front().service.value];
    sums_.assign(groups.places()->places.size(), {});
    missing_.clear();
    for (const run::ShareBlock& block : blocks) {
      const std::vector<std::uint32_t>& group_of = groups.of(*block.exact->places);
      block.for_each([&](const run::ShareCell& row) {
        const run::ExactSum::Joint joint{block.client, block.service, block.epoch, row.joint};
        sums_[group_of[row.position]].add(joint, row);
        if (row.joint != 0) {
          missing_.try_emplace(joint, row.joint_rows).first->second -= 1;
        }
      });
    }
  }

  // Computes exact rows. Groups that share one joint share have an exact value only as a whole.
  [[nodiscard]] std::shared_ptr<const run::ExactRows> exact_rows(config::ServiceIndex service) const {
    numeric::DisjointSets sets(static_cast<std::uint32_t>(sums_.size()));
    std::map<run::ExactSum::Joint, std::uint32_t> first;
    for (std::uint32_t group = 0; group < sums_.size(); ++group) {
      for (const run::ExactSum::Joint& joint : sums_[group].exact.open_joints()) {
        sets.join(first.try_emplace(joint, group).first->second, group);
      }
    }
    std::vector<std::uint32_t> members(sums_.size(), 0);
    std::vector<std::uint32_t> inexact(sums_.size(), 0);
    for (std::uint32_t group = 0; group < sums_.size(); ++group) {
      ++members[sets.find(group)];
      for (const run::ExactSum::Joint& joint : sums_[group].exact.open_joints()) {
        // The joint share is incomplete, or has no exact value even as a whole.
        inexact[sets.find(group)] = missing_.at(joint) > 0 ? 1 : inexact[sets.find(group)];
      }
    }
    run::ExactRows rows{.places = groups_[service.value].places()};
    for (std::uint32_t group = 0; group < sums_.size(); ++group) {
      const Sum& sum = sums_[group];
      if (sum.rows > 0 && sum.exact.value()) {
        rows.add(group, *sum.exact.value(), sum.basis);
      } else if (sum.rows > 0) {
        const std::uint32_t set = sets.find(group);
        rows.add(group, sum.exact.at_rest(), sum.why_joint, set + 1, members[set] + inexact[set]);
      }
    }
    return std::make_shared<const run::ExactRows>(std::move(rows));
  }

  [[nodiscard]] std::shared_ptr<const run::CountedRows> counted_rows() const {
    run::CountedRows rows;
    const bool intervals =
        std::all_of(sums_.begin(), sums_.end(), [](const Sum& sum) { return sum.rows == 0 || sum.ci95; });
    for (std::uint32_t group = 0; group < sums_.size(); ++group) {
      const Sum& sum = sums_[group];
      if (sum.rows > 0) {
        rows.positions.push_back(group);
        rows.requests.push_back(sum.requests);
        rows.attempts.push_back(sum.attempts);
        if (intervals) {
          rows.ci95.push_back(*sum.ci95);
        }
      }
    }
    return std::make_shared<const run::CountedRows>(std::move(rows));
  }

  // Computes counted rows. The interval of a sum is that of its counts.
  [[nodiscard]] std::shared_ptr<const run::CountedRows> counted_rows(const std::vector<std::uint64_t>& sent) {
    for (Sum& sum : sums_) {
      if (sum.rows > 0) {
        const std::optional<double> exact = sum.exact.value();
        sum.by_replication.resize(sent.size());
        sum.ci95 = run::half_width_of_counts(sum.by_replication, sent, exact && (*exact == 0.0 || *exact == 1.0));
      }
    }
    run::CountedRows rows = *counted_rows();
    for (const Sum& sum : sums_) {
      if (sum.rows > 0) {
        std::transform(sum.by_replication.begin(), sum.by_replication.end(), std::back_inserter(rows.by_replication),
                       [](std::uint64_t count) { return static_cast<std::uint32_t>(count); });
      }
    }
    return std::make_shared<const run::CountedRows>(std::move(rows));
  }

  ShareOrder order_;
  std::vector<Groups> groups_;                             // by service
  std::vector<Sum> sums_;                                  // by group
  std::map<run::ExactSum::Joint, std::uint32_t> missing_;  // rows of a joint share outside the sum
  std::map<std::shared_ptr<const run::ExactRows>, std::shared_ptr<const run::ExactRows>> known_;  // only looked up
};

}  // namespace

Dimensions Dimensions::everything() {
  Dimensions all;
  all.set_.set();
  return all;
}

const std::vector<std::string>& Dimensions::names() {
  static const std::vector<std::string> names{"client",   "cluster", "priority", "availability", "zone",
                                              "sub_zone", "node",    "subset",   "via",          "endpoint"};
  return names;
}

bool Dimensions::add(std::string_view name) {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end()) {
    return false;
  }
  set_.set(static_cast<std::size_t>(found - names().begin()));
  return true;
}

Dimensions dimensions_of_expectations(const scenario::Scenario& scenario) {
  Dimensions by;
  const auto add = [&](const scenario::Selector& selector) {
    // Counts behind a zone proxy are judged together.
    by.add(Dimension::via);
    if (selector.priority) {
      by.add(Dimension::priority);
    }
    for (const auto& [name, dimension] : {std::pair{&selector.cluster, Dimension::cluster},
                                          {&selector.zone, Dimension::zone},
                                          {&selector.sub_zone, Dimension::sub_zone},
                                          {&selector.node, Dimension::node},
                                          {&selector.endpoint, Dimension::endpoint}}) {
      if (!name->empty()) {
        by.add(dimension);
      }
    }
  };
  for (const scenario::Expectation& expectation : scenario.expectations) {
    if (const auto* table = std::get_if<scenario::ExpectedTable>(&expectation)) {
      for (const scenario::Column& column : table->columns) {
        add(column.selector);
      }
    } else if (const auto* share = std::get_if<scenario::ShareAssertion>(&expectation)) {
      add(share->selector);
    }
  }
  return by;
}

run::CountedPositions counted_positions(const scenario::Scenario& scenario, const Dimensions& by, double most_alone) {
  if (most_cells(scenario) <= most_alone || printed_cells(scenario, Dimensions::everything()) <= most_alone) {
    return {};
  }
  return [order = ShareOrder(scenario), by](config::ServiceIndex service, const run::SharePlaces& places) {
    std::map<ShareOrder::Key, std::uint32_t> first;
    std::vector<std::uint32_t> positions;
    for_each_kept(places, by, [&](std::uint32_t position, const run::SharePlace* place, std::uint32_t before) {
      positions.push_back(place == nullptr ? positions[before]
                                           : first.try_emplace(order.key(service, *place), position).first->second);
    });
    return positions;
  };
}

Grouped group_by(const scenario::Scenario& scenario, const run::Results& results, Dimensions by) {
  if (by.has_everything()) {
    return {by, results};
  }
  Grouped grouped{by, by.has(Dimension::client) ? results : merge_clients(scenario, results)};
  grouped.results.shares = Grouper(scenario, by).grouped(grouped.results.shares);
  return grouped;
}

}  // namespace spillway::reports
