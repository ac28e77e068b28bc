#include "sim/plan/rows.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

bool Row::holds() const {
  return std::all_of(margins.begin(), margins.end(), [](const Margin& margin) { return margin.holds(); }) &&
         judge(estimates) != Judgement::fails;
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
    row.zone_shares[zone_index] += all > 0.0 ? loads.rates[index] / all : 0.0;
    const bool lost = !failure.degraded && std::binary_search(failure.endpoints.begin(), failure.endpoints.end(),
                                                              config::EndpointIndex{index});
    // What is lost and gets requests all the same, as in panic, has its load too.
    if (!utilisation || (lost && loads.rates[index] == 0.0)) {
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
  row.no_host = loads.no_host();
  row.cross_zone = loads.cross_zone();
  row.bytes = loads.bytes();
  row.cost = loads.cost();
  row.margins = margins_of(loads, bounds);
  row.tightest = tightest(row.margins);
  row.exact = loads.exact;
  row.panics = loads.panics;
  return row;
}

std::vector<Row> rows_of(const Worlds& worlds, const World& world, const std::vector<Bound>& bounds) {
  std::vector<Row> rows;
  for (const Failure& failure : world.failures) {
    const scenario::Scenario still = worlds.still(world, failure);
    rows.push_back(row_of(still, Worlds::loads(still), failure, bounds));
  }
  return rows;
}

Headroom headroom_of(const std::vector<Row>& rows) {
  Headroom headroom{std::numeric_limits<double>::infinity()};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].tightest && rows[row].tightest->growth() < headroom.growth) {
      headroom = {rows[row].tightest->growth(), row, rows[row].tightest};
    }
  }
  return headroom;
}

}  // namespace spillway::plan
