#include "sim/plan/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sim/plan/objectives.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/stability.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {

study::Verdict Row::judgement() const {
  study::Verdict worst = unknown.empty() ? study::Verdict::met : study::Verdict::undecided;
  for (const Margin& margin : margins) {
    worst = std::max(worst, margin.judgement());
  }
  return std::max(worst, judge(estimates));
}

bool Row::is_covered(const Bound& bound, double growth) const {
  const auto from = load_fails_from.find(bound.service.value);
  return exact && bound.metric == Metric::error_share && from != load_fails_from.end() && growth < from->second;
}

double Row::failing_share() const {
  double most = std::max(failed, lost_in_long_run);
  for (const Estimate& estimate : estimates) {
    most = std::max(most, estimate.failed);
  }
  return most;
}

namespace {

// Returns the fraction of the requests beyond what overloaded endpoints can answer, however long they run. 0 if that is
// not known: users send less when they wait, and retries go elsewhere.
double lost_in_long_run(const scenario::Scenario& still, const Loads& loads) {
  const bool waits = std::any_of(still.clients.begin(), still.clients.end(), [](const scenario::ClientEntry& client) {
    return client.workload.arrivals == scenario::Arrivals::closed;
  });
  const bool retries = std::any_of(still.routes.begin(), still.routes.end(),
                                   [](const scenario::Route& route) { return route.retry_policy.has_value(); });
  double lost = 0.0;
  bool all_overloaded = true;
  for (std::size_t index = 0; index < loads.rates.size(); ++index) {
    const double utilisation = loads.utilisation[index].value_or(0.0);
    lost += utilisation > 1.0 ? loads.rates[index] * (1.0 - 1.0 / utilisation) : 0.0;
    all_overloaded = all_overloaded && (utilisation > 1.0 || loads.rates[index] == 0.0);
  }
  return loads.exact && !waits && (!retries || all_overloaded) && lost > 0.0 ? lost / loads.rate() : 0.0;
}

// Returns the utilisation of each zone's busiest endpoint that is not lost; for counts, the mean over replications.
std::vector<std::optional<double>> busiest_of_zones(const scenario::Scenario& still, const Loads& loads,
                                                    const Failure& failure) {
  std::vector<std::optional<double>> zones(still.zones.size());
  if (!loads.replications.empty()) {
    for (const Loads& replication : loads.replications) {
      const std::vector<std::optional<double>> of = busiest_of_zones(still, replication, failure);
      for (std::size_t zone = 0; zone < zones.size(); ++zone) {
        if (of[zone]) {
          zones[zone] = zones[zone].value_or(0.0) + *of[zone] / static_cast<double>(loads.replications.size());
        }
      }
    }
    return zones;
  }
  for (std::uint32_t index = 0; index < loads.utilisation.size(); ++index) {
    std::optional<double>& zone = zones[still.nodes[still.endpoints[index].node.value].zone.value];
    if (loads.utilisation[index] && !is_lost(failure, config::EndpointIndex{index})) {
      zone = std::max(zone.value_or(0.0), *loads.utilisation[index]);
    }
  }
  return zones;
}

}  // namespace

Row row_of(const scenario::Scenario& still, const Loads& loads, const Failure& failure,
           const std::vector<Bound>& bounds) {
  Row row;
  row.failure = failure;
  row.zones = busiest_of_zones(still, loads, failure);
  row.zone_shares.resize(still.zones.size(), 0.0);
  const double all = loads.rate();
  double most = -1.0;
  for (std::uint32_t index = 0; index < loads.utilisation.size(); ++index) {
    const std::optional<double>& utilisation = loads.utilisation[index];
    const std::uint32_t zone_index = still.nodes[still.endpoints[index].node.value].zone.value;
    row.zone_shares[zone_index] += all > 0.0 ? loads.answered[index] / all : 0.0;
    if (utilisation && !is_lost(failure, config::EndpointIndex{index}) && utilisation.value() > most) {
      most = *utilisation;
      row.busiest = config::EndpointIndex{index};
    }
  }
  for (const std::optional<double>& zone : row.zones) {
    row.utilisation = zone ? std::max(row.utilisation.value_or(0.0), *zone) : row.utilisation;
  }
  row.rate = loads.rate();
  row.failed = loads.failed();
  row.lost_in_long_run = lost_in_long_run(still, loads);
  row.no_host = loads.no_host();
  row.failing = loads.failing;
  row.cross_zone = loads.cross_zone();
  row.bytes = loads.bytes();
  row.cost = loads.cost();
  row.margins = row.has_no_traffic() ? std::vector<Margin>{} : margins_of(loads, bounds);
  row.unknown = unknown_bounds(loads, bounds);
  row.tightest = tightest(row.margins);
  row.exact = loads.exact;
  row.equal_picks = loads.equal_picks;
  row.panics = loads.panics;
  row.settled_growth = settled_growth(still, loads);
  return row;
}

