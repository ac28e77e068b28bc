#include "sim/scenario/written/istio/shapes.hpp"

namespace spillway::scenario::written {

void Grammar<istio::Meta>::describe(Fields& fields, istio::Meta& meta) {
  optional(fields, "name", meta.name, grammar::Text{1, 253}, "of the object");
  optional(fields, "namespace", meta.name_space, grammar::Text{1, 253}, "default: default");
  optional(fields, "labels", meta.labels, TagMap{}, "of the object");
  optional(fields, "annotations", meta.annotations, TagMap{}, "networking.istio.io/traffic-distribution and others");
  fields.without_influence({"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
                            "generateName", "generation", "managedFields", "ownerReferences", "resourceVersion",
                            "selfLink", "uid"});
}

void Grammar<PortSelector>::describe(Fields& fields, PortSelector& port) {
  optional(fields, "number", port.number, Uint32{}, "of the service");
}

void Grammar<WorkloadSelector>::describe(Fields& fields, WorkloadSelector& selector) {
  optional(fields, "matchLabels", selector.labels, TagMap{}, "that a workload must have");
  optional(fields, "labels", selector.labels, TagMap{}, "that a workload must have");
  fields.at_most_one({"matchLabels", "labels"});
}

}  // namespace spillway::scenario::written
