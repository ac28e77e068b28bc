#include "reports/text/names.hpp"

#include "models/config/profile.hpp"
#include "models/envoy/availability.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

std::string_view name_of(envoy::Availability availability) {
  switch (availability) {
    case envoy::Availability::healthy:
      return "healthy";
    case envoy::Availability::degraded:
      return "degraded";
    case envoy::Availability::all:
      return "all";
  }
  return "";
}

std::string_view name_of(scenario::Mode mode) {
  switch (mode) {
    case scenario::Mode::exact:
      return "exact";
    case scenario::Mode::requests:
      return "requests";
    case scenario::Mode::platform:
      return "platform";
  }
  return "";
}

std::string_view name_of(study::Verdict verdict) {
  switch (verdict) {
    case study::Verdict::met:
      return "holds";
    case study::Verdict::unknown:
      return "not_tested";
    case study::Verdict::undecided:
      return "undecided";
    case study::Verdict::missed:
      return "fails";
  }
  return "";
}

std::string_view name_of(config::EnvoyProfile profile) {
  return config::envoy_profile_names[static_cast<std::size_t>(profile)];
}

std::string_view name_of(config::KumaProfile profile) {
  switch (profile) {
    case config::KumaProfile::release_2_14:
      return "release-2.14";
    case config::KumaProfile::head:
      return "head";
    case config::KumaProfile::document:
      return "document";
  }
  return "";
}

std::string_view name_of(config::IstioProfile profile) {
  switch (profile) {
    case config::IstioProfile::release_1_31:
      return "release-1.31";
    case config::IstioProfile::release_1_30:
      return "release-1.30";
  }
  return "";
}

std::string_view name_of(scenario::Outcome outcome) {
  return scenario::outcome_name(outcome);
}

}  // namespace spillway::reports
