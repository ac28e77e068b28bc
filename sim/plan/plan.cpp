#include "sim/plan/plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "sim/plan/fewest.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/onset.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/what_if.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::plan {
namespace {

double rate_at(const scenario::Scenario& scenario, std::chrono::nanoseconds at) {
  const std::vector<double> rates = rates_at(scenario, at);
  double sum = 0.0;
  for (std::size_t client = 0; client < rates.size(); ++client) {
    sum += rates[client] * scenario.clients[client].count;
  }
  return sum;
}

scenario::Diagnostics unplannable(const scenario::Scenario& scenario, std::chrono::nanoseconds at) {
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.workload.arrivals == scenario::Arrivals::closed) {
      return {
          scenario::with_help(scenario::error("SP703", fmt::format("the users of `{}` wait for answers", client.name),
                                              {}, "their rate follows from the capacity that is to be planned"),
                              "write the `rate` that is to be planned for")};
    }
  }
  if (!(rate_at(scenario, at) > 0.0)) {
    return {scenario::error("SP704", "nobody sends requests at this moment", {}, "a plan needs requests")};
  }
  return {};
}

std::vector<ServiceHeadroom> service_headrooms(const Worlds& worlds, const World& world,
                                               const std::vector<Bound>& bounds) {
  std::vector<ServiceHeadroom> all;
  for (std::size_t row = 0; row < world.failures.size(); ++row) {
    const scenario::Scenario still = worlds.still(world, world.failures[row]);
    const Loads loads = Worlds::loads(still);
    for (std::uint32_t service = 0, position = 0; service < loads.services.size(); ++service) {
      if (loads.rates_by_service[service].empty()) {
        continue;
      }
      const double growth = growth_of_service(still, loads, bounds, {service});
      if (row == 0) {
        all.push_back({{service}, loads.services[service].rate, growth, row});
      } else if (growth < all[position].growth) {
        all[position].growth = growth;
        all[position].row = row;
      }
      ++position;
    }
  }
  return all;
}

std::vector<Addition> additions_of(const scenario::ScenarioTemplate& base, const Worlds& worlds,
                                   const std::vector<Bound>& bounds) {
  std::vector<Addition> additions;
  for (const scenario::EndpointGroup& group : base.groups()) {
    if (const auto world = worlds.with({{group.place, group.count + 1}})) {
      additions.push_back({group, headroom_of(rows_of(worlds, *world, bounds))});
    }
  }
  return additions;
}

}  // namespace

bool Plan::holds() const {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.holds(); });
}

std::variant<Plan, scenario::Diagnostics> make_plan(const scenario::ScenarioTemplate& base, const Request& request) {
  const scenario::Scenario& scenario = *base.reading().scenario;
  Plan plan;
  plan.at = request.at.value_or(busiest_moment(scenario));
  if (auto problems = unplannable(scenario, plan.at); !problems.empty()) {
    return problems;
  }
  plan.growth = request.rate ? *request.rate / rate_at(scenario, plan.at) : request.growth;
  Failures failures = failures_of(scenario);
  if (!failures.problems.empty()) {
    return std::move(failures.problems);
  }
  const Worlds worlds(base, plan.at, plan.growth);
  const World world = *worlds.with({});
  plan.bounds = bounds_of(scenario);
  plan.assumed_objectives = scenario.objectives.empty();
  plan.assumed_failures = scenario.failures.empty();
  plan.rows = rows_of(worlds, world, plan.bounds);
  plan.headroom = headroom_of(plan.rows);
  plan.services = service_headrooms(worlds, world, plan.bounds);
  plan.fewest = fewest_endpoints(base, worlds, plan.bounds);
  plan.additions = additions_of(base, worlds, plan.bounds);
  plan.onsets = onsets_of(worlds, world);
  plan.what_ifs = what_ifs_of(worlds, world, plan.bounds);
  return plan;
}

}  // namespace spillway::plan
