#include "models/envoy/proxy/second_api.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Member;
using documents::Node;

constexpr std::string_view type_prefix = "type.googleapis.com/";

// True if the key's value is an object of any keys, without messages in it.
bool is_struct(std::string_view key) {
  constexpr std::array structs =
      std::to_array<std::string_view>({"filter_metadata", "filterMetadata", "default_subset", "defaultSubset",
                                       "static_layer", "staticLayer", "metadata", "metadata_match", "metadataMatch"});
  return std::find(structs.begin(), structs.end(), key) != structs.end();
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

}  // namespace

std::optional<SecondApi> find_second_api(const Node& root) {
  return sign_in(root);
}

}  // namespace spillway::proxy
