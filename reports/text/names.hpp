// Names of enumerators, common to all outputs.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "models/config/forward.hpp"
#include "models/envoy/forward.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

// Returns the name of an enumerator. `names`: of all enumerators, in the order of their declaration.
template <class Enumerator>
[[nodiscard]] constexpr std::string_view name_in(std::initializer_list<std::string_view> names, Enumerator of) {
  return std::data(names)[static_cast<std::size_t>(of)];
}

// Returns "healthy", "degraded" or "all".
[[nodiscard]] std::string_view name_of(envoy::Availability availability);

// Returns "holds", "not_tested", "undecided" or "fails".
[[nodiscard]] std::string_view name_of(study::Verdict verdict);

// Returns "exact", "requests" or "platform".
[[nodiscard]] std::string_view name_of(scenario::Mode mode);

// Returns "current" or "seed".
[[nodiscard]] std::string_view name_of(config::EnvoyProfile profile);

// Returns "release-2.14", "head" or "document".
[[nodiscard]] std::string_view name_of(config::KumaProfile profile);

// Returns "release-1.31" or "release-1.30".
[[nodiscard]] std::string_view name_of(config::IstioProfile profile);

// Returns the JSON's names: "ok", "no_healthy_upstream" and so on.
[[nodiscard]] std::string_view name_of(scenario::Outcome outcome);

}  // namespace spillway::reports
