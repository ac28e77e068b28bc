#include "sim/plan/what_if.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>

#include "models/kuma/overprovisioning_factor.hpp"
#include "sim/plan/cause_of_failure.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/variants.hpp"
#include "sim/plan/words.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::plan {
namespace {

struct Choice {
  std::string setting;
  std::string value;
  Settings settings;
  bool now = false;
};

// Returns the value that all clusters of clients have; nullopt if they differ or have none.
template <class T, class Get>
std::optional<T> common(const scenario::Scenario& scenario, Get get) {
  std::set<std::optional<T>> values;
  for (const scenario::ClientEntry& client : scenario.clients) {
    for (const config::ServiceIndex asked : services_of(scenario, client)) {
      for (const config::ServiceIndex member : scenario::members_of(scenario, asked)) {
        if (!client.zone_proxy && !scenario.services[member.value].hosts.empty()) {
          values.insert(get(scenario.services[member.value]));
        }
      }
    }
  }
  return values.size() == 1 ? *values.begin() : std::nullopt;
}

// Returns a setting with a few values and the present one.
template <class T, class Set>
void add(std::vector<Choice>& all, const std::string& setting, std::set<T> values, const std::optional<T>& now,
         Set set) {
  if (now) {
    values.insert(*now);
  }
  for (const T value : values) {
    Choice& choice = all.emplace_back(Choice{setting, fmt::format("{}", value), {}, now == value});
    set(choice.settings, value);
  }
}

// Kuma's percentages, each with the factor that it becomes. Several may be the present one.
void add_failover_thresholds(std::vector<Choice>& all, const scenario::Scenario& scenario,
                             const std::optional<std::uint32_t>& now) {
  bool is_known = false;
  for (const std::int32_t percentage : {50, 70, 80, 90}) {
    const std::uint32_t of = kuma::overprovisioning_factor(kuma::IntOrString{percentage}, scenario.profile.kuma);
    is_known = is_known || now == of;
    all.push_back({"failoverThreshold",
                   fmt::format("{} (factor {})", percentage, of),
                   {.overprovisioning_factor = of},
                   now == of});
  }
  if (now && !is_known) {
    all.push_back({"failoverThreshold", fmt::format("factor {}", *now), {.overprovisioning_factor = now}, true});
  }
}

bool prefers_localities(const scenario::Scenario& scenario) {
  return std::any_of(scenario.services.begin(), scenario.services.end(), [](const scenario::Service& service) {
    const auto& localities = service.load_assignment.endpoints;
    return service.as_view && std::any_of(localities.begin(), localities.end(),
                                          [](const auto& locality) { return locality.priority.value > 0; });
  });
}

// Returns the settings that the scenario's documents have.
std::vector<Choice> choices(const scenario::Scenario& scenario) {
  const Documents documents = documents_of(scenario);
  std::vector<Choice> all;
  const auto factor = common<std::uint32_t>(scenario, [](const scenario::Service& service) {
    return std::optional(service.load_assignment.overprovisioning_factor);
  });
  if (documents == Documents::envoy) {
    add<std::uint32_t>(all, "overprovisioning_factor", {100, 120, 140, 170, 200}, factor,
                       [](Settings& settings, std::uint32_t value) { settings.overprovisioning_factor = value; });
  } else if (documents == Documents::kuma) {
    add_failover_thresholds(all, scenario, factor);
  } else if (prefers_localities(scenario)) {
    all.push_back({"localityLbSetting.enabled", "true", {}, true});
    all.push_back({"localityLbSetting.enabled", "false", {.one_priority = true}, false});
  }
  add<double>(all, name_of(Knob::healthy_panic_threshold, documents), {0.0, 25.0, 50.0, 75.0},
              common<double>(scenario,
                             [](const scenario::Service& service) {
                               return std::optional(service.cluster.common_lb_config.healthy_panic_threshold.value);
                             }),
              [](Settings& settings, double value) { settings.healthy_panic_threshold = value; });
  const bool ejects =
      std::any_of(scenario.services.begin(), scenario.services.end(),
                  [](const scenario::Service& service) { return service.cluster.outlier_detection.has_value(); });
  if (ejects) {
    add<std::uint32_t>(all, name_of(Knob::max_ejection_percent, documents), {10, 50, 100},
                       common<std::uint32_t>(scenario,
                                             [](const scenario::Service& service) {
                                               const auto& of = service.cluster.outlier_detection;
                                               return of ? std::optional(of->max_ejection_percent) : std::nullopt;
                                             }),
                       [](Settings& settings, std::uint32_t value) { settings.max_ejection_percent = value; });
  }
  return all;
}

bool same(const WhatIf& left, const WhatIf& right) {
  return left.known == right.known && left.headroom.growth == right.headroom.growth &&
         left.headroom.row == right.headroom.row && left.worst.cross_zone == right.worst.cross_zone &&
         left.worst.zones == right.worst.zones && left.worst.failed == right.worst.failed;
}

}  // namespace

