#include "sim/plan/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spillway::plan {

Judgement Row::judgement() const {
  Judgement worst = unknown.empty() ? Judgement::holds : Judgement::open;
  for (const Margin& margin : margins) {
    worst = std::max(worst, margin.judgement());
  }
  return std::max(worst, judge(estimates));
}

Row row_of(const scenario::Scenario& still, const Loads& loads, const Failure& failure,
           const std::vector<Bound>& bounds) {
  Row row;
  row.failure = failure;
  row.zones.resize(still.zones.size());
  row.zone_shares.resize(still.zones.size(), 0.0);
  const double all = loads.rate();
  for (std::uint32_t index = 0; index < loads.utilisation.size(); ++index) {
    const std::optional<double>& utilisation = loads.utilisation[index];
    const std::uint32_t zone_index = still.nodes[still.endpoints[index].node.value].zone.value;
    row.zone_shares[zone_index] += all > 0.0 ? loads.answered[index] / all : 0.0;
    const bool lost = !failure.degraded && std::binary_search(failure.endpoints.begin(), failure.endpoints.end(),
                                                              config::EndpointIndex{index});
    if (!utilisation || lost) {
      continue;
    }
    std::optional<double>& zone = row.zones[zone_index];
    zone = std::max(zone.value_or(0.0), *utilisation);
    if (!row.utilisation || *utilisation > *row.utilisation) {
      row.utilisation = utilisation;
      row.busiest = config::EndpointIndex{index};
    }
  }
  row.rate = loads.rate();
  row.failed = loads.failed();
  row.no_host = loads.no_host();
  row.failing = loads.failing;
  row.cross_zone = loads.cross_zone();
  row.bytes = loads.bytes();
  row.cost = loads.cost();
  row.margins = row.has_no_traffic() ? std::vector<Margin>{} : margins_of(loads, bounds);
  row.unknown = unknown_bounds(loads, bounds);
  row.tightest = tightest(row.margins);
  row.exact = loads.exact;
  row.panics = loads.panics;
  return row;
}

std::vector<Row> rows_of(const Worlds& worlds, const World& world, const std::vector<Bound>& bounds) {
  std::vector<Row> rows;
  for (const Failure& failure : world.failures) {
    const scenario::Scenario still = worlds.still(world, failure);
    rows.push_back(row_of(still, worlds.loads(world, failure, still), failure, bounds));
  }
  return rows;
}

Headroom headroom_of(const std::vector<Row>& rows) {
  Headroom headroom{std::numeric_limits<double>::infinity()};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].tightest && rows[row].tightest->growth() < headroom.growth) {
      headroom = {rows[row].tightest->growth(), {}, row, rows[row].tightest};
    }
  }
  return headroom;
}

namespace {

// The worst of the counted rows at this growth; `at` is the row.
Judgement counted_judgement(const Worlds& worlds, const World& world, const std::vector<Row>& rows,
                            const std::vector<Bound>& bounds, double growth, Headroom& headroom) {
  Judgement worst = Judgement::holds;
  for (std::size_t index = 0; index < rows.size() && worst != Judgement::fails; ++index) {
    if (rows[index].exact || rows[index].has_no_traffic()) {
      continue;
    }
    const auto margins = growth == 1.0
                             ? rows[index].margins
                             : margins_of(worlds.counted(worlds.played(world, rows[index].failure, growth)), bounds);
    for (const Margin& margin : margins) {
      if (margin.judgement() > worst) {
        worst = margin.judgement();
        headroom.row = index;
        headroom.margin = margin;
      }
    }
  }
  return worst;
}

}  // namespace

Headroom headroom_of(const Worlds& worlds, const World& world, const std::vector<Row>& rows,
                     const std::vector<Bound>& bounds) {
  std::vector<Row> exact = rows;
  for (Row& row : exact) {
    row.tightest = row.exact ? row.tightest : std::nullopt;
  }
  Headroom headroom = headroom_of(exact);
  if (std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.exact; }) || headroom.growth == 0.0) {
    return headroom;
  }
  constexpr double most_growth = 64.0;
  Steps steps(std::min(headroom.growth, most_growth));
  Headroom counted;
  while (const auto growth = steps.next()) {
    steps.tell(*growth, counted_judgement(worlds, world, rows, bounds, *growth, counted));
  }
  if (!steps.fails() && steps.holds() >= headroom.growth) {
    return headroom;
  }
  if (steps.holds() == 0.0) {
    return headroom_of(rows);
  }
  counted.growth = steps.holds();
  counted.fails = steps.fails()                    ? steps.fails()
                  : std::isfinite(headroom.growth) ? std::optional(headroom.growth)
                                                   : std::nullopt;
  return counted;
}

}  // namespace spillway::plan
