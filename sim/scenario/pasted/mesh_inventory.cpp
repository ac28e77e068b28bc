#include "sim/scenario/pasted/mesh_inventory.hpp"

#include <algorithm>
#include <utility>

#include "models/documents/node_json.hpp"
#include "models/istio/names.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

std::uint64_t number_of(const Json& value, std::uint64_t otherwise) {
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : otherwise;
}

PastedService service_from(const Json& document) {
  const Json& spec = child(document, "spec");
  PastedService service{.name = text_of(child(document, "metadata"), "name"), .name_space = namespace_of(document)};
  service.host = istio::resolve_short_name(service.name, service.name_space);
  service.selector = labels_of(child(spec, "selector"));
  service.is_headless = text_of(spec, "clusterIP") == "None";
  service.callable = !service.is_headless && text_of(spec, "type") != "ExternalName";
  for (const Json& port : child(spec, "ports")) {
    if (text_of(port, "protocol") != "UDP") {
      const std::uint64_t number = number_of(child(port, "port"), 80);
      service.ports.push_back({text_of(port, "name"), number, number_of(child(port, "targetPort"), number)});
    }
  }
  service.callable = service.callable && !service.ports.empty();
  const std::string mode =
      text_of(child(child(document, "metadata"), "annotations"), "service.kubernetes.io/topology-mode");
  service.zone_preference = !text_of(spec, "trafficDistribution").empty() ? 1
                            : mode == "Auto" || mode == "auto"            ? 3
                                                                          : 0;
  return service;
}

// Returns the only zone in which the pods of this template may run; empty if there is none.
std::string zone_of_template(const Json& spec) {
  if (const std::string zone = text_of(child(spec, "nodeSelector"), istio::zone_label); !zone.empty()) {
    return zone;
  }
  const Json& required =
      child(child(child(spec, "affinity"), "nodeAffinity"), "requiredDuringSchedulingIgnoredDuringExecution");
  const Json& terms = child(required, "nodeSelectorTerms");
  for (const Json& expression : terms.size() == 1 ? child(terms.front(), "matchExpressions") : Json::array()) {
    const Json& values = child(expression, "values");
    if (text_of(expression, "key") == istio::zone_label && text_of(expression, "operator") == "In" &&
        values.size() == 1 && values.front().is_string()) {
      return values.front().get<std::string>();
    }
  }
  return "";
}

PastedWorkload workload_from(const Json& document, const std::string& kind) {
  const Json& spec = child(document, "spec");
  PastedWorkload workload{.kind = kind,
                          .name = text_of(child(document, "metadata"), "name"),
                          .name_space = namespace_of(document),
                          .labels = labels_of(child(child(child(spec, "template"), "metadata"), "labels"))};
  workload.replicas_said = child(spec, "replicas").is_number_unsigned();
  workload.replicas = number_of(child(spec, "replicas"), 1);
  workload.zone = zone_of_template(child(child(spec, "template"), "spec"));
  return workload;
}

// Returns the percentage of the canary at the step of a Rollout.
std::size_t canary_percent(const Json& rollout) {
  const Json& steps = child(child(child(child(rollout, "spec"), "strategy"), "canary"), "steps");
  const std::uint64_t now = number_of(child(child(rollout, "status"), "currentStepIndex"), 0);
  std::size_t weight = 0;
  for (std::size_t step = 0; step < steps.size() && step <= now; ++step) {
    weight = number_of(child(steps[step], "setWeight"), weight);
  }
  const Json& written = child(child(child(child(rollout, "status"), "canary"), "weights"), "canary");
  return number_of(child(written, "weight"), weight);
}