std::vector<ServiceRow> service_rows_of(const scenario::Scenario& still, const Loads& loads, const Failure& failure) {
  std::vector<ServiceRow> rows;
  for (std::uint32_t service = 0; service < loads.services.size(); ++service) {
    const EndpointRates& rates = loads.rates_by_service[service];
    if (!rates.are_requested()) {
      continue;
    }
    ServiceRow row{.service = {service}};
    row.zones.resize(still.zones.size());
    row.rate = loads.services[service].rate;
    row.failed = loads.services[service].failed;
    row.cross_zone = loads.services[service].cross_zone;
    std::set<std::uint32_t> endpoints;  // its own, and those that get its requests
    for (const scenario::Host& host : still.services[service].hosts) {
      if (!host.forwards_to) {
        endpoints.insert(host.endpoint.value);
      }
    }
    for (std::uint32_t index = rates.first(); index < rates.end(); ++index) {
      if (rates[index] > 0.0) {
        endpoints.insert(index);
      }
    }
    for (const std::uint32_t index : endpoints) {
      const std::optional<double>& utilisation = loads.utilisation[index];
      if (!utilisation || is_lost(failure, config::EndpointIndex{index})) {
        continue;
      }
      std::optional<double>& zone = row.zones[still.nodes[still.endpoints[index].node.value].zone.value];
      zone = std::max(zone.value_or(0.0), *utilisation);
      if (rates[index] > 0.0 && (!row.utilisation || *utilisation > *row.utilisation)) {
        row.utilisation = utilisation;
        row.busiest = config::EndpointIndex{index};
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> rows_of(const Variants& variants, const Variant& variant, const std::vector<Bound>& bounds) {
  std::vector<Row> rows;
  for (const Failure& failure : variant.failures) {
    const scenario::Scenario still = variants.still(variant, failure);
    rows.push_back(row_of(still, variants.loads(variant, failure, still), failure, bounds));
  }
  return rows;
}

Headroom headroom_of(const std::vector<Row>& rows) {
  Headroom headroom{std::numeric_limits<double>::infinity()};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].tightest && rows[row].tightest->growth() < headroom.growth) {
      headroom = {rows[row].tightest->growth(), {}, {}, row, rows[row].tightest};
      if (rows[row].tightest->bound.below) {
        headroom.fails = rows[row].tightest->growth_to_limit();
      }
    }
  }
  return headroom;
}

namespace {

// Returns the worst judgement of the counted rows at this growth. Sets the row and margin in `headroom`.
study::Verdict counted_judgement(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                                 const std::vector<Bound>& bounds, double growth, Headroom& headroom) {
  study::Verdict worst = study::Verdict::met;
  for (std::size_t index = 0; index < rows.size() && worst != study::Verdict::missed; ++index) {
    if (rows[index].exact || rows[index].has_no_traffic()) {
      continue;
    }
    const auto margins =
        growth == 1.0 ? rows[index].margins
                      : margins_of(variants.counted(variants.simulated(variant, rows[index].failure, growth)), bounds);
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

Headroom headroom_of(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                     const std::vector<Bound>& bounds) {
  std::vector<Row> exact = rows;
  for (Row& row : exact) {
    row.tightest = row.exact ? row.tightest : std::nullopt;
  }
  Headroom headroom = headroom_of(exact);
  if (std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.exact; }) || headroom.growth == 0.0) {
    return headroom;
  }
  Steps steps(std::min(headroom.growth, most_growth));
  Headroom counted;
  double ended_at = std::numeric_limits<double>::infinity();  // the lowest that does not hold
  while (const auto growth = steps.next()) {
    Headroom here;
    const study::Verdict judgement = counted_judgement(variants, variant, rows, bounds, *growth, here);
    if (judgement != study::Verdict::met && *growth <= ended_at) {
      ended_at = *growth;
      counted = here;
    }
    steps.tell(*growth, judgement);
  }
  // No counted row limits the headroom within the search range.
  if (!std::isfinite(ended_at)) {
    return headroom;
  }
  counted.growth = steps.holds();
  if (steps.holds() == 0.0) {
    counted.fails = steps.fails();
    counted.lowest_tried = ended_at;
    return counted;
  }
  counted.fails = steps.fails()                    ? steps.fails()
                  : headroom.fails                 ? headroom.fails
                  : std::isfinite(headroom.growth) ? std::optional(headroom.growth)
                                                   : std::nullopt;
  return counted;
}

}  // namespace spillway::plan
