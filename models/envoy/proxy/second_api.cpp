#include "models/envoy/proxy/second_api.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/message_types.hpp"

namespace spillway::proxy {
namespace {

using documents::Member;
using documents::Node;

constexpr std::string_view type_prefix = "type.googleapis.com/";

// Extensions that used an untyped `config`, by their old names, with their current message types.
constexpr std::array older_extensions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"envoy.clusters.aggregate", "envoy.extensions.clusters.aggregate.v3.ClusterConfig"},
    {"envoy.clusters.dynamic_forward_proxy", "envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig"},
    {"envoy.clusters.redis", "envoy.extensions.clusters.redis.v3.RedisClusterConfig"},
    {"envoy.filters.http.header_to_metadata", "envoy.extensions.filters.http.header_to_metadata.v3.Config"},
    {"envoy.filters.http.router", "envoy.extensions.filters.http.router.v3.Router"},
    {"envoy.filters.network.http_connection_manager",
     "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"},
    {"envoy.filters.network.tcp_proxy", "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy"},
    {"envoy.health_checkers.redis", "envoy.extensions.health_checkers.redis.v3.Redis"},
    {"envoy.http_connection_manager",
     "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"},
    {"envoy.retry_host_predicates.omit_canary_hosts",
     "envoy.extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate"},
    {"envoy.retry_host_predicates.omit_host_metadata",
     "envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig"},
    {"envoy.retry_host_predicates.previous_hosts",
     "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"},
    {"envoy.retry_priorities.previous_priorities",
     "envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig"},
    {"envoy.router", "envoy.extensions.filters.http.router.v3.Router"},
    {"envoy.tcp_proxy", "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy"},
});

// Keys that were renamed without a change of meaning.
constexpr std::array renamed = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"drain_connections_on_host_removal", "ignore_health_on_host_removal"},
    {"host_rewrite", "host_rewrite_literal"},
    {"auto_host_rewrite_header", "host_rewrite_header"},
});

// True if the key's value is an object of any keys, without messages in it.
bool is_struct(std::string_view key) {
  constexpr std::array structs =
      std::to_array<std::string_view>({"filter_metadata", "filterMetadata", "default_subset", "defaultSubset",
                                       "static_layer", "staticLayer", "metadata", "metadata_match", "metadataMatch"});
  return std::find(structs.begin(), structs.end(), key) != structs.end();
}

std::string_view extension_called(std::string_view name) {
  const auto* const found = std::find_if(older_extensions.begin(), older_extensions.end(),
                                         [&](const auto& entry) { return entry.first == name; });
  return found == older_extensions.end() ? std::string_view() : found->second;
}

Member* find_member(Node& object, std::string_view key) {
  const Node* const value = find_value(object, key);
  const auto found = std::find_if(object.members.begin(), object.members.end(),
                                  [&](const Member& member) { return &member.value == value; });
  return found == object.members.end() ? nullptr : &*found;
}

bool is_object(const Node* node) {
  return node != nullptr && node->kind == documents::Kind::object;
}

// True if a node is an address of the second API. The first API wrote a host as a URL; scenarios have no hosts.
bool is_address(const Node& node) {
  return find_value(node, "socket_address") != nullptr || find_value(node, "pipe") != nullptr;
}

bool is_filter_chain(const Node& object) {
  return find_value(object, "filters") != nullptr || find_value(object, "filter_chain_match") != nullptr;
}

// True if an object has a key that only clusters have. `tls_context` is not among them, because a route's match has it
// too.
bool is_cluster(const Node& object) {
  constexpr std::array keys = std::to_array<std::string_view>(
      {"connect_timeout", "lb_policy", "hosts", "load_assignment", "eds_cluster_config"});
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return find_value(object, key) != nullptr; });
}

bool holds_tls(const Node& object) {
  return is_object(find_value(object, "tls_context")) && (is_cluster(object) || is_filter_chain(object));
}

bool holds_hosts(const Node& object) {
  const Node* const hosts = find_value(object, "hosts");
  return hosts != nullptr && !hosts->items.empty() &&
         std::all_of(hosts->items.begin(), hosts->items.end(), is_address) &&
         find_value(object, "load_assignment") == nullptr;
}

// True for a filter, logger, tracer or other extension with an untyped configuration.
bool is_untyped_extension(const Node& object) {
  return text_at(object, "name").starts_with("envoy.") && is_object(find_value(object, "config")) &&
         find_value(object, "typed_config") == nullptr;
}

bool is_old_runtime(const Node& bootstrap) {
  const Node* const runtime = find_value(bootstrap, "runtime");
  return is_object(runtime) && find_value(bootstrap, "layered_runtime") == nullptr &&
         (find_value(*runtime, "base") != nullptr || find_value(*runtime, "symlink_root") != nullptr);
}