// Returns the ReplicaSets of a Rollout in the midst of an update: all pods of the stable one (fewer without a traffic
// router), and the canary's part, rounded up. Source: Argo Rollouts, utils/replicaset/canary.go.
std::vector<PastedWorkload> replica_sets_of(const Json& rollout) {
  constexpr const char* hash_label = "rollouts-pod-template-hash";
  constexpr std::size_t hundred = 100;
  const PastedWorkload whole = workload_from(rollout, "ReplicaSet");
  const std::string stable = text_of(child(rollout, "status"), "stableRS");
  const std::string current = text_of(child(rollout, "status"), "currentPodHash");
  if (stable.empty()) {
    return {workload_from(rollout, "Rollout")};
  }
  std::vector<PastedWorkload> sets;
  const auto add = [&](const std::string& hash, std::size_t replicas) {
    PastedWorkload& set = sets.emplace_back(whole);
    set.name += "-" + hash;
    set.labels[hash_label] = hash;
    set.replicas = replicas;
  };
  const bool updates = !current.empty() && current != stable;
  const std::size_t weight = updates ? std::min(canary_percent(rollout), hundred) : 0;
  const std::size_t canary = (whole.replicas * weight + hundred - 1) / hundred;
  const bool routed = !child(child(child(child(rollout, "spec"), "strategy"), "canary"), "trafficRouting").empty();
  add(stable, routed ? whole.replicas : whole.replicas - canary);
  if (updates) {
    add(current, canary);
  }
  return sets;
}

Autoscaler autoscaler_from(const Json& document) {
  const Json& spec = child(document, "spec");
  Autoscaler scaler{.target = text_of(child(spec, "scaleTargetRef"), "name"), .name_space = namespace_of(document)};
  if (child(spec, "minReplicas").is_number_unsigned()) {
    scaler.least = child(spec, "minReplicas").get<std::size_t>();
  }
  if (child(spec, "targetCPUUtilizationPercentage").is_number()) {
    scaler.utilization = child(spec, "targetCPUUtilizationPercentage").get<double>();
  }
  for (const Json& metric : child(spec, "metrics")) {
    const Json& aimed = child(child(child(metric, "resource"), "target"), "averageUtilization");
    if (aimed.is_number()) {
      scaler.utilization = aimed.get<double>();
    }
  }
  return scaler;
}

class Inventory {
 public:
  explicit Inventory(PastedDocuments& documents) : documents_(documents) {}

  MeshInventory take() {
    for (PastedFile& file : documents_.files) {
      std::erase_if(file.documents, [&](documents::Node& document) {
        const bool gone = !keeps(document);
        file.as_written = file.as_written && (!gone || is_harmless_);
        return gone;
      });
    }
    return std::move(found_);
  }

 private:
  // Records a document. Returns false if a scenario does not use it.
  bool keeps(const documents::Node& node) {
    is_harmless_ = false;
    const std::string kind = text_below(node, {"kind"});
    const Json document = documents::json_of(node);
    const std::string name = text_of(child(document, "metadata"), "name");
    if (kind == "Service") {
      found_.services.push_back(service_from(document));
    } else if (kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet" || kind == "ReplicaSet" ||
               kind == "Rollout") {
      is_harmless_ = kind != "Rollout";
      if (child(child(document, "metadata"), "ownerReferences").empty()) {
        for (PastedWorkload& workload :
             kind == "Rollout" ? replica_sets_of(document) : std::vector{workload_from(document, kind)}) {
          found_.workloads.push_back(std::move(workload));
        }
      }
      return false;
    } else if (kind == "HorizontalPodAutoscaler") {
      is_harmless_ = true;
      found_.autoscalers.push_back(autoscaler_from(document));
      return false;
    } else if (kind == "Pod") {
      return add_pod(document);
    } else if (kind == "Node") {
      add_node(document, name);
    } else if (kind == "Namespace") {
      found_.ambient = found_.ambient ||
                       text_of(child(child(document, "metadata"), "labels"), "istio.io/dataplane-mode") == "ambient";
      return text_of(child(child(document, "metadata"), "labels"), "istio.io/dataplane-mode") != "ambient";
    } else if (kind == "EndpointSlice") {
      const std::string service = text_of(child(child(document, "metadata"), "labels"), istio::service_name_label);
      found_.slices.push_back({service, namespace_of(document), document});
    } else if (kind == "Endpoints") {
      found_.endpoints.push_back(document);
      return false;
    } else if (kind == "ServiceEntry") {
      add_entry(document);
      found_.others.push_back(document);
    } else if (kind == "DestinationRule") {
      found_.rules.push_back(document);
    } else if (kind == "VirtualService") {
      found_.routes.push_back(document);
    } else if (kind == "HTTPRoute" || kind == "GRPCRoute") {
      found_.gateway_routes.push_back(document);
      return false;
    } else if (kind == "Gateway") {
      is_harmless_ = text_of(document, "apiVersion").find("istio.io") != std::string::npos;
      return false;
    } else if (kind == "BackendTrafficPolicy") {
      found_.traffic_policies.push_back(node);
      return false;
    } else if (kind == "Backend") {
      found_.backends.push_back(document);
      return false;
    } else {
      found_.others.push_back(document);
    }
    return true;
  }

