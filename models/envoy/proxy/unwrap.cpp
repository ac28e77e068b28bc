#include "models/envoy/proxy/unwrap.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/bootstrap.hpp"
#include "models/envoy/api/check_document.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/proxy/bootstrap.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "models/envoy/proxy/go_structs.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/second_api.hpp"

namespace spillway::proxy {
namespace {

using documents::Member;
using documents::Node;

// Reports messages of unknown types, for which Envoy refuses the whole document. Messages in policies and clusters are
// reported by their readers.
void refuse_unknown_messages(const Node& node, Diagnostics& problems) {
  for (const Member& member : node.members) {
    constexpr std::array read_elsewhere =
        std::to_array<std::string_view>({"load_balancing_policy", "loadBalancingPolicy", "cluster_type", "clusterType",
                                         "filter_metadata", "filterMetadata", "listeners", "resources"});
    if (std::find(read_elsewhere.begin(), read_elsewhere.end(), member.key) != read_elsewhere.end()) {
      continue;
    }
    if (member.key != "@type" || member.value.kind != documents::Kind::string) {
      refuse_unknown_messages(member.value, problems);
      continue;
    }
    const std::string type = member.value.text.substr(member.value.text.find_last_of('/') + 1);
    if (api::is_known_message(type)) {
      continue;
    }
    if (!messages::todays_type(type).empty()) {
      problems.push_back(messages::wrong_type({type, &node}, member.value.span, ""));
    } else {
      problems.error("SP148", member.value.span, "a message that Envoy does not know", "there is no `{}`", {type})
          .note("Envoy 1.40 refuses the whole document: its JSON has unknown fields");
    }
  }
  for (const Node& item : node.items) {
    refuse_unknown_messages(item, problems);
  }
}

constexpr const char* scenario_alone =
    "a scenario is read alone: remove other files, and further documents after `---`";

// The context of a value during the walk.
struct Around {
  bool reported = false;
  Standing standing = Standing::active;
  bool live = false;
  std::string_view key = {};  // the key of the value
};

class Unwrapper {
 public:
  Unwrapper(Documents& documents, Sources& sources, Trees& trees, Diagnostics& problems)
      : documents_(documents), sources_(sources), trees_(trees), problems_(problems) {}

  void read(Node& root) {
    const Kind kind = kind_of(root);
    const bool by_hand = kind == Kind::bootstrap || kind == Kind::cluster_list || kind == Kind::cluster ||
                         kind == Kind::load_assignment || kind == Kind::discovery_response ||
                         kind == Kind::route_configuration || kind == Kind::listener;
    if (refuse_other_form(root, kind, by_hand)) {
      return;
    }
    const std::size_t before = found_;
    grammar::settle_envoy_document(root, !by_hand);
    if (by_hand) {
      refuse_unknown_messages(root, problems_);
      check(root, kind);
    }
    if (kind == Kind::scenario) {
      problems_.error("SP134", root.span, "a scenario among Envoy's documents", "is not one of Envoy's")
          .help("{}", {scenario_alone});
      return;
    }
    if (kind == Kind::kubernetes) {
      read_object(root);
    } else if (kind != Kind::other || !recognise_foreign(root)) {
      walk(root, {.reported = !by_hand});
    }
    if (found_ == before && !take_as_cluster(root)) {
      report_nothing(root);
    }
  }

 private:
  // Checks a handwritten document against the tables of Envoy's API.
  void check(const Node& root, Kind kind) {
    if (!documents_.checked) {
      return;
    }
    if (kind == Kind::cluster_list) {
      for (const Node* const cluster : items_at(root, "clusters")) {
        api::check_document(*cluster, message_of(Kind::cluster), problems_);
      }
    } else if (kind == Kind::discovery_response) {
      for (const Node* const resource : items_at(root, "resources")) {
        api::check_document(*resource, type_of(*resource), problems_);
      }
    } else {
      api::check_document(root, message_of(kind), problems_);
    }
  }

