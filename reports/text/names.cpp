#include "reports/text/names.hpp"

#include "models/config/profile.hpp"
#include "models/envoy/availability.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

std::string_view name_of(envoy::Availability availability) {
  return name_in({"healthy", "degraded", "all"}, availability);
}

std::string_view name_of(scenario::Mode mode) {
  return name_in({"exact", "requests", "platform"}, mode);
}

std::string_view name_of(study::Verdict verdict) {
  return name_in({"holds", "not_tested", "undecided", "fails"}, verdict);
}

std::string_view name_of(config::EnvoyProfile profile) {
  return config::envoy_profile_names[static_cast<std::size_t>(profile)];
}

std::string_view name_of(config::KumaProfile profile) {
  return name_in({"release-2.14", "head", "document"}, profile);
}

std::string_view name_of(config::IstioProfile profile) {
  return name_in({"release-1.31", "release-1.30"}, profile);
}

std::string_view name_of(scenario::Outcome outcome) {
  return scenario::outcome_name(outcome);
}

}  // namespace spillway::reports
