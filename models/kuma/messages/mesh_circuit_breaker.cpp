#include "models/kuma/messages/mesh_circuit_breaker.hpp"

#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

using grammar::Flag;

void Grammar<kuma::ConnectionLimits>::describe(Fields& fields, kuma::ConnectionLimits& limits) {
  optional(fields, "maxConnections", limits.maxConnections, Uint32{}, "default: 1024");
  optional(fields, "maxConnectionPools", limits.maxConnectionPools, Uint32{}, "default: no limit");
  optional(fields, "maxPendingRequests", limits.maxPendingRequests, Uint32{}, "default: 1024");
  optional(fields, "maxRetries", limits.maxRetries, Uint32{}, "default: 3");
  optional(fields, "maxRequests", limits.maxRequests, Uint32{}, "default: 1024");
}

void Grammar<kuma::ConsecutiveDetector>::describe(Fields& fields, kuma::ConsecutiveDetector& detector) {
  optional(fields, "consecutive", detector.consecutive, Uint32{}, "failures in a row that eject; default: none does");
}

void Grammar<kuma::SuccessRateDetector>::describe(Fields& fields, kuma::SuccessRateDetector& detector) {
  optional(fields, "minimumHosts", detector.minimumHosts, Uint32{}, "default: 5");
  optional(fields, "requestVolume", detector.requestVolume, Uint32{}, "default: 100");
  optional(fields, "standardDeviationFactor", detector.standardDeviationFactor, IntOrString{}, "default: 1.9");
}

void Grammar<kuma::FailurePercentageDetector>::describe(Fields& fields, kuma::FailurePercentageDetector& detector) {
  optional(fields, "minimumHosts", detector.minimumHosts, Uint32{}, "default: 5");
  optional(fields, "requestVolume", detector.requestVolume, Uint32{}, "default: 50");
  optional(fields, "threshold", detector.threshold, Uint32{}, "default: 85");
}

void Grammar<kuma::Detectors>::describe(Fields& fields, kuma::Detectors& detectors) {
  using Consecutive = Message<kuma::ConsecutiveDetector>;
  optional(fields, "totalFailures", detectors.totalFailures, Consecutive{}, "answers 5xx and failures to connect");
  optional(fields, "gatewayFailures", detectors.gatewayFailures, Consecutive{}, "answers 502, 503 and 504");
  optional(fields, "localOriginFailures", detectors.localOriginFailures, Consecutive{}, "failures to connect");
  optional(fields, "successRate", detectors.successRate, Message<kuma::SuccessRateDetector>{},
           "much worse than the others");
  optional(fields, "failurePercentage", detectors.failurePercentage, Message<kuma::FailurePercentageDetector>{},
           "too many failures");
}

void Grammar<kuma::OutlierDetection>::describe(Fields& fields, kuma::OutlierDetection& detection) {
  optional(fields, "disabled", detection.disabled, Flag{}, "default: false");
  optional(fields, "interval", detection.interval, GoDuration{}, "default: 10s");
  optional(fields, "baseEjectionTime", detection.baseEjectionTime, GoDuration{}, "default: 30s");
  optional(fields, "maxEjectionPercent", detection.maxEjectionPercent, Uint32{}, "default: 10");
  optional(fields, "splitExternalAndLocalErrors", detection.splitExternalAndLocalErrors, Flag{},
           "whether connecting and answering are judged apart");
  optional(fields, "detectors", detection.detectors, Message<kuma::Detectors>{}, "what ejects");
  optional(fields, "healthyPanicThreshold", detection.healthyPanicThreshold, IntOrString{}, "default: 50");
}

void Grammar<kuma::CircuitBreakerConf>::describe(Fields& fields, kuma::CircuitBreakerConf& conf) {
  optional(fields, "connectionLimits", conf.connectionLimits, Message<kuma::ConnectionLimits>{}, "of each client");
  optional(fields, "outlierDetection", conf.outlierDetection, Message<kuma::OutlierDetection>{},
           "when endpoints are left out for a while");
}

void Grammar<kuma::TargetedItem<kuma::CircuitBreakerConf>>::describe(
    Fields& fields, kuma::TargetedItem<kuma::CircuitBreakerConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::CircuitBreakerConf>{}, "what is set for it");
}

void Grammar<kuma::CircuitBreakerRule>::describe(Fields& fields, kuma::CircuitBreakerRule& rule) {
  optional(fields, "default", rule.default_, Message<kuma::CircuitBreakerConf>{}, "what is set for it");
}

void Grammar<MeshCircuitBreakerSpec>::describe(Fields& fields, MeshCircuitBreakerSpec& spec) {
  using Item = kuma::TargetedItem<kuma::CircuitBreakerConf>;
  optional(fields, "targetRef", spec.outbound.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", spec.outbound.to, Items<Message<Item>>{.help = to_is_a_list},
           "what is set for which destinations");
  optional(fields, "from", spec.inbound.from, Items<Message<Item>>{},
           "of requests that come in; checked; has no influence on where requests go (2.14)");
  optional(fields, "rules", spec.inbound.rules, Items<Message<kuma::CircuitBreakerRule>>{},
           "of requests that come in; checked; has no influence on where requests go");
}

}  // namespace spillway::messages
