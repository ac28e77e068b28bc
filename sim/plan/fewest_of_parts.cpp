#include "sim/plan/fewest_of_parts.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/plan/independent.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {
namespace {

using scenario::ScenarioTemplate;

bool are_of_single_services(const std::vector<Bound>& bounds) {
  return std::none_of(bounds.begin(), bounds.end(), [](const Bound& bound) {
    return bound.metric == Metric::cross_zone_cost || bound.metric == Metric::machine_cost ||
           bound.metric == Metric::link_utilisation;
  });
}

// Adds the layout of a part to that of the whole. A part that has none leaves the whole without one.
void add_part(const std::optional<Fewest>& part, const ScenarioTemplate::Part& of, bool numbered_anew,
              std::optional<Fewest>& whole) {
  if (!part || !whole) {
    whole.reset();
    return;
  }
  for (Part added : part->parts) {
    if (numbered_anew) {
      added.group.service = of.services[added.group.service.value];
      added.group.place.service = added.group.service.value;
    }
    whole->parts.push_back(added);
  }
  whole->proved = whole->proved && part->proved;
  whole->at_least += part->at_least;
}

}  // namespace

std::optional<FewestAndCheapest> fewest_of_parts(const ScenarioTemplate& base, const Variants& variants,
                                                 const std::vector<Bound>& bounds, const SearchOfPart& search,
                                                 const std::function<void(double done)>& progress) {
  constexpr double least_work = 2e4;  // of a part
  const std::vector<ScenarioTemplate::Part> parts = independent_parts(*base.reading().scenario);
  if (parts.size() < 2 || bounds.empty() || !are_of_single_services(bounds)) {
    return std::nullopt;
  }
  const double most_work = std::max(Layouts::most_work / static_cast<double>(parts.size()), least_work);
  const bool numbered_anew = base.numbers_parts_anew();
  Fewest none;
  none.proved = true;
  FewestAndCheapest whole{none, none, none};
  for (std::size_t index = 0; index < parts.size() && whole.fewest; ++index) {
    const std::vector<Bound> own_bounds = bounds_in_part(bounds, parts[index], numbered_anew);
    if (own_bounds.empty()) {
      continue;
    }
    const auto part = base.part(parts[index]);
    if (!part) {
      return std::nullopt;
    }
    const std::function<void(double)> progress_of_part = [&](double done) {
      progress((static_cast<double>(index) + done) / static_cast<double>(parts.size()));
    };
    const FewestAndCheapest found =
        search(*part, variants.of(*part), own_bounds, most_work, progress ? progress_of_part : progress);
    whole.bounded = whole.bounded || found.bounded;
    add_part(found.fewest, parts[index], numbered_anew, whole.fewest);
    add_part(found.cheapest, parts[index], numbered_anew, whole.cheapest);
    add_part(found.purchase, parts[index], numbered_anew, whole.purchase);
  }
  return whole.fewest ? whole : FewestAndCheapest{.bounded = whole.bounded};
}

}  // namespace spillway::plan