  // Refuses a document of Go's structs, and a handwritten one of Envoy's second API; returns true if it is one.
  // Resources of the second API in a dump are passed over one by one.
  bool refuse_other_form(const Node& root, Kind kind, bool by_hand) {
    if (kind == Kind::scenario || kind == Kind::kubernetes || (kind == Kind::other && recognise_foreign(root))) {
      return false;
    }
    if (const documents::Member* const oneof = find_go_struct(root)) {
      problems_.error("SP149", oneof->key_span, "JSON of Go's structs", "`{}` is a field of a Go struct", {oneof->key})
          .help("print the resource with protojson: its JSON is what Envoy reads");
      return true;
    }
    const bool alone = by_hand || !messages::todays_type(type_of(root)).empty();
    const auto older = alone ? find_second_api(root) : std::nullopt;
    if (older) {
      report_second_api(older->where, older->what);
    }
    return older.has_value();
  }

  void report_second_api(const Span& where, const std::string& what) {
    problems_.error("SP235", where, "a document of Envoy's second API", "{} is of it", {what})
        .note("1.17 was the last release to support it")
        .help("write it as messages of the third API (`envoy.config.cluster.v3.Cluster` and so on)");
  }

  // Takes an object with a name but without known keys as a handwritten cluster with mistakes.
  bool take_as_cluster(Node& root) {
    if (kind_of(root) != Kind::other || text_at(root, "name").empty() || recognise_foreign(root)) {
      return false;
    }
    grammar::settle_envoy_document(root);
    refuse_unknown_messages(root, problems_);
    add_cluster(root, false, Standing::active, documents_);
    return true;
  }

  void report_nothing(const Node& root) {
    if (const auto foreign = recognise_foreign(root)) {
      problems_.push_back(foreign_document(*foreign, root.span));
    } else if (skipped_) {
      problems_.error("SP134", *skipped_, "a resource of another kind",
                      "neither a Cluster nor a ClusterLoadAssignment");
    } else if (root.kind != documents::Kind::object && root.kind != documents::Kind::array) {
      problems_
          .error("SP022", root.span, "expected an object, found {}", "expected an object",
                 {documents::describe_kind(root.kind)})
          .help(
              "a scenario has keys such as `duration: 60s` and `zones: [{ name: a }]` (`spillway docs tutorial`), and "
              "so have documents of Envoy's");
    } else {
      problems_.error("SP134", root.span, "not a document that can be read", "neither a scenario nor one of Envoy's")
          .note(
              "supported are a config_dump, a Bootstrap, Clusters, ClusterLoadAssignments, RouteConfigurations and "
              "Listeners, alone, in lists, in discovery responses and in what istioctl, egctl and kumactl print");
    }
  }

  void walk(Node& node, const Around& around) {
    for (Node& item : node.items) {
      walk(item, around);
    }
    if (node.kind != documents::Kind::object || node.members.empty()) {
      return;
    }
    const std::string type = type_of(node);
    Kind kind = type.empty() ? kind_of(node) : kind_of_type(type);
    if (kind == Kind::other && around.key == "clusters" && !text_at(node, "name").empty()) {
      kind = Kind::cluster;
    }
    if (kind == Kind::other && around.key == "bootstrap" && find_value(std::as_const(node), "node") != nullptr) {
      kind = Kind::bootstrap;
    }
    // Keys of a cluster without its name belong to an object that was generated around a cluster.
    if (kind == Kind::cluster && type.empty() && around.reported &&
        find_value(std::as_const(node), "name") == nullptr) {
      kind = Kind::other;
    }
    if (kind == Kind::other && (type.empty() || type.starts_with("envoy.admin."))) {
      documents_.dump = documents_.dump || type == "envoy.admin.v3.ClustersConfigDump";
      walk_members(node, around);
    } else {
      take(node, kind, type, around);
    }
  }

