// Reads, admits and lints the documents of Kuma.
#include "models/kuma/documents/documents.hpp"

#include <algorithm>

#include "models/documents/problem.hpp"
#include "models/kuma/documents/admission.hpp"
#include "models/kuma/documents/read_documents.hpp"
#include "models/kuma/lints.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

// True if a policy has an effect: a shadow policy only shows what it would do.
template <class Policy>
bool acts(const kuma::Document<Policy>& policy) {
  return kuma::value_of(policy.value.labels, kuma::effect_label) != "shadow";
}

bool ejects(const kuma::Document<kuma::MeshCircuitBreaker>& breaker) {
  const auto items = breaker.value.to.value_or(std::vector<kuma::TargetedItem<kuma::CircuitBreakerConf>>{});
  return acts(breaker) && std::any_of(items.begin(), items.end(), [](const auto& item) {
           const auto& detection = item.default_.outlierDetection;
           return detection && !detection->disabled.value_or(false);
         });
}

// True if anything in the file can make a proxy mark an endpoint unhealthy.
bool marks_unhealthy(const messages::Scenario& file, const kuma::Documents& documents) {
  const auto check_of = [](const auto& cluster) {
    return cluster->source.member("health_checks") || cluster->source.member("outlier_detection");
  };
  const auto tells = [](const auto& entry) { return entry->healthy.present || entry->degraded.present; };
  const auto endpoints_report = [&](const auto& service) {
    return std::any_of(service->endpoints.value.begin(), service->endpoints.value.end(), tells);
  };
  return std::any_of(documents.health_checks.begin(), documents.health_checks.end(),
                     [](const auto& check) { return acts(check); }) ||
         std::any_of(documents.circuit_breakers.begin(), documents.circuit_breakers.end(), ejects) ||
         std::any_of(file.clusters.value.begin(), file.clusters.value.end(), check_of) ||
         std::any_of(file.timeline.value.begin(), file.timeline.value.end(), tells) ||
         std::any_of(file.services.value.begin(), file.services.value.end(), endpoints_report);
}

}  // namespace

kuma::Documents read_kuma_documents(const Topology& topology) {
  const config::KumaProfile profile = topology.scenario.profile.kuma;
  const messages::Scenario& file = topology.file;
  kuma::Documents documents = kuma::read_documents(file.policies, file.resources, profile, topology.problems);
  if (!documents.empty()) {
    kuma::lint(documents,
               {.zones = topology.zones.incomplete() ? std::vector<std::string>{} : topology.zones.all(),
                .marks_unhealthy = marks_unhealthy(file, documents),
                .profile = profile},
               topology.problems);
  }
  return documents;
}

}  // namespace spillway::scenario::binding
