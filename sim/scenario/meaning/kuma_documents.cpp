// The documents of Kuma: read, admitted, and looked through for what they hardly do as they are meant.
#include <algorithm>

#include "sim/scenario/kuma/admission.hpp"
#include "sim/scenario/kuma/read_documents.hpp"
#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

bool ejects(const kuma_documents::Document<kuma::MeshCircuitBreaker>& breaker) {
  const auto items = breaker.value.to.value_or(std::vector<kuma::TargetedItem<kuma::CircuitBreakerConf>>{});
  return std::any_of(items.begin(), items.end(), [](const auto& item) {
    const auto& detection = item.default_.outlierDetection;
    return detection && !detection->disabled.value_or(false);
  });
}

// Whether anything in the file can make a proxy take an endpoint for unhealthy.
bool marks_unhealthy(const written::Scenario& file, const kuma_documents::Documents& documents) {
  const auto check_of = [](const auto& cluster) {
    return cluster->source.member("health_checks") || cluster->source.member("outlier_detection");
  };
  const auto tells = [](const auto& entry) { return entry->healthy.present || entry->degraded.present; };
  const auto endpoints_tell = [&](const auto& service) {
    return std::any_of(service->endpoints.value.begin(), service->endpoints.value.end(), tells);
  };
  return !documents.health_checks.empty() ||
         std::any_of(documents.circuit_breakers.begin(), documents.circuit_breakers.end(), ejects) ||
         std::any_of(file.clusters.value.begin(), file.clusters.value.end(), check_of) ||
         std::any_of(file.timeline.value.begin(), file.timeline.value.end(), tells) ||
         std::any_of(file.services.value.begin(), file.services.value.end(), endpoints_tell);
}

}  // namespace

void read_kuma_documents(Context& so_far) {
  const config::KumaProfile profile = so_far.scenario.profile.kuma;
  so_far.documents =
      kuma_documents::read_documents(so_far.file.policies, so_far.file.resources, profile, so_far.problems);
  if (so_far.documents.empty()) {
    return;
  }
  kuma_documents::lint(so_far.documents,
                       {.zones = so_far.zones.incomplete() ? std::vector<std::string>{} : so_far.zones.all(),
                        .marks_unhealthy = marks_unhealthy(so_far.file, so_far.documents),
                        .profile = profile},
                       so_far.problems);
}

}  // namespace spillway::scenario::meaning