  void walk_members(Node& node, const Around& around) {
    const bool active = find_value(std::as_const(node), "active_state") != nullptr;
    for (Member& member : node.members) {
      if (member.value.kind != documents::Kind::object && member.value.kind != documents::Kind::array) {
        continue;
      }
      const std::string_view key = member.key;
      if (key == "error_state" || key == "errorState") {
        pass_over("update that the proxy refused");
        continue;
      }
      const bool other_state = key.starts_with("draining") || (active && key.starts_with("warming"));
      if (key == "diff" || other_state) {
        continue;
      }
      if (const Kind named = kind_of_type(key.substr(key.find_last_of('/') + 1)); named != Kind::other) {
        for (Member& resource : member.value.members) {
          take(resource.value, named, "", around);
        }
        continue;
      }
      Around inner = around;
      inner.key = key;
      if (key.find("warming") != std::string_view::npos) {
        inner.standing = Standing::warming;
      }
      inner.live = around.live || key.ends_with("endpoint_configs") || key.ends_with("EndpointConfigs");
      walk(member.value, inner);
    }
  }

  void take(Node& node, Kind kind, const std::string& type, const Around& around) {
    const Resource resource{
        .node = &node, .name = {}, .reported = around.reported, .standing = around.standing, .live = around.live};
    switch (kind) {
      case Kind::bootstrap:
        collect_bootstrap(node, around.reported, documents_, problems_);
        break;
      case Kind::cluster_list:
        take_cluster_list(node);
        break;
      case Kind::cluster:
        add_cluster(node, around.reported, around.standing, documents_);
        break;
      case Kind::load_assignment:
        if (around.live) {
          forget_missing_weights(node);
        }
        add_named(documents_.load_assignments, resource, "cluster_name");
        break;
      case Kind::route_configuration:
        add_named(documents_.routes, resource, "name");
        break;
      case Kind::scoped_route_configuration:
        add_named(documents_.scoped_routes, resource, "name");
        break;
      case Kind::listener:
        add_listener(node, around.reported, documents_);
        break;
      case Kind::discovery_response:
        take_response(node);
        return;
      case Kind::secret:
        pass_over("secret");
        return;
      case Kind::counters:
        pass_over("answer of /clusters");
        break;
      case Kind::server_info:
        documents_.version = version_in(text_at(node, "version"));
        break;
      case Kind::scenario:
      case Kind::kubernetes:
        pass_over("document of another kind");
        return;
      case Kind::other:
        skip(node, type);
        return;
    }
    ++found_;
  }

  // Removes weights of 0, which a proxy prints for a locality without a weight. Envoy does not accept 0 as input.
  static void forget_missing_weights(Node& assignment) {
    Node* const endpoints = find_value(assignment, "endpoints");
    for (std::size_t i = 0; endpoints != nullptr && i < endpoints->items.size(); ++i) {
      std::erase_if(endpoints->items[i].members, [](const Member& member) {
        return (member.key == "load_balancing_weight" || member.key == "loadBalancingWeight") &&
               ((member.value.kind == documents::Kind::integer && member.value.magnitude == 0) ||
                member.value.text == "0");
      });
    }
  }

  static void add_named(std::vector<Resource>& list, Resource resource, std::string_view key) {
    resource.name = text_at(*resource.node, key);
    list.push_back(std::move(resource));
  }

  // Skips parts that are not supported, and v2's resources, which Envoy no longer reads.
  void skip(const Node& node, const std::string& type) {
    skipped_ = skipped_.value_or(node.span);
    if (!messages::todays_type(type).empty() || type.starts_with("envoy.api.v2.")) {
      report_second_api(node.span, in_ticks(type));
      if (node.reported) {
        problems_.back().severity = Severity::warning;
      }
      ++found_;
    }
    pass_over(in_ticks(type));
  }

  void take_cluster_list(const Node& node) {
    messages::ClusterList list;
    grammar::Record<messages::ClusterList>{}.read(node, list, "the document", problems_);
    for (const auto& cluster : list.clusters.value) {
      add_cluster(**cluster, false, Standing::active, documents_);
    }
  }

  void take_response(Node& node) {
    messages::DiscoveryResponse response;
    grammar::Record<messages::DiscoveryResponse>{}.read(node, response, "the document", problems_);
    Node* const resources = find_value(node, "resources");
    for (std::size_t i = 0; resources != nullptr && i < resources->items.size(); ++i) {
      Node& resource = resources->items[i];
      const Kind kind = kind_of_type(type_of(resource));
      if ((kind == Kind::cluster || kind == Kind::load_assignment)) {
        refuse_unknown_messages(resource, problems_);
      }
      walk(resource, {.reported = node.reported});
    }
    found_ += response.resources.value.empty() ? 1 : 0;
  }

