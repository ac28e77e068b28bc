#include "reports/import/import.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "models/documents/node_edit.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/metadata.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/routes/address.hpp"
#include "reports/import/groups.hpp"
#include "reports/import/requests.hpp"
#include "reports/import/settings.hpp"
#include "reports/import/yaml_text.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::importing {
namespace {

using documents::make_node;
using documents::make_object;
using documents::Node;

class Importer {
 public:
  explicit Importer(const Input& input) : input_(&input) {}

  Imported all() {
    for (std::size_t proxy = 0; proxy < input_->proxies.size(); ++proxy) {
      for (const scenario::Scenario* const world : input_->proxies[proxy].clusters) {
        add_locality(scenario::locality_of(*world, world->clients.front().node));
        for (const scenario::Service& service : world->services) {
          add_service(proxy, service);
        }
      }
    }
    std::string text = head() + "zones:\n" + zones_text() + "services:\n";
    for (const Imitated& service : services_) {
      text += service_text(service);
    }
    const Names names{
        .service = [this](std::size_t proxy, const std::string& cluster) { return names_.at({proxy, cluster}); },
        .add_place = [this](Node& node, const config::Locality& locality) { add_place(node, locality); }};
    const RequestTexts requests(*input_, names);
    text += cluster_texts() + assignment_texts() + requests.routes() + local_cluster_text() +
            runtime_text(first_world().runtime);
    text += requests.clients() + timeline_text();
    findings_.insert(findings_.end(), requests.findings().begin(), requests.findings().end());
    return {std::move(text), std::move(findings_)};
  }

 private:
  void add_locality(const config::Locality& locality) {
    const std::pair<std::string, std::string> zone{locality.region, locality.zone};
    if (std::find(zones_.begin(), zones_.end(), zone) == zones_.end()) {
      zones_.push_back(zone);
    }
    std::vector<std::string>& sub_zones = sub_zones_[zone];
    if (std::find(sub_zones.begin(), sub_zones.end(), locality.sub_zone) == sub_zones.end()) {
      sub_zones.push_back(locality.sub_zone);
    }
  }

  // A cluster that becomes a service.
  struct Imitated {
    std::string name;
    const scenario::Service* of;
    std::string reported;  // its whole configuration, for comparison
  };

  [[nodiscard]] const scenario::Scenario& first_world() const { return *input_->proxies.front().clusters.front(); }

  void add_service(std::size_t proxy, const scenario::Service& service) {
    if (names_.contains({proxy, service.name})) {
      return;
    }
    for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
      add_locality(entry.locality);
    }
    const std::string reported = everything_reported(service);
    std::size_t variants = 0;
    for (const Imitated& known : services_) {
      if (known.of->name != service.name) {
        continue;
      }
      if (known.reported == reported) {
        names_.emplace(std::pair(proxy, service.name), known.name);
        return;
      }
      ++variants;
    }
    const std::string own = variants == 0 ? service.name : fmt::format("{} of {}", service.name, proxy_name(proxy));
    if (variants > 0) {
      findings_.push_back(fmt::format(
          "cluster {}: {} has another configuration than the proxies before it; here it is the service `{}`",
          service.name, proxy_name(proxy), own));
    }
    names_.emplace(std::pair(proxy, service.name), own);
    services_.push_back({own, &service, reported});
  }

  [[nodiscard]] std::string proxy_name(std::size_t proxy) const {
    return input_->proxies[proxy].clusters.front()->clients.front().name;
  }

