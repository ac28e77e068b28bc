#include "reports/group_by.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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

void add_row(run::Share& sum, const run::Share& part) {
  add(sum.exact, part.exact);
  add(sum.simulated, part.simulated);
  add(sum.requests, part.requests);
  add(sum.attempts, part.attempts);
  sum.ci95.reset();
  if (sum.exact_basis != part.exact_basis) {
    sum.exact_basis = "mixed";
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
  std::map<RowKey, run::Share> sums;
  for (run::Share& share : grouped.results.shares) {
    blank_dropped(share, by);
    const auto [sum, added] = sums.try_emplace({share.client, share.service, share.epoch, order.key(share)}, share);
    if (!added) {
      add_row(sum->second, share);
    }
  }
  grouped.results.shares.clear();
  for (auto& [key, sum] : sums) {
    grouped.results.shares.push_back(std::move(sum));
  }
  return grouped;
}

}  // namespace spillway::reports