  static bool is_resource(Kind kind) {
    return kind == Kind::cluster || kind == Kind::load_assignment || kind == Kind::listener ||
           kind == Kind::route_configuration || kind == Kind::scoped_route_configuration;
  }

  // Reads an object of Kubernetes. Lists contain more objects. ConfigMaps and container arguments contain bootstraps
  // as texts. A CiliumEnvoyConfig contains resources, marin3r's EnvoyConfig contains them as texts, and the `spec` of
  // some controllers' objects is one.
  void read_object(Node& object) {
    const std::string kind = text_at(object, "kind");
    if (Node* const items = find_value(object, "items"); items != nullptr && kind.ends_with("List")) {
      for (Node& item : items->items) {
        read_object(item);
      }
      return;
    }
    const std::size_t before = found_;
    if (Node* const spec = find_value(object, "spec");
        spec != nullptr && (kind.ends_with("EnvoyConfig") || is_resource(kind_of(*spec)))) {
      // Services whose requests Cilium sends to these listeners are no part of the resources.
      std::erase_if(spec->members, [&](const Member& member) {
        return kind.starts_with("Cilium") && (member.key == "services" || member.key == "backendServices");
      });
      walk(*spec, {.reported = true});
    }
    read_texts(object);
    if (found_ == before) {
      pass_over(kind);
    }
  }

  void read_texts(const Node& node) {
    if (node.kind == documents::Kind::string) {
      read_text(node);
    }
    for (const Member& member : node.members) {
      read_texts(member.value);
    }
    for (const Node& item : node.items) {
      read_texts(item);
    }
  }

  void read_text(const Node& node) {
    const bool bootstrap = node.text.find("static_resources") != std::string::npos ||
                           node.text.find("staticResources") != std::string::npos ||
                           node.text.find("type.googleapis.com/envoy.") != std::string::npos;
    constexpr std::array of_resources = std::to_array<std::string_view>(
        {"load_assignment", "loadAssignment", "lb_endpoints", "lbEndpoints", "virtual_hosts", "virtualHosts",
         "filter_chains", "filterChains", "route_configuration_name", "eds_cluster_config"});
    const bool resource = std::any_of(of_resources.begin(), of_resources.end(),
                                      [&](std::string_view key) { return node.text.find(key) != std::string::npos; });
    if (!(bootstrap || resource) || node.text.find(':') == std::string::npos) {
      return;
    }
    const auto file = static_cast<std::uint32_t>(sources_.size());
    sources_.push_back({sources_[node.span.file].name + " (line " + std::to_string(node.span.line) + ")", node.text});
    Diagnostics unreadable;
    auto tree = documents::parse(sources_, file, unreadable);
    if (!tree || (tree->kind != documents::Kind::object && tree->kind != documents::Kind::array) ||
        (!bootstrap && !is_resource(kind_of(*tree)))) {
      sources_.pop_back();
      return;
    }
    trees_.push_back(*std::move(tree));
    read(trees_.back());
  }

  void pass_over(const std::string& what) { ++documents_.passed_over[what]; }

  Documents& documents_;
  Sources& sources_;
  Trees& trees_;
  Diagnostics& problems_;
  std::size_t found_ = 0;
  std::optional<Span> skipped_;
};

}  // namespace

std::vector<std::size_t> Documents::distinct_clusters() const {
  std::map<std::string_view, std::size_t> best;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto [known, fresh] = best.emplace(clusters[i].name, i);
    if (!fresh && clusters[i].standing < clusters[known->second].standing) {
      known->second = i;
    }
  }
  std::vector<std::size_t> positions;
  for (const auto& [name, position] : best) {
    positions.push_back(position);
  }
  std::sort(positions.begin(), positions.end());
  return positions;
}

void unwrap(documents::Node& root, Documents& documents, Sources& sources, Trees& trees, Diagnostics& problems) {
  Unwrapper(documents, sources, trees, problems).read(root);
}

}  // namespace spillway::proxy