std::string_view behind_slash(std::string_view type) {
  return type.substr(type.rfind('/') + 1);
}

bool names_type(const Member& member) {
  return (member.key == "@type" || member.key == "type_url" || member.key == "typeUrl") &&
         member.value.kind == documents::Kind::string;
}

std::optional<SecondApi> sign_in(const Node& node) {
  if (node.kind == documents::Kind::object) {
    for (const Member& member : node.members) {
      if (names_type(member) && !messages::todays_type(behind_slash(member.value.text)).empty()) {
        return SecondApi{member.value.span, in_ticks(behind_slash(member.value.text))};
      }
      if (member.key.starts_with(type_prefix) && !messages::todays_type(behind_slash(member.key)).empty()) {
        return SecondApi{member.key_span, in_ticks(behind_slash(member.key))};
      }
    }
    const auto at = [&](std::string_view key) { return SecondApi{find_value(node, key)->span, in_ticks(key)}; };
    if (holds_hosts(node)) {
      return at("hosts");
    }
    if (holds_tls(node)) {
      return at("tls_context");
    }
    if (is_untyped_extension(node)) {
      return at("config");
    }
    if (is_old_runtime(node)) {
      return at("runtime");
    }
    if (is_object(find_value(node, "per_filter_config"))) {
      return at("per_filter_config");
    }
  }
  for (const Member& member : node.members) {
    if (!is_struct(member.key)) {
      if (auto sign = sign_in(member.value)) {
        return sign;
      }
    }
  }
  for (const Node& item : node.items) {
    if (auto sign = sign_in(item)) {
      return sign;
    }
  }
  return std::nullopt;
}

Node made(documents::Kind kind, Span where) {
  Node node;
  node.kind = kind;
  node.span = where;
  return node;
}

Node text(std::string_view value, Span where) {
  Node node = made(documents::Kind::string, where);
  node.text = value;
  return node;
}

void add(Node& object, const std::string& key, Node value) {
  const Span where = value.span;
  object.members.push_back({key, where, std::move(value)});
}

// object_of() returns an object with only this member; list_of() returns a list with only this item.
Node object_of(const std::string& key, Node value) {
  Node object = made(documents::Kind::object, value.span);
  add(object, key, std::move(value));
  return object;
}

Node list_of(Node item) {
  Node list = made(documents::Kind::array, item.span);
  list.items.push_back(std::move(item));
  return list;
}

void replace(Member& member, const std::string& key, Node value) {
  member.key = key;
  member.value = std::move(value);
}

// Returns `configuration` as a google.protobuf.Any of this type.
Node typed(std::string_view type, Node configuration) {
  const Span where = configuration.span;
  configuration.members.insert(configuration.members.begin(),
                               {"@type", where, text(std::string(type_prefix) + std::string(type), where)});
  return configuration;
}

void rename_types(Node& object) {
  for (Member& member : object.members) {
    if (names_type(member)) {
      const std::size_t slash = member.value.text.rfind('/') + 1;
      if (const std::string today = messages::todays_type(behind_slash(member.value.text)); is_known_message(today)) {
        member.value.text.replace(slash, std::string::npos, today);
      }
    } else if (member.key.starts_with(type_prefix)) {
      if (const std::string today = messages::todays_type(behind_slash(member.key)); is_known_message(today)) {
        member.key.replace(member.key.rfind('/') + 1, std::string::npos, today);
      }
    }
  }
}

void rename_keys(Node& object) {
  for (const auto& [before, today] : renamed) {
    if (Member* const member = find_member(object, before); member != nullptr && find_value(object, today) == nullptr) {
      member->key = today;
    }
  }
}

// Converts `hosts` to one locality without a name, as Envoy itself does (translateClusterHosts).
void assign_hosts(Node& cluster) {
  if (!holds_hosts(cluster)) {
    return;
  }
  Member& member = *find_member(cluster, "hosts");
  const Span where = member.value.span;
  Node hosts = made(documents::Kind::array, where);
  for (Node& address : member.value.items) {
    hosts.items.push_back(object_of("endpoint", object_of("address", std::move(address))));
  }
  Node assignment = object_of("cluster_name", text(text_at(cluster, "name"), where));
  add(assignment, "endpoints", list_of(object_of("lb_endpoints", std::move(hosts))));
  replace(member, "load_assignment", std::move(assignment));
}

