#include "sim/scenario/pasted/assumed_pods.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "models/istio/names.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr std::size_t pods_by_default = 2;  // in each zone

std::string zones_text(const std::vector<AssumedZone>& zones) {
  return fmt::format("{} zone{}", zones.size(), zones.size() == 1 ? "" : "s");
}

}  // namespace

std::string AssumedPods::zone_of(const std::string& node) const {
  for (const AssumedZone& zone : zones_) {
    if (std::find(zone.nodes.begin(), zone.nodes.end(), node) != zone.nodes.end()) {
      return zone.name;
    }
  }
  return "";
}

void AssumedPods::add_nodes() {
  const auto add = [&](const AssumedZone& zone, const std::string& node) {
    Json labels{{istio::region_label, zone.region}, {istio::zone_label, zone.name}};
    if (!zone.sub_zone.empty()) {
      labels[istio::subzone_label] = zone.sub_zone;
    }
    labels[istio::hostname_label] = node;
    resources_.push_back({{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", node}, {"labels", labels}}}});
  };
  std::set<std::string> unknown;
  for (const PastedPod& pod : inventory_.pods) {
    if (!pod.node.empty() && !inventory_.zone_of_node.contains(pod.node)) {
      unknown.insert(pod.node);
    }
  }
  std::map<std::string, std::string> named;  // zones of nodes, by EndpointSlices
  for (const PastedSlice& slice : inventory_.slices) {
    for (const Json& endpoint : child(slice.document, "endpoints")) {
      named[text_of(endpoint, "nodeName")] = text_of(endpoint, "zone");
    }
  }
  std::size_t turn = 0;
  for (const std::string& node : unknown) {
    const auto found =
        std::find_if(zones_.begin(), zones_.end(), [&](const AssumedZone& one) { return one.name == named[node]; });
    AssumedZone& zone = found != zones_.end() ? *found : zones_[turn++ % zones_.size()];
    zone.nodes.push_back(node);
    add(zone, node);
  }
  if (turn > 0) {
    assumed_.push_back(fmt::format("{} node{} of pods without a Node document, spread over {}", turn,
                                   turn == 1 ? "" : "s", zones_text(zones_)));
  }
  std::set<std::string> names;
  for (AssumedZone& zone : zones_) {
    if (zone.nodes.empty()) {
      std::string node = "node-" + zone.name + (zone.sub_zone.empty() ? "" : "-" + zone.sub_zone);
      if (!names.insert(node).second) {
        node += "-";
        node += zone.region;
      }
      zone.nodes.push_back(node);
      add(zone, node);
    }
  }
}

PastedPod& AssumedPods::add_pod(const std::string& name, const std::string& name_space, const Labels& labels,
                                const std::string& node, std::string address) {
  constexpr std::size_t in_block = 250;
  if (address.empty()) {
    address = fmt::format("10.{}.{}.{}", 200 + addresses_ / in_block / in_block, addresses_ / in_block % in_block,
                          1 + addresses_ % in_block);
    ++addresses_;
  }
  Json metadata{{"name", name}, {"namespace", name_space}};
  if (!labels.empty()) {
    metadata["labels"] = labels;
  }
  resources_.push_back({{"apiVersion", "v1"},
                        {"kind", "Pod"},
                        {"metadata", std::move(metadata)},
                        {"spec", {{"nodeName", node}}},
                        {"status", {{"podIP", address}}}});
  inventory_.pods.push_back({name, name_space, labels, node, address});
  return inventory_.pods.back();
}

void AssumedPods::take_endpoints_objects() {
  for (const Json& object : inventory_.endpoints) {
    Json slice{{"apiVersion", "discovery.k8s.io/v1"},
               {"kind", "EndpointSlice"},
               {"metadata",
                {{"name", text_of(child(object, "metadata"), "name") + "-endpoints"},
                 {"namespace", namespace_of(object)},
                 {"labels", {{istio::service_name_label, text_of(child(object, "metadata"), "name")}}}}},
               {"addressType", "IPv4"},
               {"ports", Json::array()},
               {"endpoints", Json::array()}};
    for (const Json& subset : child(object, "subsets")) {
      for (const Json& port : child(subset, "ports")) {
        slice["ports"].push_back({{"name", text_of(port, "name")}, {"port", child(port, "port")}});
      }
      for (const auto& [key, ready] : {std::pair{"addresses", true}, std::pair{"notReadyAddresses", false}}) {
        for (const Json& address : child(subset, key)) {
          Json endpoint{{"addresses", {text_of(address, "ip")}}, {"conditions", {{"ready", ready}}}};
          if (child(address, "targetRef").is_object() && !child(address, "targetRef").empty()) {
            endpoint["targetRef"] = child(address, "targetRef");
          }
          if (child(address, "nodeName").is_string()) {
            endpoint["nodeName"] = child(address, "nodeName");
          }
          slice["endpoints"].push_back(std::move(endpoint));
        }
      }
    }
    const std::string name = text_of(child(object, "metadata"), "name");
    const bool known = std::any_of(inventory_.slices.begin(), inventory_.slices.end(), [&](const PastedSlice& one) {
      return one.service == name && one.name_space == namespace_of(object);
    });
    if (!known && !slice["endpoints"].empty()) {
      inventory_.slices.push_back({name, namespace_of(object), slice});
      resources_.push_back(std::move(slice));
    }
  }
}

// Adds the pods that slices name and that the documents lack.
void AssumedPods::add_pods_of_slices() {
  std::size_t added = 0;
  for (const PastedSlice& slice : inventory_.slices) {
    const auto service = std::find_if(inventory_.services.begin(), inventory_.services.end(), [&](const auto& one) {
      return one.name == slice.service && one.name_space == slice.name_space;
    });
    if (service == inventory_.services.end()) {
      continue;
    }
    service->has_endpoints = service->has_endpoints || !child(slice.document, "endpoints").empty();
    for (const Json& endpoint : child(slice.document, "endpoints")) {
      const std::string pod = text_of(child(endpoint, "targetRef"), "name");
      const auto known = std::find_if(inventory_.pods.begin(), inventory_.pods.end(), [&](const PastedPod& one) {
        return one.name == pod && one.name_space == slice.name_space;
      });
      std::string node = known != inventory_.pods.end() ? known->node : text_of(endpoint, "nodeName");
      if (!pod.empty() && known == inventory_.pods.end() && !child(endpoint, "addresses").empty()) {
        const std::string named = text_of(endpoint, "zone");
        const auto zone =
            std::find_if(zones_.begin(), zones_.end(), [&](const auto& one) { return one.name == named; });
        node = !zone_of(node).empty() ? node
               : zone != zones_.end() ? zone->nodes.front()
                                      : zones_[added % zones_.size()].nodes.front();
        add_pod(pod, slice.name_space, service->selector, node,
                child(endpoint, "addresses").front().get<std::string>());
        ++added;
      }
      ++counts_[service->host][zone_of(node)];
    }
  }
  if (added > 0) {
    assumed_.push_back(
        fmt::format("{} pod{} that EndpointSlices name and that are not given, with the labels of the "
                    "Service's selector",
                    added, added == 1 ? "" : "s"));
  }
}

// Returns the zone of a pod by its number: the zones in turn, in proportion to the numbers of pods wanted in them.
std::size_t AssumedPods::zone_in_turn(std::size_t pod) const {
  std::size_t total = 0;
  for (const AssumedZone& zone : zones_) {
    total += zone.pods;
  }
  if (total == 0) {
    return pod % zones_.size();
  }
  std::size_t rest = pod % total;
  for (std::size_t round = 0;; ++round) {
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      if (zones_[zone].pods > round && rest-- == 0) {
        return zone;
      }
    }
  }
}

void AssumedPods::add_pods_of_workloads() {
  std::vector<PastedPod> given = inventory_.pods;
  std::map<std::string, std::size_t> of_kind;
  std::size_t pods = 0;
  std::vector<std::string> without_replicas;
  for (const PastedWorkload& workload : inventory_.workloads) {
    const bool known = std::any_of(given.begin(), given.end(), [&](const PastedPod& pod) {
      return pod.name_space == workload.name_space && !workload.labels.empty() && has_all(pod.labels, workload.labels);
    });
    if (known) {
      continue;
    }
    std::size_t replicas = workload.replicas;
    for (const Autoscaler& scaler : inventory_.autoscalers) {
      if (scaler.least && scaler.target == workload.name && scaler.name_space == workload.name_space) {
        replicas = workload.replicas_said ? std::max(replicas, *scaler.least) : *scaler.least;
      }
    }
    if (workload.kind == "DaemonSet") {
      replicas = zones_.size();
    }
    const auto service = std::find_if(inventory_.services.begin(), inventory_.services.end(), [&](const auto& one) {
      return one.name_space == workload.name_space && !one.selector.empty() && has_all(workload.labels, one.selector);
    });
    std::size_t& turn = turn_[service == inventory_.services.end() ? workload.name : service->host];
    const auto own_zone =
        std::find_if(zones_.begin(), zones_.end(), [&](const AssumedZone& zone) { return zone.name == workload.zone; });
    if (!workload.zone.empty()) {
      assumed_.push_back(own_zone != zones_.end()
                             ? "pods of `" + workload.name + "` are in " + workload.zone + ", as its node selector says"
                             : "`" + workload.name + "` is for nodes of " + workload.zone +
                                   ", which is none of the zones: its pods are in all");
    }
    for (std::size_t replica = 0; replica < replicas; ++replica) {
      const AssumedZone& zone = own_zone != zones_.end() ? *own_zone : zones_[zone_in_turn(turn)];
      const std::string name =
          workload.kind == "Pod" ? workload.name : fmt::format("{}-{}", workload.name, replica + 1);
      add_pod(name, workload.name_space, workload.labels, zone.nodes[turn / zones_.size() % zone.nodes.size()]);
      if (workload.kind != "Pod") {
        resources_.back()["metadata"]["ownerReferences"] = {{{"kind", workload.kind}, {"name", workload.name}}};
      }
      ++turn;
      ++pods;
    }
    ++of_kind[workload.kind];
  }
  if (pods > 0) {
    std::string kinds;
    for (const auto& [kind, count] : of_kind) {
      kinds += fmt::format("{}{} {}{}", kinds.empty() ? "" : ", ", count, kind, count == 1 ? "" : "s");
    }
    assumed_.push_back(fmt::format("{} pod{} of {}, spread over {} one after the other", pods, pods == 1 ? "" : "s",
                                   kinds, zones_text(zones_)));
  }
}

// Returns the labels of the subsets that rules name for a service.
std::vector<Labels> AssumedPods::subsets_of(const PastedService& service) const {
  std::vector<Labels> subsets;
  for (const Json& rule : inventory_.rules) {
    if (istio::resolve_short_name(text_of(child(rule, "spec"), "host"), namespace_of(rule)) != service.host) {
      continue;
    }
    for (const Json& subset : child(child(rule, "spec"), "subsets")) {
      Labels labels = labels_of(child(subset, "labels"));
      if (std::find(subsets.begin(), subsets.end(), labels) == subsets.end() && !labels.empty()) {
        subsets.push_back(std::move(labels));
      }
    }
  }
  return subsets;
}

void AssumedPods::add_pods_by_default(const PastedService& service) {
  std::vector<Labels> kinds = subsets_of(service);
  const std::size_t subsets = kinds.size();
  if (kinds.empty()) {
    kinds.emplace_back();
  }
  std::size_t number = 0;
  for (const Labels& of_subset : kinds) {
    Labels labels = service.selector;
    for (const auto& [key, value] : of_subset) {
      labels[key] = value;
    }
    for (const AssumedZone& zone : zones_) {
      for (std::size_t pod = 0; pod < (zone.pods == 0 ? pods_by_default : zone.pods); ++pod) {
        add_pod(fmt::format("{}-{}", service.name, ++number), service.name_space, labels,
                zone.nodes[pod % zone.nodes.size()]);
      }
    }
  }
  const bool asked = std::any_of(zones_.begin(), zones_.end(), [](const AssumedZone& zone) { return zone.pods > 0; });
  assumed_.push_back(
      fmt::format("{} pods of `{}` {}{}: no document has any", number, service.name,
                  asked ? "as `--zones` says" : fmt::format("({} in each of {}", pods_by_default, zones_text(zones_)),
                  asked ? "" : (subsets > 1 ? fmt::format(", of each of {} subsets)", subsets) : std::string(")"))));
}

void AssumedPods::add_slice(const PastedService& service) {
  Json slice{{"apiVersion", "discovery.k8s.io/v1"},
             {"kind", "EndpointSlice"},
             {"metadata",
              {{"name", service.name + "-assumed"},
               {"namespace", service.name_space},
               {"labels", {{istio::service_name_label, service.name}}}}},
             {"addressType", "IPv4"},
             {"ports", Json::array()},
             {"endpoints", Json::array()}};
  for (const PastedPort& port : service.ports) {
    Json made{{"port", port.target}};
    if (!port.name.empty()) {
      made["name"] = port.name;
    }
    slice["ports"].push_back(std::move(made));
  }
  for (const PastedPod& pod : inventory_.pods) {
    if (pod.name_space == service.name_space && has_all(pod.labels, service.selector)) {
      slice["endpoints"].push_back(
          {{"addresses", {pod.address}},
           {"conditions", {{"ready", true}}},
           {"targetRef", {{"kind", "Pod"}, {"name", pod.name}, {"namespace", pod.name_space}}}});
      ++counts_[service.host][zone_of(pod.node)];
    }
  }
  resources_.push_back(std::move(slice));
}

void AssumedPods::add_endpoints() {
  std::string left_out;
  for (const auto& [why, count] : inventory_.pods_left_out) {
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", count, why);
  }
  if (!left_out.empty()) {
    assumed_.push_back("pods that get no requests are left out: " + left_out);
  }
  take_endpoints_objects();
  add_pods_of_slices();
  add_pods_of_workloads();
  for (PastedService& service : inventory_.services) {
    if (service.is_entry || service.has_endpoints || service.selector.empty() || !service.callable) {
      continue;
    }
    const bool selects = std::any_of(inventory_.pods.begin(), inventory_.pods.end(), [&](const PastedPod& pod) {
      return pod.name_space == service.name_space && has_all(pod.labels, service.selector);
    });
    if (!selects) {
      add_pods_by_default(service);
    }
    add_slice(service);
    service.has_endpoints = true;
  }
}

}  // namespace spillway::scenario::pasted
