#include "reports/group_by.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/numeric/compensated_sum.hpp"
#include "reports/merge_clients.hpp"
#include "reports/share_order.hpp"

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
    add(row_.exact, part.exact);
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
    if (row.exact) {
      row.exact = exact_.value();
    }
    if (row.simulated) {
      row.simulated = simulated_.value();
    }
    return row;
  }

 private:
  void add_shares(const run::Share& part) {
    exact_.add(part.exact.value_or(0.0));
    simulated_.add(part.simulated.value_or(0.0));
  }

  run::Share row_;
  numeric::CompensatedSum exact_;
  numeric::CompensatedSum simulated_;
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

Grouped group_by(const scenario::Scenario& scenario, const run::Results& results, Dimensions by) {
  if (by.has_everything()) {
    return {by, results};
  }
  Grouped grouped{by, by.has(Dimension::client) ? results : merge_clients(scenario, results)};
  const ShareOrder order(scenario);
  using RowKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t, ShareOrder::Key>;
  std::map<RowKey, Group> groups;
  for (run::Share& share : grouped.results.shares) {
    blank_dropped(share, by);
    const auto [group, added] = groups.try_emplace({share.client, share.service, share.epoch, order.key(share)}, share);
    if (!added) {
      group->second.add_row(share);
    }
  }
  grouped.results.shares.clear();
  for (const auto& [key, group] : groups) {
    grouped.results.shares.push_back(group.row());
  }
  return grouped;
}

}  // namespace spillway::reports
