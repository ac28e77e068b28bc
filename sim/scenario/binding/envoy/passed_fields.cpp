#include "sim/scenario/binding/envoy/passed_fields.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/field_effects.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/http_filters.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/route_choice.hpp"
#include "models/envoy/proxy/route_tables.hpp"
#include "models/envoy/proxy/settled_route.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

using documents::Node;

constexpr std::string_view listener_message = "envoy.config.listener.v3.Listener";
constexpr std::string_view chain_message = "envoy.config.listener.v3.FilterChain";
constexpr std::string_view manager_message =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
constexpr std::string_view options_message = "envoy.config.core.v3.HttpProtocolOptions";
constexpr std::string_view routes_message = "envoy.config.route.v3.RouteConfiguration";
constexpr std::string_view host_message = "envoy.config.route.v3.VirtualHost";

// True if the value differs from an absent one: false, 0 and empty values do not, but any message does.
bool says_anything(const Node& value) {
  switch (value.kind) {
    case documents::Kind::null:
      return false;
    case documents::Kind::boolean:
      return value.boolean;
    case documents::Kind::integer:
      return value.magnitude != 0;
    case documents::Kind::string:
      return !value.text.empty();
    case documents::Kind::array:
      return !value.items.empty();
    default:
      return true;
  }
}

// Calls visit(member) for each member of these keys, at any depth.
template <class Visit>
void for_each_member(const Node& node, const Visit& visit) {
  for (const documents::Member& member : node.members) {
    visit(proxy::in_snake_case(member.key), member.value);
    for_each_member(member.value, visit);
  }
  for (const Node& item : node.items) {
    for_each_member(item, visit);
  }
}

bool has_any_key(const Node& config, std::string_view keys) {
  bool found = false;
  for_each_member(config, [&](const std::string& key, const Node& value) {
    for (std::size_t begin = 0; begin < keys.size();) {
      const std::size_t end = std::min(keys.find(',', begin), keys.size());
      found = found || (key == keys.substr(begin, end - begin) && says_anything(value));
      begin = end + 1;
    }
  });
  return found;
}

bool mentions(const Node& config, std::string_view text) {
  bool found = false;
  for_each_member(config, [&](const std::string&, const Node& value) { found = found || value.text == text; });
  return found;
}

