#include "sim/scenario/meaning/drop_overload.hpp"

#include <array>
#include <string>

#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {

config::DropOverload read_drop_overload(const written::LoadAssignmentPolicy& policy, Diagnostics& problems) {
  constexpr std::array<std::uint32_t, 3> denominators = {100, 10'000, 1'000'000};
  const auto& drops = *policy.drop_overloads;
  const auto refuse = [&](Span where, std::string reason) {
    problems.push_back(error("SP139", "Envoy refuses this `drop_overloads`", where, std::move(reason)));
  };
  if (drops.size() > 1) {
    refuse(policy.drop_overloads.key, "Cluster drop_overloads config has " + std::to_string(drops.size()) +
                                          " categories. Envoy only support one.");
  }
  config::DropOverload drop;
  if (drops.empty()) {
    return drop;
  }
  const written::DropOverload& written = *drops.front();
  drop.category = written.category.value_or("");
  drop.numerator = static_cast<std::uint32_t>(written.drop_percentage->numerator.value_or(0));
  drop.denominator = denominators[written.drop_percentage->denominator.value_or(0)];
  if (drop.numerator > drop.denominator) {
    refuse(written.drop_percentage->numerator.where,
           "Cluster drop_overloads config is invalid: Numerator " + std::to_string(drop.numerator) + " / Denominator " +
               std::to_string(drop.denominator) + ". The valid range is 0~1.");
  }
  return drop;
}

}  // namespace spillway::scenario::meaning
