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
    row.estimates = evaluate_(worlds_->played(world, row.failure), bounds_);
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
          *growth == 1.0 ? rows[row].estimates : evaluate_(worlds_->played(world, rows[row].failure, *growth), bounds_);
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

namespace {

Counts counts_of(const Fewest& fewest) {
  Counts counts;
  for (const Part& part : fewest.parts) {
    counts[part.group.place] = part.count;
  }
  return counts;
}

void change(Fewest& fewest, Part& part, std::int64_t by) {
  part.count = static_cast<std::uint32_t>(part.count + by);
  fewest.endpoints = static_cast<std::uint32_t>(fewest.endpoints + by);
  fewest.raised = static_cast<std::uint32_t>(fewest.raised + by);
}

// Which group has this endpoint.
Part* part_of(Fewest& fewest, const World& world, config::EndpointIndex endpoint) {
  const scenario::Scenario& scenario = world.scenario;
  const config::ZoneIndex zone = scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone;
  const Alike alike(scenario);
  const auto part = std::find_if(fewest.parts.begin(), fewest.parts.end(), [&](const Part& candidate) {
    return candidate.group.zone == zone && alike.serves(endpoint, candidate.group.service);
  });
  return part == fewest.parts.end() ? nullptr : &*part;
}

}  // namespace

std::vector<Row> Measurement::all_of(const World& world, const std::vector<Bound>& bounds) const {
  std::vector<Row> rows = rows_of(*worlds_, world, bounds);
  if (std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.has_no_traffic() || row.holds(); })) {
    measure(world, rows);
  }
  return rows;
}

void Measurement::raise(const std::vector<Bound>& bounds, Fewest& fewest) const {
  const std::uint32_t most = 4 * (fewest.endpoints + fewest.now) + 16;
  fewest.measured = Judgement::open;
  while (fewest.endpoints <= most) {
    const auto world = worlds_->with(counts_of(fewest));
    if (!world) {
      return;
    }
    const std::vector<Row> rows = all_of(*world, bounds);
    fewest.headroom = headroom_of(rows);
    const auto not_holding = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
      return !row.has_no_traffic() && row.judgement() != Judgement::holds;
    });
    fewest.measured = not_holding == rows.end() ? Judgement::holds : not_holding->judgement();
    if (fewest.measured == Judgement::holds) {
      lower(bounds, fewest);
      return;
    }
    Part* const part = not_holding->busiest ? part_of(fewest, *world, *not_holding->busiest) : nullptr;
    if (part == nullptr) {
      return;
    }
    // By a twentieth at a time, so that large numbers do not take forever.
    change(fewest, *part, 1 + part->count / 20);
    fewest.proved = false;
  }
}

void Measurement::lower(const std::vector<Bound>& bounds, Fewest& fewest) const {
  bool lowered = fewest.raised > 0;
  while (lowered) {
    lowered = false;
    for (Part& part : fewest.parts) {
      if (part.count < 2) {
        continue;
      }
      change(fewest, part, -1);
      const auto world = worlds_->with(counts_of(fewest));
      const std::vector<Row> rows = world ? all_of(*world, bounds) : std::vector<Row>{};
      const bool enough = world && std::all_of(rows.begin(), rows.end(),
                                               [](const Row& row) { return row.has_no_traffic() || row.holds(); });
      if (enough) {
        fewest.headroom = headroom_of(rows);
        lowered = true;
      } else {
        change(fewest, part, 1);
      }
    }
  }
}

}  // namespace spillway::plan