std::vector<std::string> split(std::string_view names) {
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    list.emplace_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

// Returns the headers that mutations name; empty if some are not named.
std::vector<std::string> mutated_headers(const Node& mutations) {
  std::vector<std::string> names;
  bool others = false;
  const auto take = [&names](const Node& value) {
    if (!value.text.empty()) {
      names.push_back(config::to_lower_ascii(value.text));
    }
    for (const Node& item : value.items) {
      names.push_back(config::to_lower_ascii(item.text));
    }
  };
  if (mutations.kind == documents::Kind::array) {
    take(mutations);  // a list of names
  }
  for_each_member(mutations, [&](const std::string& key, const Node& value) {
    if (key == "key" || key == "remove" || key == "request_headers_to_remove") {
      take(value);
    }
    others = others || key == "remove_on_match" || key == "query_parameter_mutations";
  });
  return others ? std::vector<std::string>{} : names;
}

// True if all extensions of a list are mutations that name their headers.
bool mutates_only(const Node& extensions) {
  return std::all_of(extensions.items.begin(), extensions.items.end(), [](const Node& extension) {
    const Node* const config = proxy::find_value(extension, "typed_config");
    return config != nullptr && proxy::type_of(*config).ends_with(".HeaderMutation");
  });
}

// Returns a typed_config without wrappers.
const Node* unwrapped(const Node* config) {
  if (config == nullptr) {
    return nullptr;
  }
  if (proxy::type_of(*config) == "envoy.extensions.common.matching.v3.ExtensionWithMatcher") {
    const Node* const extension = proxy::find_value(*config, "extension_config");
    return extension == nullptr ? nullptr : proxy::find_value(*extension, "typed_config");
  }
  return config;
}

std::string type_of_filter(const Node* config) {
  if (config == nullptr) {
    return "";
  }
  std::string type = proxy::type_of(*config);
  if (type == "udpa.type.v1.TypedStruct" || type == "xds.type.v3.TypedStruct") {
    const std::string url = proxy::text_at(*config, "type_url");
    return url.substr(url.find_last_of('/') + 1);
  }
  return type;
}

class Collector {
 public:
  // Adds the effects of fields. `own` names their owner, for notes.
  void add_fields(const Node& object, std::string_view message, const std::string& own) {
    for (const documents::Member& member : object.members) {
      const std::string name = proxy::in_snake_case(member.key);
      if (name.starts_with('@')) {
        continue;
      }
      const api::FieldEffect effect = api::effect_of(message, name);
      if (effect.effect == api::Effect::simulated || effect.effect == api::Effect::none ||
          !says_anything(member.value) ||
          (name.starts_with("forward_client_cert") && member.value.text == "SANITIZE")) {
        continue;
      }
      if (name == "internal_only_headers" ||
          (name == "early_header_mutation_extensions" && mutates_only(member.value))) {
        add(effect, in_ticks(name) + " of " + own, &member.value);
        continue;
      }
      const bool of_manager = message == manager_message || message == options_message;
      add(effect, in_ticks(name) + " of " + own, nullptr, !of_manager || effect.written.empty());
    }
    for (const char* const key : {"request_headers_to_add", "request_headers_to_remove"}) {
      const Node* const list = proxy::find_value(object, key);
      if (list != nullptr && says_anything(*list) && (message == host_message || message == routes_message)) {
        Node mutations;
        mutations.kind = documents::Kind::object;
        mutations.members.push_back({key, list->span, *list});
        add({key, api::Effect::changes, api::part::headers | api::part::after_filters, {}, {}},
            in_ticks(key) + " of " + own, &mutations);
      }
    }
  }

  void add_filter(std::string_view message, const char* kind, const std::string& name, const Node* config,
                  const Node* per_route) {
    config = unwrapped(config);
    const std::string type = type_of_filter(config);
    const api::FieldEffect effect = api::effect_of(message, type);
    const Node* const acting = per_route == nullptr ? config : per_route;
    if (effect.effect == api::Effect::simulated || effect.effect == api::Effect::none ||
        (acting != nullptr && !effect.needs.empty() && !has_any_key(*acting, effect.needs)) ||
        (per_route != nullptr && proxy::is_true(*per_route, "disabled")) ||
        (acting != nullptr && effect.effect == api::Effect::changes && effect.parts == api::part::metadata &&
         !mentions(*acting, "envoy.lb"))) {
      return;
    }
    const bool mutates = type.find("header_mutation") != std::string::npos && per_route == nullptr;
    add(effect, std::string(kind) + " " + in_ticks(name.empty() ? type : name), mutates ? acting : nullptr);
  }

  [[nodiscard]] PassedFields take() && { return std::move(passed_); }
  void write(Writer writer) { passed_.writers.push_back(std::move(writer)); }
  void read(std::string header) {
    auto& reads = passed_.route_reads;
    if (std::find(reads.begin(), reads.end(), header) == reads.end()) {
      reads.push_back(std::move(header));
    }
  }

 private:
  // Adds an effect. `mutations` name the headers that it writes; if null, the table names them. `noted` is false for
  // effects that only matter to readers of a few headers.
  void add(const api::FieldEffect& effect, const std::string& who, const Node* mutations, bool noted = true) {
    const bool may_change = effect.effect != api::Effect::answers;
    if (noted) {
      passed_.notes.push_back(who + (may_change ? " lets the request pass unchanged" : " lets the request pass"));
    }
    if (may_change && effect.parts != api::part::nothing) {
      passed_.writers.push_back(
          {who, effect.parts, mutations == nullptr ? split(effect.written) : mutated_headers(*mutations)});
    }
  }

  PassedFields passed_;
};

void add_connection(const proxy::Entrance& entrance, Collector& collected) {
  if (entrance.listener_node == nullptr) {
    return;
  }
  collected.add_fields(*entrance.listener_node, listener_message, "the listener");
  for (const Node* const filter : proxy::items_at(*entrance.listener_node, "listener_filters")) {
    const Node* const config = proxy::find_value(*filter, "typed_config");
    // Older documents name listener filters without a configuration.
    if (config != nullptr) {
      collected.add_filter(api::listener_filters, "listener filter", proxy::text_at(*filter, "name"), config, nullptr);
    }
  }
  if (entrance.chain == nullptr) {
    return;
  }
  collected.add_fields(*entrance.chain, chain_message, "the filter chain");
  for (const Node* const filter : proxy::items_at(*entrance.chain, "filters")) {
    const Node* const config = proxy::find_value(*filter, "typed_config");
    if (config == entrance.manager || config == entrance.tcp_proxy) {
      break;  // the last one
    }
    collected.add_filter(api::network_filters, "network filter", proxy::text_at(*filter, "name"), config, nullptr);
  }
}

void add_manager(const Node& manager, const envoy::routes::Request& request, bool source_known, Collector& collected) {
  collected.add_fields(manager, manager_message, "the connection manager");
  if (const Node* const options = proxy::find_value(manager, "common_http_protocol_options")) {
    collected.add_fields(*options, options_message, "the connection manager");
  }
  // Headers that are always stripped or set, whatever the configuration: they are internal to a mesh.
  Writer always{"the connection manager", api::part::headers | api::part::route, {"x-envoy-*"}};
  if (proxy::is_true(manager, "use_remote_address") && !source_known) {
    always.headers.emplace_back("x-forwarded-for");
  }
  collected.write(std::move(always));
  constexpr const char* id = "x-request-id";
  const api::MessageView view(manager);
  const bool generates = view.flag("generate_request_id", true);
  const bool may_replace = generates && !is_generated_id(request, id) && request.remote_address_unknown &&
                           view.flag("use_remote_address") && view.has("internal_address_config") &&
                           !view.flag("preserve_external_request_id");
  // Hash policies read an id if there is none, and routes are matched as if one that is brought were kept.
  const bool has_none = is_generated_id(request, id) && !generates;
  if (has_none || may_replace) {
    const auto parts = static_cast<std::uint8_t>(api::part::headers | (has_none ? 0 : api::part::route));
    collected.write({"`generate_request_id` of the connection manager", parts, {id}});
  }
}

void add_filters(const Node& manager, const proxy::ChosenRoute& chosen, Collector& collected) {
  for (const proxy::HttpFilter& filter : proxy::http_filters(manager, chosen)) {
    const Node* const acting = filter.per_route == nullptr ? filter.config : filter.per_route;
    if (acting == nullptr || !proxy::is_simulated_delay(*acting)) {
      collected.add_filter(api::http_filters, "HTTP filter", filter.name, filter.config, filter.per_route);
    }
  }
  const Node* const action = proxy::find_value(*chosen.route, "route");
  const Node* const weighted = action == nullptr ? nullptr : proxy::find_value(*action, "weighted_clusters");
  const auto clusters = weighted == nullptr ? std::vector<const Node*>{} : proxy::items_at(*weighted, "clusters");
  for (const Node* const cluster : clusters) {
    const Node* const filters = proxy::find_value(*cluster, "typed_per_filter_config");
    for (std::size_t i = 0; filters != nullptr && i < filters->members.size(); ++i) {
      const documents::Member& filter = filters->members[i];
      const Node* const config = proxy::without_filter_config(filter.value);
      if (config != nullptr) {
        collected.add_filter(api::http_filters, "HTTP filter", filter.key + " of a weighted cluster", config, config);
      }
    }
  }
}

// Adds the headers that decide which route of the configuration matches a request. Routes after the chosen one, and
// those that the path excludes, read nothing else.
void add_route_reads(const proxy::ChosenRoute& chosen, const envoy::routes::Request& request, Collector& collected) {
  const std::string* const path = first_value(request, ":path");
  const bool path_counts =
      path != nullptr && !proxy::is_true(*chosen.configuration, "ignore_path_parameters_in_path_matching");
  const Node* const hosts = proxy::find_value(*chosen.configuration, "virtual_hosts");
  if (hosts != nullptr && hosts->items.size() > 1) {
    const std::string header = proxy::text_at(*chosen.configuration, "vhost_header");
    collected.read(header.empty() ? ":authority" : config::to_lower_ascii(header));
  }
  const std::vector<const Node*> routes = proxy::routes_of(*chosen.virtual_host);
  for (const Node* const one : routes) {
    const Node* const match = proxy::find_value(*one, "match");
    if (match == nullptr) {
      continue;
    }
    if (proxy::text_at(*match, "prefix") != "/" || proxy::find_value(*match, "query_parameters") != nullptr) {
      collected.read(":path");
    }
    if (path_counts && proxy::has_other_path(*match, *path)) {
      continue;
    }
    if (proxy::find_value(*match, "grpc") != nullptr) {
      collected.read("content-type");
    }
    if (proxy::find_value(*match, "cookies") != nullptr) {
      collected.read("cookie");
    }
    if (proxy::find_value(*match, "dynamic_metadata") != nullptr) {
      collected.read("dynamic metadata");
    }
    for (const Node* const header : proxy::items_at(*match, "headers")) {
      collected.read(config::to_lower_ascii(proxy::text_at(*header, "name")));
    }
    if (one == chosen.route) {
      break;
    }
  }
  if (const Node* const matcher = proxy::find_value(*chosen.virtual_host, "matcher")) {
    for_each_member(*matcher, [&](const std::string& key, const Node& value) {
      if (key == "header_name") {
        collected.read(config::to_lower_ascii(value.text));
      }
    });
  }
}

}  // namespace

PassedFields passed_fields(const proxy::Entrance& entrance, const proxy::ChosenRoute& chosen,
                           const envoy::routes::Request& request, bool source_known) {
  Collector collected;
  add_connection(entrance, collected);
  if (entrance.manager != nullptr) {
    add_manager(*entrance.manager, request, source_known, collected);
  }
  const std::string host = proxy::text_at(*chosen.virtual_host, "name");
  collected.add_fields(*chosen.configuration, routes_message, "the route configuration");
  collected.add_fields(*chosen.virtual_host, host_message, "virtual host " + in_ticks(host));
  if (entrance.manager != nullptr) {
    add_filters(*entrance.manager, chosen, collected);
  }
  add_route_reads(chosen, request, collected);
  return std::move(collected).take();
}

PassedFields passed_fields(const proxy::Entrance& entrance) {
  Collector collected;
  add_connection(entrance, collected);
  return std::move(collected).take();
}

}  // namespace spillway::scenario::envoy_binding
