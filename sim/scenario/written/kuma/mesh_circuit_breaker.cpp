#include "sim/scenario/written/kuma/mesh_circuit_breaker.hpp"

namespace spillway::scenario::written {

using grammar::Flag;

void Grammar<kuma::ConnectionLimits>::describe(Fields& fields, kuma::ConnectionLimits& limits) {
  optional(fields, "maxConnections", limits.maxConnections, Uint32{}, "1024 unless given");
  optional(fields, "maxConnectionPools", limits.maxConnectionPools, Uint32{}, "no limit unless given");
  optional(fields, "maxPendingRequests", limits.maxPendingRequests, Uint32{}, "1024 unless given");
  optional(fields, "maxRetries", limits.maxRetries, Uint32{}, "3 unless given");
  optional(fields, "maxRequests", limits.maxRequests, Uint32{}, "1024 unless given");
}

void Grammar<kuma::ConsecutiveDetector>::describe(Fields& fields, kuma::ConsecutiveDetector& detector) {
  optional(fields, "consecutive", detector.consecutive, Uint32{},
           "failures in a row that eject; none does unless given");
}

void Grammar<kuma::SuccessRateDetector>::describe(Fields& fields, kuma::SuccessRateDetector& detector) {
  optional(fields, "minimumHosts", detector.minimumHosts, Uint32{}, "5 unless given");
  optional(fields, "requestVolume", detector.requestVolume, Uint32{}, "100 unless given");
  optional(fields, "standardDeviationFactor", detector.standardDeviationFactor, IntOrString{}, "1.9 unless given");
}

void Grammar<kuma::FailurePercentageDetector>::describe(Fields& fields, kuma::FailurePercentageDetector& detector) {
  optional(fields, "minimumHosts", detector.minimumHosts, Uint32{}, "5 unless given");
  optional(fields, "requestVolume", detector.requestVolume, Uint32{}, "50 unless given");
  optional(fields, "threshold", detector.threshold, Uint32{}, "85 unless given");
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
  optional(fields, "disabled", detection.disabled, Flag{}, "false unless given");
  optional(fields, "interval", detection.interval, GoDuration{}, "10s unless given");
  optional(fields, "baseEjectionTime", detection.baseEjectionTime, GoDuration{}, "30s unless given");
  optional(fields, "maxEjectionPercent", detection.maxEjectionPercent, Uint32{}, "10 unless given");
  optional(fields, "splitExternalAndLocalErrors", detection.splitExternalAndLocalErrors, Flag{},
           "whether connecting and answering are judged apart");
  optional(fields, "detectors", detection.detectors, Message<kuma::Detectors>{}, "what ejects");
  optional(fields, "healthyPanicThreshold", detection.healthyPanicThreshold, IntOrString{}, "50 unless given");
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

void Grammar<kuma::MeshCircuitBreaker>::describe(Fields& fields, kuma::MeshCircuitBreaker& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; the whole mesh unless given");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::CircuitBreakerConf>>>{.help = to_is_a_list},
           "what is set for which destinations");
  fields.without_influence({"from", "rules"});
}

}  // namespace spillway::scenario::written
