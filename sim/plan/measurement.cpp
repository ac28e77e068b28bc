#include "sim/plan/measurement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/plan/alike.hpp"
#include "sim/plan/rows.hpp"

namespace spillway::plan {
namespace {

// How much of what its bounds allow the worst estimate may take.
double closeness(const std::vector<Estimate>& estimates) {
  double closest = 0.0;
  for (const Estimate& estimate : estimates) {
    closest = std::max(closest, estimate.high / std::max(estimate.allowed(), 1e-12));
  }
  return closest;
}

}  // namespace

void Measurement::measure(const World& world, std::vector<Row>& rows) const {
  for (Row& row : rows) {
    row.estimates = evaluate_(worlds_->still(world, row.failure), bounds_);
  }
}

MeasuredHeadroom Measurement::headroom(const World& world, const std::vector<Row>& rows, double most) const {
  MeasuredHeadroom found;
  found.replications = effort_.replications;
  // What was nearest to its limit is likely to end the next step too.
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return std::pair(-closeness(rows[left].estimates), left) < std::pair(-closeness(rows[right].estimates), right);
  });
  Steps steps(most);
  while (const auto growth = steps.next()) {
    Judgement judgement = Judgement::holds;
    for (const std::size_t row : order) {
      const std::vector<Estimate> estimates =
          *growth == 1.0 ? rows[row].estimates : evaluate_(worlds_->still(world, rows[row].failure, *growth), bounds_);
      const Judgement of_row = judge(estimates);
      if (of_row > judgement) {
        judgement = of_row;
        found.row = row;
        found.estimate = *std::max_element(estimates.begin(), estimates.end(), [](const auto& left, const auto& right) {
          return left.judgement() < right.judgement();
        });
      }
      if (judgement == Judgement::fails) {
        break;
      }
    }
    steps.tell(*growth, judgement);
  }
  found.holds = steps.holds();
  found.fails = steps.fails();
  return found;
}

void Measurement::raise(const std::vector<Bound>& bounds, Fewest& fewest) const {
  const std::uint32_t most = 4 * (fewest.endpoints + fewest.now) + 16;
  fewest.measured = Judgement::open;
  while (fewest.endpoints <= most) {
    Counts counts;
    for (const Part& part : fewest.parts) {
      counts[part.group.place] = part.count;
    }
    const auto world = worlds_->with(counts);
    if (!world) {
      return;
    }
    std::vector<Row> rows = rows_of(*worlds_, *world, bounds);
    fewest.headroom = headroom_of(rows);
    measure(*world, rows);
    const auto not_holding =
        std::find_if(rows.begin(), rows.end(), [](const Row& row) { return judge(row.estimates) != Judgement::holds; });
    fewest.measured = not_holding == rows.end() ? Judgement::holds : judge(not_holding->estimates);
    if (fewest.measured == Judgement::holds || !not_holding->busiest) {
      return;
    }
    const config::EndpointIndex busiest = *not_holding->busiest;
    const scenario::Scenario& scenario = world->scenario;
    const config::ZoneIndex zone = scenario.nodes[scenario.endpoints[busiest.value].node.value].zone;
    const Alike alike(scenario);
    const auto group = std::find_if(fewest.parts.begin(), fewest.parts.end(), [&](const Part& part) {
      return part.group.zone == zone && alike.serves(busiest, part.group.service);
    });
    if (group == fewest.parts.end()) {
      return;
    }
    // By a twentieth at a time, so that large numbers do not take forever.
    const std::uint32_t more = 1 + group->count / 20;
    group->count += more;
    fewest.endpoints += more;
    fewest.raised += more;
    fewest.proved = false;
  }
}

}  // namespace spillway::plan
