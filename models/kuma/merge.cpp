#include "models/kuma/merge.hpp"

#include "models/kuma/merge_fields.hpp"

namespace spillway::kuma {

namespace {

void merge_local_zone(LocalZone& object, const LocalZone& patch) {
  replace(object.affinityTags, patch.affinityTags);
}

void merge_threshold(FailoverThreshold& object, const FailoverThreshold& patch) {
  replace(object.percentage, patch.percentage);
}

void merge_cross_zone(CrossZone& object, const CrossZone& patch) {
  replace(object.failover, patch.failover);
  merge(object.failoverThreshold, patch.failoverThreshold, merge_threshold);
}

void merge_locality_awareness(LocalityAwareness& object, const LocalityAwareness& patch) {
  replace(object.disabled, patch.disabled);
  merge(object.localZone, patch.localZone, merge_local_zone);
  merge(object.crossZone, patch.crossZone, merge_cross_zone);
}

void merge_least_request(LeastRequest& object, const LeastRequest& patch) {
  replace(object.choiceCount, patch.choiceCount);
  replace(object.activeRequestBias, patch.activeRequestBias);
}

void merge_ring_hash(RingHash& object, const RingHash& patch) {
  replace(object.hashFunction, patch.hashFunction);
  replace(object.minRingSize, patch.minRingSize);
  replace(object.maxRingSize, patch.maxRingSize);
  replace(object.hashPolicies, patch.hashPolicies);
}

void merge_maglev(Maglev& object, const Maglev& patch) {
  replace(object.tableSize, patch.tableSize);
  replace(object.hashPolicies, patch.hashPolicies);
}

void merge_load_balancer(LoadBalancer& object, const LoadBalancer& patch) {
  replace(object.type, patch.type);
  merge(object.leastRequest, patch.leastRequest, merge_least_request);
  merge(object.ringHash, patch.ringHash, merge_ring_hash);
  merge(object.maglev, patch.maglev, merge_maglev);
}

}  // namespace

void merge_patch(Conf& conf, const Conf& patch) {
  merge(conf.localityAwareness, patch.localityAwareness, merge_locality_awareness);
  merge(conf.loadBalancer, patch.loadBalancer, merge_load_balancer);
  replace(conf.hashPolicies, patch.hashPolicies);
}

}  // namespace spillway::kuma
