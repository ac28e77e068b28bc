#include "sim/scenario/pasted/kuma_destinations.hpp"

#include <fmt/format.h>
#include <utility>

#include "models/documents/node_json.hpp"
#include "sim/scenario/pasted/dataplane_zones.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr const char* display_name = "kuma.io/display-name";

Json service_document(const KumaDestination& destination, const char* kind, Json spec, const std::string& zone) {
  Json labels(destination.labels);
  labels.emplace(display_name, destination.name);
  if (!zone.empty()) {
    labels[zone_tag] = zone;
  }
  if (destination.name_space.empty()) {
    return {{"type", kind},
            {"name", destination.name},
            {"mesh", destination.mesh},
            {"labels", labels},
            {"spec", std::move(spec)}};
  }
  labels["kuma.io/mesh"] = destination.mesh;
  return {{"apiVersion", "kuma.io/v1alpha1"},
          {"kind", kind},
          {"metadata", {{"name", destination.name}, {"namespace", destination.name_space}, {"labels", labels}}},
          {"spec", std::move(spec)}};
}

// True if a reference (a targetRef or a backendRef) means a MeshService or MeshMultiZoneService, not a service by tags.
bool is_real_destination(const Json& reference) {
  const std::string kind = text_of(reference, "kind");
  if (kind != "MeshService") {
    return kind == "MeshMultiZoneService";
  }
  for (const char* const key : {"labels", "namespace", "sectionName", "port"}) {
    if (reference.contains(key)) {
      return true;
    }
  }
  return false;
}

class Collector {
 public:
  void add(const Json& document) {
    const Json& meta = document.contains("metadata") ? child(document, "metadata") : document;
    const std::string own = text_of(document, "mesh");
    const std::string of_label = text_of(child(meta, "labels"), "kuma.io/mesh");
    const KumaDestination base{.mesh = !own.empty()        ? own
                                       : !of_label.empty() ? of_label
                                                           : "default",
                               .name_space = text_of(meta, "namespace")};
    const Json& spec = child(document, "spec");
    if (kind_of_kuma(document) != "MeshMultiZoneService") {
      collect(spec, "", base);
      return;
    }
    KumaDestination& service = destination(text_of(meta, "name"), base);
    service.multi_zone = true;
    service.is_written = true;
    service.labels = labels_of(child(child(child(spec, "selector"), "meshService"), "matchLabels"));
    for (const Json& port : child(spec, "ports")) {
      service.ports.push_back(port);
    }
  }

  std::map<std::string, KumaDestination> take() { return std::move(found_); }

 private:
  KumaDestination& destination(const std::string& name, const KumaDestination& base) {
    KumaDestination& found = found_.try_emplace(name, base).first->second;
    found.name = name;
    return found;
  }

  void collect(const Json& value, const std::string& key, const KumaDestination& base) {
    for (const auto& [name, member] : value.items()) {
      if (member.is_structured()) {
        collect(member, value.is_array() ? key : name, base);
      }
    }
    const bool refers = key == "backendRefs" || key == "backendRef";
    const Json& reference = key == "to" ? child(value, "targetRef") : value;
    if (!value.is_object() || (key != "to" && !refers) || !is_real_destination(reference)) {
      return;
    }
    KumaDestination& service = destination(name_meant_by(reference), base);
    service.multi_zone = service.multi_zone || text_of(reference, "kind") == "MeshMultiZoneService";
    if (const std::string own = text_of(reference, "namespace"); !own.empty()) {
      service.name_space = own;
    }
    for (const auto& [label, text] : labels_of(child(reference, "labels"))) {
      service.labels[label] = text;
    }
    if (child(reference, "port").is_number_unsigned()) {
      service.port = child(reference, "port").get<std::uint64_t>();
    }
  }

  std::map<std::string, KumaDestination> found_;
};

}  // namespace

std::string kind_of_kuma(const Json& document) {
  return text_of(document, document.contains("type") ? "type" : "kind");
}

std::string name_meant_by(const Json& reference) {
  const std::string name = text_of(reference, "name");
  const std::string of_label = text_of(child(reference, "labels"), display_name);
  return !name.empty() ? name : !of_label.empty() ? of_label : "backend";
}

std::map<std::string, KumaDestination> real_destinations_in(const PastedDocuments& documents) {
  Collector collector;
  for (const documents::Node* const document : documents.documents()) {
    collector.add(documents::json_of(*document));
  }
  return collector.take();
}

std::string KumaDestination::called_from(const std::string& zone) const {
  if (!multi_zone) {
    return name + ".svc." + zone;
  }
  return name + ".mzsvc" + (ports.size() > 1 ? ":" + child(ports.front(), "port").dump() : "");
}

std::vector<Json> documents_of(const KumaDestination& destination, const std::map<std::string, std::size_t>& pods,
                               const std::vector<std::string>& affinity_keys, std::size_t& addresses) {
  std::vector<Json> all;
  Json ports(destination.ports);
  if (ports.empty()) {
    ports = Json::array({{{"port", destination.port}, {"name", "http"}, {"appProtocol", "http"}}});
  }
  if (destination.multi_zone && !destination.is_written) {
    Labels members = destination.labels;
    members[display_name] = destination.name;
    all.push_back(service_document(destination, "MeshMultiZoneService",
                                   {{"selector", {{"meshService", {{"matchLabels", members}}}}}, {"ports", ports}},
                                   ""));
  }
  // A MeshService has the label of its namespace from Kuma, as a selector may ask for it.
  KumaDestination member = destination;
  if (const auto own = member.labels.find("k8s.kuma.io/namespace"); own != member.labels.end()) {
    member.name_space = own->second;
  }
  for (const auto& [zone, count] : pods) {
    all.push_back(service_document(
        member, "MeshService", {{"selector", {{"dataplaneTags", {{service_tag, destination.name}}}}}, {"ports", ports}},
        zone));
    for (std::size_t number = 1; number <= count; ++number) {
      Json tags{{service_tag, destination.name}, {zone_tag, zone}, {"kuma.io/protocol", "http"}};
      for (const std::string& key : affinity_keys) {
        if (key != zone_tag) {
          tags[key] = fmt::format("{}-{}", zone, number);
        }
      }
      Json inbounds = Json::array();
      for (const Json& port : ports) {
        inbounds.push_back({{"port", child(port, "port")}, {"tags", tags}});
      }
      ++addresses;
      constexpr std::size_t in_block = 250;
      all.push_back({{"type", "Dataplane"},
                     {"name", fmt::format("{}-{}-{}", destination.name, zone, number)},
                     {"mesh", destination.mesh},
                     {"networking",
                      {{"address", fmt::format("10.{}.{}.{}", 200 + addresses / in_block / in_block,
                                               addresses / in_block % in_block, 1 + addresses % in_block)},
                       {"inbound", inbounds}}}});
    }
  }
  return all;
}

}  // namespace spillway::scenario::pasted