void wrap_tls(Node& object) {
  if (!holds_tls(object)) {
    return;
  }
  if (find_value(object, "transport_socket") != nullptr) {
    erase_key(object, "tls_context");  // the socket had precedence
    return;
  }
  Member& member = *find_member(object, "tls_context");
  Node socket = object_of("name", text("envoy.transport_sockets.tls", member.value.span));
  add(socket, "typed_config",
      typed(std::string("envoy.extensions.transport_sockets.tls.v3.") +
                (is_filter_chain(object) ? "DownstreamTlsContext" : "UpstreamTlsContext"),
            std::move(member.value)));
  replace(member, "transport_socket", std::move(socket));
}

// Types an extension's configuration, or removes it if it is not supported here: none of these affects routing.
void type_extension(Node& object) {
  const std::string name = text_at(object, "name");
  const std::string_view type = extension_called(name);
  if (is_untyped_extension(object)) {
    if (type.empty()) {
      erase_key(object, "config");
      return;
    }
    Member& member = *find_member(object, "config");
    replace(member, "typed_config", typed(type, std::move(member.value)));
  } else if (!type.empty() && object.members.size() == 1) {
    const Span where = object.members.front().value.span;
    add(object, "typed_config", typed(type, made(documents::Kind::object, where)));
  }
}

void layer_runtime(Node& bootstrap) {
  if (!is_old_runtime(bootstrap)) {
    return;
  }
  Member& member = *find_member(bootstrap, "runtime");
  const Span where = member.value.span;
  Node layers = made(documents::Kind::array, where);
  const auto layer = [&](std::string_view name, const std::string& kind, Node value) {
    Node one = object_of("name", text(name, where));
    add(one, kind, std::move(value));
    layers.items.push_back(std::move(one));
  };
  if (Node* const base = find_value(member.value, "base"); is_object(base)) {
    layer("base", "static_layer", std::move(*base));
  }
  if (find_value(member.value, "symlink_root") != nullptr) {
    Node disk = made(documents::Kind::object, where);
    for (const char* const key : {"symlink_root", "subdirectory"}) {
      if (const Node* const value = find_value(std::as_const(member.value), key)) {
        add(disk, key, *value);
      }
    }
    layer("root", "disk_layer", std::move(disk));
  }
  layer("admin", "admin_layer", made(documents::Kind::object, where));
  replace(member, "layered_runtime", object_of("layers", std::move(layers)));
}

void list_mirror(Node& action) {
  if (Member* const mirror = find_member(action, "request_mirror_policy");
      mirror != nullptr && is_object(&mirror->value)) {
    replace(*mirror, "request_mirror_policies", list_of(std::move(mirror->value)));
  }
}

// Converts query parameters: `value` is an exact text. With `regex` it used another engine than today's, and stays.
void match_parameters(Node& match) {
  Node* const parameters = find_value(match, "query_parameters");
  for (std::size_t i = 0; parameters != nullptr && i < parameters->items.size(); ++i) {
    Node& parameter = parameters->items[i];
    const Node* const regex = find_value(std::as_const(parameter), "regex");
    if (regex != nullptr && regex->boolean) {
      continue;
    }
    erase_key(parameter, "regex");
    if (Member* const value = find_member(parameter, "value")) {
      replace(*value, "string_match", object_of("exact", std::move(value->value)));
    }
  }
}

void check_health(Node& check) {
  Node* const http = find_value(check, "http_health_check");
  if (!is_object(http)) {
    return;
  }
  if (Member* const prefix = find_member(*http, "service_name")) {
    replace(*prefix, "service_name_matcher", object_of("prefix", std::move(prefix->value)));
  }
  if (Member* const http2 = find_member(*http, "use_http2")) {
    const bool wanted = http2->value.boolean;
    const Span where = http2->value.span;
    erase_key(*http, "use_http2");
    if (wanted) {
      add(*http, "codec_client_type", text("HTTP2", where));
    }
  }
}

void upgrade(Node& node) {
  if (node.kind == documents::Kind::object) {
    rename_types(node);
    rename_keys(node);
    assign_hosts(node);
    wrap_tls(node);
    type_extension(node);
    layer_runtime(node);
    list_mirror(node);
    match_parameters(node);
    check_health(node);
    erase_key(node, "per_filter_config");
    if (Member* const policy = find_member(node, "lb_policy");
        policy != nullptr && policy->value.text == "ORIGINAL_DST_LB") {
      policy->value.text = "CLUSTER_PROVIDED";
    }
    if (Node* const own = find_value(node, "node"); is_object(own)) {
      erase_key(*own, "build_version");
    }
  }
  for (Member& member : node.members) {
    if (!is_struct(member.key)) {
      upgrade(member.value);
    }
  }
  for (Node& item : node.items) {
    upgrade(item);
  }
}

}  // namespace

std::optional<SecondApi> read_second_api(Node& root) {
  auto sign = sign_in(root);
  if (sign) {
    upgrade(root);
  }
  return sign;
}

}  // namespace spillway::proxy
