#include "sim/plan/additions.hpp"

#include <algorithm>
#include <optional>

#include "sim/plan/independent.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {
namespace {

// By ServiceIndex: false if the service's endpoints never receive requests for `other`, or the reverse.
std::vector<bool> in_touch_with(const scenario::Scenario& scenario, config::ServiceIndex other) {
  const auto component = components_of_services(scenario);
  std::vector<bool> in_touch;
  for (const std::optional<std::uint32_t>& of : component) {
    in_touch.push_back(!of || !component[other.value] || *of == *component[other.value]);
  }
  return in_touch;
}

}  // namespace

std::optional<Row> limiting_row(const Variants& variants, const Variant& variant, const std::string& failure,
                                const std::vector<Bound>& bounds) {
  const auto named = std::find_if(variant.failures.begin(), variant.failures.end(),
                                  [&](const Failure& of) { return of.name == failure; });
  if (named == variant.failures.end()) {
    return std::nullopt;
  }
  const scenario::Scenario still = variants.still(variant, *named);
  return row_of(still, variants.loads(variant, *named, still), *named, bounds);
}

std::vector<Addition> additions_of(const scenario::ScenarioTemplate& base, const Variants& variants,
                                   const Variant& variant, const std::vector<Row>& rows,
                                   const std::vector<Bound>& bounds, bool hopeless) {
  const Headroom now = headroom_of(rows);
  std::vector<bool> in_touch(variant.scenario.services.size(), false);
  if (now.margin && !hopeless) {
    in_touch = in_touch_with(variant.scenario, now.margin->bound.service);
  }
  std::vector<Addition> additions;
  for (const scenario::EndpointGroup& group : groups_in_question(base, bounds)) {
    if (!in_touch[group.service.value]) {
      additions.push_back({group, now});
      continue;
    }
    const auto larger = variants.with({{group.place, group.count + 1}});
    if (!larger) {
      continue;
    }
    const std::optional<Row> limiting = limiting_row(variants, *larger, rows[now.row].failure.name, bounds);
    const bool better = !limiting || !limiting->tightest || limiting->tightest->growth() > now.growth;
    Headroom headroom = better ? headroom_of(rows_of(variants, *larger, bounds)) : headroom_of({*limiting});
    headroom.row = better ? headroom.row : now.row;
    additions.push_back({group, headroom});
  }
  return additions;
}

}  // namespace spillway::plan
