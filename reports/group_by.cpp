#include "reports/group_by.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/numeric/compensated_sum.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "reports/merge_clients.hpp"
#include "reports/share_order.hpp"
#include "sim/run/exact_sum.hpp"

namespace spillway::reports {
namespace {

void blank_dropped(run::Share& share, const Dimensions& by) {
  if (!by.has(Dimension::cluster)) {
    share.cluster.clear();
  }
  if (!by.has(Dimension::priority)) {
    share.priority = {};
  }
  if (!by.has(Dimension::availability)) {
    share.availability = {};
  }
  if (!by.has(Dimension::zone)) {
    share.region.clear();
    share.zone.clear();
  }
  if (!by.has(Dimension::sub_zone)) {
    share.sub_zone.clear();
  }
  if (!by.has(Dimension::node)) {
    share.node.clear();
  }
  if (!by.has(Dimension::subset)) {
    share.subset.clear();
  }
  if (!by.has(Dimension::via)) {
    share.via.clear();
  }
  if (!by.has(Dimension::endpoint)) {
    share.endpoint.clear();
  }
}

template <class Number>
void add(std::optional<Number>& sum, const std::optional<Number>& part) {
  if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();
  }
}

// Rows that become one.
class Group {
 public:
  explicit Group(const run::Share& first) : row_(first) { add_shares(first); }

  void add_row(const run::Share& part) {
    add_shares(part);
    add(row_.simulated, part.simulated);
    add(row_.requests, part.requests);
    add(row_.attempts, part.attempts);
    row_.ci95.reset();
    if (row_.exact_basis != part.exact_basis) {
      row_.exact_basis = "mixed";
    }
  }

  [[nodiscard]] run::Share row() const {
    run::Share row = row_;
    row.exact = exact_.value();
    row.at_rest = exact_.at_rest();
    row.joint = 0;
    row.joint_rows = 0;
    if (row.simulated) {
      row.simulated = simulated_.value();
    }
    if (!row.exact) {
      row.exact_basis = why_joint_;
    }
    return row;
  }

  // The joint shares of which the group has a part only.
  [[nodiscard]] std::vector<run::ExactSum::Joint> open_joints() const { return exact_.open_joints(); }

 private:
  void add_shares(const run::Share& part) {
    exact_.add(part);
    simulated_.add(part.simulated.value_or(0.0));
    if (part.joint != 0) {
      why_joint_ = part.exact_basis;
    }
  }

  run::Share row_;
  run::ExactSum exact_;
  std::string why_joint_;
  numeric::CompensatedSum simulated_;
};

// Groups that share a joint share have one together: `open` are those of the row.
void join_groups(std::vector<run::Share>& rows, const std::vector<std::vector<run::ExactSum::Joint>>& open,
                 const std::map<run::ExactSum::Joint, bool>& whole) {
  numeric::DisjointSets sets(static_cast<std::uint32_t>(rows.size()));
  std::map<run::ExactSum::Joint, std::uint32_t> first;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    for (const run::ExactSum::Joint& joint : open[row]) {
      sets.join(first.try_emplace(joint, row).first->second, row);
    }
  }
  std::map<std::uint32_t, std::uint32_t> members;
  std::map<std::uint32_t, bool> exact;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    ++members[sets.find(row)];
    bool& is_exact = exact.try_emplace(sets.find(row), true).first->second;
    for (const run::ExactSum::Joint& joint : open[row]) {
      is_exact = is_exact && whole.at(joint);
    }
  }
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    if (!open[row].empty()) {
      rows[row].joint = sets.find(row) + 1;
      rows[row].joint_rows = members.at(sets.find(row)) + (exact.at(sets.find(row)) ? 0 : 1);
    }
  }
}

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

Grouped group_by(const scenario::Scenario& scenario, const run::Results& results, Dimensions by) {
  if (by.has_everything()) {
    return {by, results};
  }
  Grouped grouped{by, by.has(Dimension::client) ? results : merge_clients(scenario, results)};
  const ShareOrder order(scenario);
  using RowKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t, ShareOrder::Key>;
  std::map<RowKey, Group> groups;
  std::map<run::ExactSum::Joint, std::uint32_t> missing;  // rows of the joint share that are not in the results
  for (run::Share& share : grouped.results.shares) {
    blank_dropped(share, by);
    if (share.joint != 0) {
      missing.try_emplace(run::ExactSum::joint_of(share), share.joint_rows).first->second -= 1;
    }
    const auto [group, added] = groups.try_emplace({share.client, share.service, share.epoch, order.key(share)}, share);
    if (!added) {
      group->second.add_row(share);
    }
  }
  std::map<run::ExactSum::Joint, bool> whole;
  for (const auto& [joint, rows] : missing) {
    whole.emplace(joint, rows == 0);
  }
  grouped.results.shares.clear();
  std::vector<std::vector<run::ExactSum::Joint>> open;
  for (const auto& [key, group] : groups) {
    grouped.results.shares.push_back(group.row());
    open.push_back(group.open_joints());
  }
  join_groups(grouped.results.shares, open, whole);
  return grouped;
}

}  // namespace spillway::reports
