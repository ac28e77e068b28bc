#include "sim/scenario/pasted/kuma_world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/node_json.hpp"
#include "sim/scenario/pasted/dataplane_zones.hpp"
#include "sim/scenario/pasted/first_request.hpp"
#include "sim/scenario/pasted/kuma_callers.hpp"
#include "sim/scenario/pasted/kuma_destinations.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr std::size_t endpoints_by_default = 2;
constexpr double kuma_rate_by_default = 100.0;

template <class Value>
void add_once(std::vector<Value>& list, const Value& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

bool is_kuma_document(const Json& document) {
  return document.contains("type") || text_of(document, "apiVersion").starts_with("kuma.io/");
}

// Returns the node label that an affinity key means. For a misspelled well-known label returns the right one, so that
// the lint for unknown keys reports the key.
std::string label_meant_by(const std::string& key) {
  static const std::vector<std::string> well_known = {"kubernetes.io/hostname",
                                                      "topology.kubernetes.io/zone",
                                                      "topology.kubernetes.io/region",
                                                      "k8s.io/node",
                                                      "k8s.io/az",
                                                      zone_tag};
  if (std::find(well_known.begin(), well_known.end(), key) != well_known.end()) {
    return key;
  }
  const std::string nearest = grammar::nearest(key, well_known);
  return nearest.empty() ? key : nearest;
}

class KumaWorld {
 public:
  KumaWorld(PastedDocuments& documents, const Question& question) : documents_(documents), question_(question) {}

  World make() {
    take_documents();
    choose_zones();
    choose_services();
    if (world_.problem.empty()) {
      write();
    }
    return std::move(world_);
  }

 private:
  // As documents that are applied one after the other: the last of a name in a file counts. (Two files may be the sides
  // of a difference.)
  void keep_last_of_each_name() {
    for (PastedFile& file : documents_.files) {
      std::set<std::string> names;
      std::vector<documents::Node> kept;
      for (auto node = file.documents.rbegin(); node != file.documents.rend(); ++node) {
        const Json document = documents::json_of(*node);
        const Json& meta = child(document, "metadata");
        const std::string name = document.contains("name") ? text_of(document, "name") : text_of(meta, "name");
        const bool is_new = names
                                .insert(kind_of_kuma(document) + "/" + text_of(document, "mesh") + "/" +
                                        text_of(meta, "namespace") + "/" + name)
                                .second;
        if (is_new || name.empty() || name == "pasted") {
          kept.push_back(std::move(*node));
        } else {
          file.as_written = false;
          world_.assumed.push_back("of two documents " + kind_of_kuma(document) + " `" + name + "` the last counts");
        }
      }
      file.documents.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    }
  }

  void take_documents() {
    keep_last_of_each_name();
    for (PastedFile& file : documents_.files) {
      for (const documents::Node& node : file.documents) {
        dataplanes_ = dataplanes_ || kind_of_kuma(documents::json_of(node)) == "Dataplane";
      }
    }
    if (dataplanes_) {
      put_dataplanes_into_a_zone(documents_, world_.assumed);
    } else {
      real_ = real_destinations_in(documents_);
    }
    for (PastedFile& file : documents_.files) {
      const auto gone =
          std::erase_if(file.documents, [&](const documents::Node& node) { return !keeps(documents::json_of(node)); });
      file.as_written = file.as_written && gone == 0;
    }
  }

  bool keeps(const Json& document) {
    const std::string kind = kind_of_kuma(document);
    if (!is_kuma_document(document)) {
      ++documents_.ignored[kind];
      return false;
    }
    const std::string name =
        document.contains("name") ? text_of(document, "name") : text_of(child(document, "metadata"), "name");
    const bool is_service = kind == "MeshService" || (kind == "MeshMultiZoneService" && !real_.contains(name));
    if (is_service && !dataplanes_) {
      add_once(defined_, name);
      world_.assumed.push_back(fmt::format("{} `{}` has {} endpoints in each zone: no Dataplane is given", kind, name,
                                           endpoints_by_default));
      return false;
    }
    if (kind == "MeshMultiZoneService" && !dataplanes_) {
      add_once(defined_, name);
    } else if (kind == "MeshExternalService") {
      add_once(external_, name);
    } else if (kind == "ExternalService") {
      add_once(external_, text_of(child(document, "tags"), service_tag));
    } else if (kind == "Dataplane") {
      add_dataplane(document);
    }
    collect(child(document, "spec"), "");
    collect_caller(child(child(document, "spec"), "targetRef"));
    return true;
  }

  void add_dataplane(const Json& document) {
    const Json& networking = child(child(document, "spec"), "networking").empty()
                                 ? child(document, "networking")
                                 : child(child(document, "spec"), "networking");
    const auto add_zone = [&](const Json& tags) {
      if (const std::string zone = text_of(tags, zone_tag); !zone.empty()) {
        add_once(dataplane_zones_, zone);
      }
    };
    add_zone(child(document, "labels"));
    add_zone(child(child(document, "metadata"), "labels"));
    add_zone(child(child(networking, "gateway"), "tags"));
    for (const Json& inbound : child(networking, "inbound")) {
      const Json& tags = child(inbound, "tags");
      proxies_.push_back(labels_of(tags));
      if (const std::string service = text_of(tags, service_tag); !service.empty()) {
        add_once(defined_, service);
      }
      add_zone(tags);
    }
    for (const Json& outbound : child(networking, "outbound")) {
      has_outbounds_ = has_outbounds_ || !child(outbound, "tags").empty();
    }
  }

  // Collects the names in policies: destinations, zones, affinity tags.
  void collect(const Json& value, const std::string& key) {
    if (value.is_array()) {
      for (const Json& item : value) {
        collect(item, key);
      }
      return;
    }
    if (!value.is_object()) {
      return;
    }
    if (key == "to" || key == "backendRefs" || key == "backendRef") {
      collect_target(key == "to" ? child(value, "targetRef") : value);
    }
    for (const auto& [name, member] : value.items()) {
      if (name == "zones" && member.is_array()) {
        for (const Json& zone : member) {
          add_once(zone_names_, zone.is_string() ? zone.get<std::string>() : zone.dump());
        }
      } else if (name == "affinityTags") {
        for (const Json& tag : member) {
          add_once(affinity_keys_, label_meant_by(text_of(tag, "key")));
        }
      } else {
        collect(member, name);
      }
    }
  }

  void collect_target(const Json& reference) {
    const std::string kind = text_of(reference, "kind");
    const std::string name =
        kind == "MeshService" || kind == "MeshMultiZoneService" ? name_meant_by(reference) : text_of(reference, "name");
    if (kind == "MeshServiceSubset") {
      Labels tags = labels_of(child(reference, "tags"));
      tags.erase(zone_tag);
      if (!tags.empty()) {
        add_once(subsets_[name], tags);
      }
    }
    const bool external = kind == "MeshExternalService";
    if (!name.empty() && (kind.starts_with("MeshService") || kind == "MeshMultiZoneService")) {
      add_once(named_, name);
    } else if (!name.empty() && external && std::find(external_.begin(), external_.end(), name) == external_.end()) {
      add_once(named_, name);
    }
  }

  void collect_caller(const Json& reference) {
    const std::string kind = text_of(reference, "kind");
    if (kind == "MeshService" || kind == "MeshServiceSubset") {
      caller_ = text_of(reference, "name");
    }
    for (const char* const key : {"tags", "labels"}) {
      for (const auto& [name, value] : labels_of(child(reference, key))) {
        if (name == service_tag || name == "app") {
          caller_ = caller_.empty() ? value : caller_;
        }
        if (name != zone_tag && name != service_tag) {
          caller_tags_[name] = value;
        }
      }
    }
  }

  void choose_zones() {
    if (dataplanes_) {
      zone_names_ = dataplane_zones_;  // policies may name others, in which no client can be
    }
    if (!question_.zones.empty()) {
      zone_names_.clear();
      for (const auto& [name, pods] : question_.zones) {
        add_once(zone_names_, name);
        counts_[name] = pods;
      }
    } else if (zone_names_.empty()) {
      zone_names_ = {"zone-1", "zone-2", "zone-3"};
      if (!dataplanes_) {
        world_.assumed.emplace_back("three zones: no document names others (`--zones a:2,b:2` does)");
      }
    } else if (!dataplanes_) {
      for (int number = 1; zone_names_.size() < 3; ++number) {
        add_once(zone_names_, "zone-" + std::to_string(number));
      }
      world_.assumed.push_back("zones are those that the policies name, three at least: " +
                               grammar::listed(zone_names_, "and"));
    }
  }

  void choose_services() {
    std::vector<std::string> all = named_;
    for (const auto* const list : {&defined_, &external_}) {
      for (const std::string& name : *list) {
        add_once(all, name);
      }
    }
    if (all.empty()) {
      named_.emplace_back("backend");
      all.emplace_back("backend");
      world_.assumed.emplace_back("a service `backend`: the documents name none");
    }
    for (const std::string& name : all) {
      if (question_.to.empty() || question_.to == name) {
        called_.push_back(name);
      }
      const bool exists = std::find(external_.begin(), external_.end(), name) != external_.end() ||
                          (dataplanes_ && std::find(defined_.begin(), defined_.end(), name) != defined_.end());
      if (!exists && !real_.contains(name)) {
        assumed_services_.push_back(name);
      }
    }
    const auto refuse_unknown = [&](const std::string& name) {
      world_.problem = "no service `" + name + "` is in the documents";
      world_.help = "the services are " + grammar::listed(all, "and");
    };
    if (called_.empty()) {
      refuse_unknown(question_.to);
    }
    for (const auto* const rates : {&question_.rates, &question_.capacities}) {
      for (const auto& [name, rate] : *rates) {
        if (std::find(all.begin(), all.end(), name) == all.end()) {
          refuse_unknown(name);
        }
      }
    }
    if (question_.one_client && called_.size() > 1) {
      called_.resize(1);
    }
  }

  void write() {
    std::string& text = world_.text;
    text += fmt::format("duration: {}\n", question_.counts_requests ? "60s" : "10s");
    text += question_.counts_requests ? "" : "mode: exact\n";
    text += profile_text(question_, "kuma", world_);
    if (!dataplanes_ || !assumed_services_.empty() || !real_.empty()) {
      write_zones();
    }
    if (!assumed_services_.empty()) {
      write_services();
    }
    text += "resources:\n";
    for (const PastedFile& file : documents_.files) {
      if (!file.documents.empty()) {
        text += "  - " + quoted_text(file.name) + "\n";
      }
    }
    write_real_destinations();
    if (text.ends_with("resources:\n")) {
      text += "  - { type: Mesh, name: default }\n";
    }
    write_serving();
    if (!has_outbounds_ || !question_.from.empty() || !question_.to.empty()) {
      write_clients();
    }
  }

  void write_zones() {
    world_.text += "zones:\n";
    for (const std::string& zone : zone_names_) {
      Json nodes = Json::array();
      for (std::size_t number = 1; number <= endpoints_by_default && !affinity_keys_.empty(); ++number) {
        Json node{{"name", fmt::format("{}-node-{}", zone, number)}};
        for (const std::string& key : affinity_keys_) {
          if (!key.empty() && key != zone_tag) {
            node["labels"][key] = fmt::format("{}-{}", zone, number);
          }
        }
        nodes.push_back(std::move(node));
      }
      Json made{{"name", zone}};
      if (!nodes.empty()) {
        made["nodes"] = std::move(nodes);
      }
      world_.text += "  - " + made.dump() + "\n";
    }
    if (!affinity_keys_.empty()) {
      world_.assumed.push_back("two nodes in each zone, which differ in " + grammar::listed(affinity_keys_, "and"));
    }
  }

  [[nodiscard]] std::size_t pods_in(const std::string& zone) const {
    const auto count = counts_.find(zone);
    return count == counts_.end() || count->second == 0 ? endpoints_by_default : count->second;
  }

  void write_real_destinations() {
    std::map<std::string, std::size_t> pods;
    for (const std::string& zone : zone_names_) {
      pods[zone] = pods_in(zone);
    }
    std::size_t addresses = 0;
    for (const auto& [name, destination] : real_) {
      for (const Json& document : documents_of(destination, pods, affinity_keys_, addresses)) {
        world_.text += "  - " + document.dump() + "\n";
      }
      const char* const kind = !destination.multi_zone  ? ""
                               : destination.is_written ? " of the MeshMultiZoneService"
                                                        : " of a MeshMultiZoneService";
      world_.assumed.push_back(fmt::format("a MeshService `{}`{} with {} in each zone: no Dataplane is given", name,
                                           kind,
                                           counts_.empty() ? fmt::format("{} Dataplanes", endpoints_by_default)
                                                           : std::string("the Dataplanes that `--zones` says")));
    }
  }

  void write_services() {
    world_.text += "services:\n";
    for (const std::string& name : assumed_services_) {
      Json groups = Json::array();
      const auto subsets = subsets_.find(name);
      for (const Labels& tags : subsets == subsets_.end() ? std::vector<Labels>(1) : subsets->second) {
        for (const std::string& zone : zone_names_) {
          Json group{{"count", pods_in(zone)}, {"zone", zone}};
          if (!tags.empty()) {
            group["tags"] = tags;
          }
          groups.push_back(std::move(group));
        }
      }
      if (subsets != subsets_.end()) {
        world_.assumed.push_back(
            fmt::format("the endpoints of `{}` have the tags of its subsets, as many of each", name));
      }
      world_.text += "  - " + Json{{"name", name}, {"endpoints", groups}}.dump() + "\n";
    }
    world_.assumed.push_back(fmt::format("{} in each zone of {}",
                                         counts_.empty() ? fmt::format("{} endpoints", endpoints_by_default)
                                                         : std::string("endpoints as `--zones` says"),
                                         grammar::listed(assumed_services_, "and")));
  }

  void write_serving() {
    std::string lines;
    for (const auto& [service, capacity] : question_.capacities) {
      lines += fmt::format("  - {{ service: {}, capacity: {}rps }}\n", quoted_text(service), number_text(capacity));
    }
    world_.text += lines.empty() ? "" : "serving:\n" + lines;
  }

  void write_clients() {
    std::vector<KumaCallers> all = kuma_callers(proxies_, zone_names_, question_.from);
    const bool from_zone = std::find(zone_names_.begin(), zone_names_.end(), question_.from) != zone_names_.end();
    const std::string from = from_zone ? std::string() : question_.from;
    const std::string caller = !from.empty() ? from : caller_.empty() ? "client" : caller_;
    if (question_.one_client && all.size() > 1) {
      all.resize(1);
      world_.assumed.push_back("asked from " + all.front().zone +
                               ": `--from` names another zone, `--to` another service");
    }
    std::size_t proxies = 0;
    for (const KumaCallers& one : all) {
      proxies += one.count;
    }
    world_.text += "clients:\n";
    for (const std::string& service : called_) {
      world_.services.push_back(service);
      const FirstRequest request = first_request_of_kuma(documents_, service);
      if (!request.empty()) {
        world_.assumed.push_back("requests" + request.in_words() + ", as the first route to `" + service + "` matches");
      }
      std::set<std::string> names;
      for (const KumaCallers& one : all) {
        const bool plain = all.size() == 1 && called_.size() == 1 && !from_zone;
        std::string name = plain ? caller : caller + "-" + one.zone;
        for (int number = 2; !names.insert(name).second; ++number) {
          name = fmt::format("{}-{}-{}", caller, one.zone, number);
        }
        Json client{{"name", name + (called_.size() > 1 ? " to " + service : "")}, {"zone", one.zone}};
        if (one.count > 1) {
          client["count"] = one.count;
        }
        if (caller != "client" && !plain) {
          client["tags"][service_tag] = caller;
        }
        for (const auto& [key, value] : caller_tags_) {
          client["tags"][key] = value;
        }
        for (const auto& [key, value] : one.tags) {
          client["tags"][key] = value;
        }
        const auto real = real_.find(service);
        const std::string asked = real == real_.end() ? service : real->second.called_from(one.zone);
        client["workload"] = Json{{"service", asked}, {"rate", number_text(rate_of(service, proxies)) + "rps"}};
        request.write_into(client["workload"]);
        world_.text += "  - " + client.dump() + "\n";
      }
    }
    if (!question_.one_client) {
      world_.assumed.push_back(fmt::format("a client `{}` in each zone{} calls {}", caller,
                                           caller_tags_.empty() ? "" : ", with the tags that policies select by",
                                           grammar::listed(called_, "and")));
    }
    if (!question_.rate && question_.rates.empty()) {
      world_.assumed.push_back(
          fmt::format("{} requests per second of each client: `--rate` says how many", kuma_rate_by_default));
    }
  }

  [[nodiscard]] double rate_of(const std::string& service, std::size_t clients) const {
    const auto own = question_.rates.find(service);
    if (own != question_.rates.end()) {
      return own->second / static_cast<double>(clients);
    }
    return question_.rate ? *question_.rate / static_cast<double>(clients * called_.size()) : kuma_rate_by_default;
  }

  PastedDocuments& documents_;
  const Question& question_;
  World world_;
  bool dataplanes_ = false;
  bool has_outbounds_ = false;
  std::vector<std::string> zone_names_;
  std::vector<std::string> dataplane_zones_;
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> named_;    // by policies
  std::vector<std::string> defined_;  // by Dataplanes and MeshServices
  std::vector<std::string> external_;
  std::map<std::string, KumaDestination> real_;         // MeshServices and MeshMultiZoneServices, by name
  std::map<std::string, std::vector<Labels>> subsets_;  // tags by which references select endpoints, by service
  std::vector<std::string> called_;
  std::vector<std::string> assumed_services_;
  std::vector<std::string> affinity_keys_;
  std::string caller_;
  Labels caller_tags_;
  std::vector<Labels> proxies_;  // tags of the inbounds of Dataplanes
};

}  // namespace

World kuma_world(PastedDocuments& documents, const Question& question) {
  return KumaWorld(documents, question).make();
}

}  // namespace spillway::scenario::pasted