  // Returns a proxy's configuration of a cluster as a text that is equal only for equal configurations.
  static std::string everything_reported(const scenario::Service& service) {
    using documents::JsonText;
    std::string text = JsonText::of(messages::write_cluster(service.cluster)).text() +
                       JsonText(service.cluster.aggregate_clusters).text() +
                       JsonText::of(own_policy(service.load_assignment)).text();
    for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
      text += fmt::format("\n{}|{}|{}|{}|{}", entry.locality.region, entry.locality.zone, entry.locality.sub_zone,
                          entry.priority.value, entry.load_balancing_weight.value_or(0));
      for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
        text += fmt::format("\n  {}|{}|{}|{}|{}", endpoint.address, endpoint.hostname,
                            static_cast<int>(rank_of(endpoint.health_status)), endpoint.load_balancing_weight,
                            JsonText::of(messages::LbMetadata{}.write(endpoint.metadata)).text());
      }
    }
    return text;
  }

  [[nodiscard]] std::string local_cluster_text() const {
    const scenario::Scenario& first = first_world();
    return first.local_cluster ? "local_cluster: " + yaml_scalar(first.services[first.local_cluster->value].name) + "\n"
                               : "";
  }

  [[nodiscard]] std::string head() const {
    std::string text =
        "# Made by `spillway import`" + (input_->source.empty() ? "" : " of " + one_line(input_->source)) + ".\n";
    text += "# Lines that end in `guess` are assumptions.\n";
    for (const std::string& what : input_->left_out) {
      text += "# Left out: " + one_line(what) + "\n";
    }
    text += fmt::format("name: {}\n", yaml_scalar(client_name()));
    const bool phases = input_->phases.length.count() > 0;
    const auto duration = phases ? input_->phases.length : input_->apart.value_or(std::chrono::minutes{1});
    text += fmt::format("duration: {}{}\n", duration_text(duration),
                        phases || input_->apart ? "  # as long as requests were counted" : "  # guess");
    if (const config::EnvoyProfile profile = first_world().profile.envoy; profile != config::EnvoyProfile::current) {
      text += fmt::format("profile: {{ envoy: {} }}\n", name_of(profile));
    }
    return text + (input_->simulates ? "mode: requests\n" : "mode: exact\n");
  }

  static std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }, ' ');
    return text;
  }

  [[nodiscard]] std::string client_name() const { return proxy_name(0); }

  // Returns the zone's name, or region/zone if several regions have zones of this name.
  [[nodiscard]] std::string zone_reference(const config::Locality& locality) const {
    const std::string name = written_zone(locality.zone);
    const auto alike = std::count_if(zones_.begin(), zones_.end(),
                                     [&](const auto& zone) { return written_zone(zone.second) == name; });
    return alike > 1 ? scenario::name_with_region(locality.region, name) : name;
  }
  static std::string written_zone(const std::string& zone) { return zone.empty() ? "no-zone" : zone; }

  [[nodiscard]] bool has_nodes(const std::pair<std::string, std::string>& zone) const {
    const std::vector<std::string>& sub_zones = sub_zones_.at(zone);
    return sub_zones.size() > 1 || !sub_zones.front().empty();
  }
  [[nodiscard]] std::string node_of(const config::Locality& locality) const {
    const std::string zone = zone_reference(locality);
    return locality.sub_zone.empty() ? zone + "/other" : zone + "/" + locality.sub_zone;
  }

  [[nodiscard]] std::string zones_text() const {
    std::string text;
    for (const auto& zone : zones_) {
      Node entry = make_object({{"name", make_node(written_zone(zone.second))}});
      if (!zone.first.empty()) {
        member(entry, "region") = make_node(zone.first);
      }
      if (has_nodes(zone)) {
        for (const std::string& sub_zone : sub_zones_.at(zone)) {
          Node node = make_object({{"name", make_node(node_of({zone.first, zone.second, sub_zone}))}});
          if (!sub_zone.empty()) {
            member(node, "sub_zone") = make_node(sub_zone);
          }
          push_back(member(entry, "nodes"), std::move(node));
        }
      }
      text += "  - " + yaml_flow(entry) + (zone.second.empty() ? "  # its endpoints name no zone" : "") + "\n";
    }
    return text;
  }

  void add_place(Node& entry, const config::Locality& locality) const {
    if (has_nodes({locality.region, locality.zone})) {
      member(entry, "node") = make_node(node_of(locality));
    } else {
      member(entry, "zone") = make_node(zone_reference(locality));
    }
  }

  [[nodiscard]] Node group_entry(const Group& group, const scenario::Service& service) const {
    const auto* const hashing = envoy::policies::consistent_hashing(service.cluster.lb_policy);
    Node entry = make_object();
    const auto add_number = [&](const char* key, std::uint64_t number) { member(entry, key) = make_node(number); };
    if (group.addresses.size() > 1) {
      add_number("count", group.addresses.size());
    }
    add_place(entry, group.locality);
    const bool by_address = hashing && envoy::routes::parse_ip_address(group.addresses.front()).has_value();
    if (by_address) {
      member(entry, "address") = make_node(group.addresses.front());
    }
    if (hashing && !group.like.hostname.empty()) {
      member(entry, "hostname") = make_node(group.like.hostname);
    }
    if (group.priority != 0) {
      add_number("priority", group.priority);
    }
    if (group.like.load_balancing_weight != 1) {
      add_number("weight", group.like.load_balancing_weight);
    }
    if (!group.like.metadata.empty()) {
      member(entry, "metadata") = messages::LbMetadata{}.write(group.like.metadata);
    }
    // A hash key that is a name or a path must be kept as text, as it is not an address.
    if (hashing && !by_address && !hashing->use_hostname_for_hashing && !group.like.metadata.find("hash_key")) {
      Node& fields = member(member(member(entry, "metadata"), "filter_metadata"), "envoy.lb");
      member(fields, "hash_key") = make_node(group.addresses.front());
    }
    if (group.like.disable_active_health_check) {
      member(entry, "health_check_config") = messages::write_message(messages::HealthCheckConfig{true});
    }
    if (group.healthy < group.addresses.size()) {
      add_number("healthy", group.healthy);
    }
    if (group.degraded > 0) {
      add_number("degraded", group.degraded);
    }
    return entry;
  }

  std::string service_text(const Imitated& imitated) {
    const scenario::Service& service = *imitated.of;
    std::string text = "  - name: " + yaml_scalar(imitated.name) + "\n";
    const bool named = has_named_hosts(service);
    const std::vector<Group> groups = groups_of(service);
    if (groups.empty()) {
      return text + (service.cluster.aggregate_clusters.empty() ? "    endpoints: []\n" : "");
    }
    text += "    endpoints:\n";
    std::size_t number = 0;
    for (const Group& group : groups) {
      text += "      - " + yaml_flow(group_entry(group, service)) + addresses_comment(group, named) + "\n";
      for (const std::size_t position : group.draining) {
        draining_.emplace_back(imitated.name, fmt::format("{}-{}", imitated.name, number + position + 1));
      }
      number += group.addresses.size();
    }
    return text;
  }

  static std::string addresses_comment(const Group& group, bool named) {
    constexpr std::size_t most = 4;
    if (named) {
      return "";
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, group.addresses.size()); ++i) {
      text += (text.empty() ? "  # " : ", ") + one_line(group.addresses[i]);
    }
    return group.addresses.size() > most ? fmt::format("{} and {} more", text, group.addresses.size() - most) : text;
  }

  [[nodiscard]] std::string cluster_texts() const {
    std::string text;
    for (const Imitated& service : services_) {
      Node entry = make_object({{"name", make_node(service.name)}});
      update(entry, own_settings(service.of->cluster));
      update(entry, messages::write_cluster_type(service.of->cluster));
      if (entry.members.size() > 1) {
        std::string block = yaml_block(entry, 4);
        block.replace(0, 4, "  - ");
        text += block;
      }
    }
    return text.empty() ? "" : "clusters:\n" + text;
  }

  [[nodiscard]] std::string assignment_texts() const {
    std::string text;
    for (const Imitated& service : services_) {
      const config::ClusterLoadAssignment& assignment = service.of->load_assignment;
      Node entry = make_object({{"cluster_name", make_node(service.name)}});
      if (const Node policy = own_policy(assignment); !is_empty(policy)) {
        member(entry, "policy") = policy;
      }
      add_locality_weights(entry, assignment);
      if (entry.members.size() > 1) {
        std::string block = yaml_block(entry, 4);
        block.replace(0, 4, "  - ");
        text += block;
      }
    }
    return text.empty() ? "" : "load_assignments:\n" + text;
  }

  // Adds the weights of localities. A locality listed several times counts once, with its last weight.
  void add_locality_weights(Node& entry, const config::ClusterLoadAssignment& assignment) const {
    std::map<std::pair<config::Locality, std::uint32_t>, const config::LocalityLbEndpoints*> last;
    for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
      if (group.load_balancing_weight && !group.lb_endpoints.empty()) {
        last[{group.locality, group.priority.value}] = &group;
      }
    }
    for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
      const auto found = last.find({group.locality, group.priority.value});
      if (found == last.end() || found->second != &group) {
        continue;
      }
      messages::LocalityWeight written{{group.locality, group.priority, group.load_balancing_weight, {}}};
      written.locality.zone = written_zone(written.locality.zone);
      push_back(member(entry, "endpoints"), messages::write_message(written));
    }
  }

  // Writes health statuses that `healthy` cannot express: draining hosts also leave the denominators.
  [[nodiscard]] std::string timeline_text() const {
    std::string text;
    for (const auto& [service, endpoint] : draining_) {
      const Node change = make_object({{"at", make_node("0s")},
                                       {"service", make_node(service)},
                                       {"endpoints", documents::make_array({make_node(endpoint)})},
                                       {"health_status", make_node("DRAINING")}});
      text += "  - " + yaml_flow(change) + "\n";
    }
    return text.empty() ? "" : "timeline:\n" + text;
  }

  const Input* input_;
  std::vector<std::pair<std::string, std::string>> zones_;  // region and zone, in order of appearance
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> sub_zones_;
  std::vector<Imitated> services_;
  std::map<std::pair<std::size_t, std::string>, std::string> names_;  // of services, by proxy and cluster
  std::vector<std::string> findings_;
  std::vector<std::pair<std::string, std::string>> draining_;  // service and endpoint
};

}  // namespace

Imported import_scenario(const Input& input) {
  return Importer(input).all();
}

}  // namespace spillway::reports::importing
