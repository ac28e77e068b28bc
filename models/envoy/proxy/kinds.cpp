#include "models/envoy/proxy/kinds.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/envoy/api/cluster.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

bool has_any(const Node& object, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return find_value(object, key) != nullptr; });
}

bool is_text(const Node* node) {
  return node != nullptr && node->kind == documents::Kind::string;
}

// True if the type is one of Envoy's. Kuma's documents have a `type` and a `name` too.
bool is_cluster_type(const Node* type) {
  const std::vector<std::string>& types = messages::Cluster::types;
  return is_text(type) && std::find(types.begin(), types.end(), type->text) != types.end();
}

// True if a key of scenarios exists. Without this check, a mistake in a scenario could make it look like a document of
// Envoy's.
bool is_scenario(const Node& root) {
  for (const char* const key : {"zones", "services", "clients", "duration", "timeline", "expect"}) {
    if (root.find(key) != nullptr) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string in_snake_case(std::string_view key) {
  std::string text;
  for (const char letter : key) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    text += capital ? "_" : "";
    text += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return text;
}

const Node* find_value(const Node& object, std::string_view key) {
  const documents::Member* member = object.find(key);
  if (member == nullptr && key.find('_') != std::string_view::npos) {
    member = object.find(grammar::lower_camel_case(key));
  }
  return member == nullptr ? nullptr : &member->value;
}

Node* find_value(Node& object, std::string_view key) {
  return const_cast<Node*>(find_value(std::as_const(object), key));
}

void erase_key(Node& object, std::string_view key) {
  std::erase_if(object.members, [camel = grammar::lower_camel_case(key), key](const documents::Member& member) {
    return member.key == key || member.key == camel;
  });
}

bool is_true(const Node& object, std::string_view key) {
  const Node* const value = find_value(object, key);
  return value != nullptr && value->boolean;
}

std::string text_at(const Node& object, std::string_view key) {
  const Node* const value = find_value(object, key);
  return value == nullptr ? std::string() : value->text;
}

std::vector<const Node*> items_at(const Node& object, std::string_view key) {
  std::vector<const Node*> items;
  if (const Node* const list = find_value(object, key)) {
    for (const Node& item : list->items) {
      items.push_back(&item);
    }
  }
  return items;
}

std::string type_of(const Node& object) {
  const documents::Member* const type = object.find("@type");
  return type == nullptr ? std::string() : type->value.text.substr(type->value.text.find_last_of('/') + 1);
}

namespace {

constexpr std::array types_of_kinds = {
    std::pair{"envoy.config.bootstrap.v3.Bootstrap", Kind::bootstrap},
    std::pair{"envoy.config.cluster.v3.Cluster", Kind::cluster},
    std::pair{"envoy.config.endpoint.v3.ClusterLoadAssignment", Kind::load_assignment},
    std::pair{"envoy.config.route.v3.RouteConfiguration", Kind::route_configuration},
    std::pair{"envoy.config.route.v3.ScopedRouteConfiguration", Kind::scoped_route_configuration},
    std::pair{"envoy.config.listener.v3.Listener", Kind::listener},
    std::pair{"envoy.service.discovery.v3.DiscoveryResponse", Kind::discovery_response},
    std::pair{"envoy.extensions.transport_sockets.tls.v3.Secret", Kind::secret},
    std::pair{"envoy.api.v2.auth.Secret", Kind::secret},
    std::pair{"envoy.admin.v3.Clusters", Kind::counters},
    std::pair{"envoy.admin.v3.ServerInfo", Kind::server_info}};

}  // namespace

Kind kind_of_type(std::string_view type) {
  const auto* const found = std::find_if(types_of_kinds.begin(), types_of_kinds.end(),
                                         [&](const auto& entry) { return type == entry.first; });
  return found == types_of_kinds.end() ? Kind::other : found->second;
}

std::string_view message_of(Kind kind) {
  const auto* const found = std::find_if(types_of_kinds.begin(), types_of_kinds.end(),
                                         [&](const auto& entry) { return kind == entry.second; });
  return found == types_of_kinds.end() ? "" : found->first;
}

Kind kind_of(const Node& root) {
  if (root.kind != documents::Kind::object) {
    return Kind::other;
  }
  if (is_text(root.find("apiVersion") != nullptr ? &root.find("apiVersion")->value : nullptr) &&
      root.find("kind") != nullptr) {
    return Kind::kubernetes;
  }
  if (is_scenario(root)) {
    return Kind::scenario;
  }
  if (const Kind typed = kind_of_type(type_of(root)); typed != Kind::other) {
    return typed;
  }
  if (has_any(root, {"static_resources", "dynamic_resources", "cluster_manager", "layered_runtime", "admin"})) {
    return Kind::bootstrap;
  }
  if (has_any(root, {"cluster_statuses", "host_statuses"})) {
    return Kind::counters;
  }
  if (has_any(root, {"hot_restart_version", "uptime_current_epoch"})) {
    return Kind::server_info;
  }
  if (root.find("clusters") != nullptr && root.members.size() == 1) {
    return Kind::cluster_list;
  }
  if (const documents::Member* const resources = root.find("resources"); resources != nullptr) {
    const auto& items = resources->value.items;
    const bool typed = std::any_of(items.begin(), items.end(), [](const Node& item) { return item.find("@type"); });
    return typed || items.empty() ? Kind::discovery_response : Kind::other;
  }
  if (has_any(root, {"virtual_hosts", "vhds"})) {
    return Kind::route_configuration;
  }
  if (has_any(root, {"filter_chains", "default_filter_chain", "listener_filters", "api_listener"})) {
    return Kind::listener;
  }
  if (has_any(root, {"route_configuration_name"}) && root.find("key") != nullptr) {
    return Kind::scoped_route_configuration;
  }
  if (has_any(root, {"cluster_name"})) {
    return Kind::load_assignment;
  }
  if (has_any(root, {"tls_certificate", "validation_context", "session_ticket_keys", "generic_secret"})) {
    return Kind::secret;
  }
  if (has_any(root, {"load_assignment", "lb_policy", "connect_timeout", "cluster_type", "eds_cluster_config",
                     "load_balancing_policy", "lb_subset_config", "common_lb_config", "outlier_detection",
                     "typed_extension_protocol_options", "transport_socket_matches"}) ||
      (is_text(find_value(root, "name")) && is_cluster_type(find_value(root, "type")))) {
    return Kind::cluster;
  }
  return Kind::other;
}

}  // namespace spillway::proxy