namespace {

// True if the counts of the limiting row tell the headroom: they do not if their requests fail by overload, which fewer
// requests would mend, or if it is undecided how many fail.
bool tells_headroom(const WhatIf& what_if) {
  const Row& row = what_if.worst;
  const bool by_overload = std::any_of(row.failing.begin(), row.failing.end(), [](const FailedRequests& failing) {
    return std::any_of(failing.causes.begin(), failing.causes.end(),
                       [](const CausePart& part) { return is_of_overload(part.cause); });
  });
  return row.exact || (!by_overload && (what_if.headroom.growth > 0.0 || row.judgement() != study::Verdict::undecided));
}

// The rows of choices, by choice; empty for those that were not evaluated.
class RowsOfChoices {
 public:
  RowsOfChoices(const Variants& variants, const Variant& variant, const std::vector<Bound>& bounds,
                const std::vector<Choice>& choices)
      : variants_(variants), variant_(variant), bounds_(bounds), choices_(choices), rows_(choices.size()) {}

  // Evaluates these choices; those that are known are skipped.
  void evaluate(const std::vector<std::size_t>& wanted) {
    std::vector<std::size_t> left;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(left),
                 [&](std::size_t choice) { return rows_[choice].empty(); });
    for (std::size_t failure = 0; failure < variant_.failures.size() && !left.empty(); ++failure) {
      const Failure& of = variant_.failures[failure];
      const scenario::Scenario still = variants_.still(variant_, of);
      for (const std::size_t choice : left) {
        scenario::Scenario set = still;
        apply(choices_[choice].settings, set);
        rows_[choice].push_back(
            row_of(set, variants_.loads(variant_, of, set, choices_[choice].settings), of, bounds_));
      }
    }
  }

  // Precondition: the choice was evaluated.
  [[nodiscard]] WhatIf what_if(std::size_t choice) const {
    WhatIf what_if{choices_[choice].setting, choices_[choice].value, choices_[choice].now, {}, {}};
    what_if.headroom = headroom_of(rows_[choice]);
    what_if.worst = rows_[choice][what_if.headroom.row];
    what_if.known = tells_headroom(what_if);
    return what_if;
  }

  // True if some of these choices differ.
  [[nodiscard]] bool differ(const std::vector<std::size_t>& choices) const {
    const WhatIf first = what_if(choices.front());
    return std::any_of(choices.begin(), choices.end(),
                       [&](std::size_t choice) { return !same(what_if(choice), first); });
  }

 private:
  const Variants& variants_;
  const Variant& variant_;
  const std::vector<Bound>& bounds_;
  const std::vector<Choice>& choices_;
  std::vector<std::vector<Row>> rows_;
};

}  // namespace

std::vector<WhatIf> what_ifs_of(const Variants& variants, const Variant& variant, Effort effort,
                                const std::vector<Bound>& bounds) {
  effort.enough_requests = 1e5;
  const Variants brief = variants.with_effort(effort);
  const std::vector<Choice> all = choices(variant.scenario);
  RowsOfChoices rows(brief, variant, bounds, all);
  // By setting. Loads change monotonically with each: if its ends and the present value agree, so do all others.
  std::vector<std::vector<std::size_t>> settings;
  std::vector<std::size_t> ends;
  for (std::size_t choice = 0; choice < all.size(); ++choice) {
    const bool is_first = choice == 0 || all[choice].setting != all[choice - 1].setting;
    if (is_first) {
      settings.emplace_back();
    }
    settings.back().push_back(choice);
    if (is_first || all[choice].now || choice + 1 == all.size() || all[choice].setting != all[choice + 1].setting) {
      ends.push_back(choice);
    }
  }
  rows.evaluate(ends);
  std::vector<WhatIf> reported;
  for (const std::vector<std::size_t>& setting : settings) {
    std::vector<std::size_t> known;
    std::copy_if(setting.begin(), setting.end(), std::back_inserter(known),
                 [&](std::size_t choice) { return std::find(ends.begin(), ends.end(), choice) != ends.end(); });
    if (!rows.differ(known)) {
      continue;
    }
    rows.evaluate(setting);
    std::transform(setting.begin(), setting.end(), std::back_inserter(reported),
                   [&](std::size_t choice) { return rows.what_if(choice); });
  }
  return reported;
}

}  // namespace spillway::plan
