#include "sim/plan/what_if.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>

#include "models/kuma/overprovisioning_factor.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {
namespace {

struct Choice {
  std::string setting;
  std::string value;
  Settings settings;
  bool now = false;
};

template <class T, class Get>
std::optional<T> common(const scenario::Scenario& scenario, Get get) {
  std::set<T> values;
  for (const scenario::Service& service : scenario.services) {
    if (!service.hosts.empty()) {
      values.insert(get(service));
    }
  }
  return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

std::vector<Choice> choices(const scenario::Scenario& scenario) {
  std::vector<Choice> all;
  const bool views = std::any_of(scenario.services.begin(), scenario.services.end(),
                                 [](const scenario::Service& service) { return service.as_view.has_value(); });
  const auto factor = common<std::uint32_t>(
      scenario, [](const scenario::Service& service) { return service.load_assignment.overprovisioning_factor; });
  std::set<std::uint32_t> factors = {100, 120, 140, 170, 200};
  if (factor) {
    factors.insert(*factor);
  }
  for (const std::uint32_t value : factors) {
    all.push_back(
        {"overprovisioning_factor", fmt::format("{}", value), {.overprovisioning_factor = value}, factor == value});
  }
  for (const std::int32_t percentage : {50, 70, 80, 90}) {
    if (views) {
      const std::uint32_t of = kuma::overprovisioning_factor(kuma::IntOrString{percentage}, scenario.profile.kuma);
      all.push_back(
          {"failoverThreshold", fmt::format("{} (factor {})", percentage, of), {.overprovisioning_factor = of}, false});
    }
  }
  const auto panic = common<double>(scenario, [](const scenario::Service& service) {
    return service.cluster.common_lb_config.healthy_panic_threshold.value;
  });
  std::set<double> thresholds = {0.0, 25.0, 50.0, 75.0};
  if (panic) {
    thresholds.insert(*panic);
  }
  for (const double value : thresholds) {
    all.push_back(
        {"healthy_panic_threshold", fmt::format("{}", value), {.healthy_panic_threshold = value}, panic == value});
  }
  return all;
}

bool same(const WhatIf& left, const WhatIf& right) {
  return left.headroom.growth == right.headroom.growth && left.headroom.row == right.headroom.row &&
         left.worst.cross_zone == right.worst.cross_zone && left.worst.zones == right.worst.zones &&
         left.worst.failed == right.worst.failed;
}

}  // namespace

std::vector<WhatIf> what_ifs_of(const Variants& variants, const Variant& variant, const std::vector<Bound>& bounds) {
  const std::vector<Choice> settings = choices(variant.scenario);
  std::vector<std::vector<Row>> rows(settings.size());
  for (const Failure& failure : variant.failures) {
    const scenario::Scenario still = variants.still(variant, failure);
    for (std::size_t choice = 0; choice < settings.size(); ++choice) {
      scenario::Scenario set = still;
      apply(settings[choice].settings, set);
      rows[choice].push_back(
          row_of(set, variants.loads(variant, failure, set, settings[choice].settings), failure, bounds));
    }
  }
  std::vector<WhatIf> all;
  for (std::size_t choice = 0; choice < settings.size(); ++choice) {
    WhatIf what_if{settings[choice].setting, settings[choice].value, settings[choice].now, {}, {}};
    what_if.headroom = headroom_of(rows[choice]);
    what_if.worst = std::move(rows[choice][what_if.headroom.row]);
    all.push_back(std::move(what_if));
  }
  std::vector<WhatIf> reported;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    bool differs = false;
    for (; end < all.size() && all[end].setting == all[begin].setting; ++end) {
      differs = differs || !same(all[begin], all[end]);
    }
    if (differs) {
      std::move(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end),
                std::back_inserter(reported));
    }
    begin = end;
  }
  return reported;
}

}  // namespace spillway::plan