  bool add_pod(const Json& document) {
    const Json& spec = child(document, "spec");
    const Json& status = child(document, "status");
    const std::string phase = text_of(status, "phase");
    PastedPod pod{.name = text_of(child(document, "metadata"), "name"),
                  .name_space = namespace_of(document),
                  .labels = labels_of(child(child(document, "metadata"), "labels")),
                  .node = text_of(spec, "nodeName"),
                  .address = text_of(status, "podIP")};
    // A pod that is deleted is terminating, and leaves the slices at once.
    const bool is_deleted = child(document, "metadata").contains("deletionTimestamp");
    if (is_deleted || phase == "Succeeded" || phase == "Failed" || phase == "Pending") {
      ++found_.pods_left_out[is_deleted ? "terminating" : phase];
      return false;
    }
    // The pod comes from a manifest, not from a cluster: it gets a node and an address.
    if (pod.address.empty()) {
      found_.workloads.push_back({.kind = "Pod", .name = pod.name, .name_space = pod.name_space, .labels = pod.labels});
      return false;
    }
    found_.pods.push_back(std::move(pod));
    return true;
  }

  void add_node(const Json& document, const std::string& name) {
    const Labels labels = labels_of(child(child(document, "metadata"), "labels"));
    const auto label = [&](const char* one, const char* former) {
      const auto found = labels.find(one);
      const auto old = labels.find(former);
      return found != labels.end() ? found->second : old != labels.end() ? old->second : std::string();
    };
    const std::string zone = label(istio::zone_label, istio::old_zone_label);
    const std::string region = label(istio::region_label, istio::old_region_label);
    found_.zone_of_node[name] = zone;
    const auto known = std::find_if(found_.zones.begin(), found_.zones.end(),
                                    [&](const AssumedZone& one) { return one.name == zone && one.region == region; });
    if (known != found_.zones.end()) {
      known->nodes.push_back(name);
    } else {
      found_.zones.push_back({.name = zone, .region = region, .nodes = {name}});
    }
  }

  void add_entry(const Json& document) {
    const Json& spec = child(document, "spec");
    for (const Json& host : child(spec, "hosts")) {
      if (!host.is_string()) {
        continue;
      }
      PastedService service{.name = host.get<std::string>(), .name_space = namespace_of(document)};
      service.host = service.name;
      service.is_entry = true;
      service.has_endpoints = true;
      const std::string resolution = text_of(spec, "resolution");
      service.callable = service.host.find('*') == std::string::npos && !resolution.empty() && resolution != "NONE";
      for (const Json& port : child(spec, "ports")) {
        service.ports.push_back({text_of(port, "name"), number_of(child(port, "number"), 80), 0});
      }
      found_.services.push_back(std::move(service));
    }
  }

  PastedDocuments& documents_;
  MeshInventory found_;
  bool is_harmless_ = false;
};

}  // namespace

MeshInventory take_inventory(PastedDocuments& documents) {
  return Inventory(documents).take();
}

Labels labels_of(const Json& object) {
  Labels labels;
  if (object.is_object()) {
    for (const auto& [key, value] : object.items()) {
      labels[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return labels;
}

bool has_all(const Labels& labels, const Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    const auto found = labels.find(one.first);
    return found != labels.end() && found->second == one.second;
  });
}

std::string namespace_of(const Json& document) {
  const std::string name = text_of(child(document, "metadata"), "namespace");
  return name.empty() ? "default" : name;
}

std::string text_of(const Json& object, const char* key) {
  const Json& value = child(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

const Json& child(const Json& object, const char* key) {
  static const Json nothing = Json::object();
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

}  // namespace spillway::scenario::pasted
