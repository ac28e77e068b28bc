#include "models/envoy/proxy/settled_route.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/node_edit.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/fault.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/proxy/http_filters.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

constexpr std::string_view session_filter = "envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
constexpr std::string_view session_per_route =
    "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute";

Node* find(Node& object, std::string_view key) {
  return find_value(object, key);
}

void set(Node& object, const std::string& key, Node value) {
  erase_key(object, key);
  const Span where = value.span;
  object.members.push_back({key, where, std::move(value)});
}

Node object_at(Span where) {
  Node node;
  node.kind = documents::Kind::object;
  node.span = where;
  node.protobuf = true;
  return node;
}

Node text_node(std::string text, Span where) {
  Node node;
  node.kind = documents::Kind::string;
  node.span = where;
  node.text = std::move(text);
  return node;
}

// Returns a connection manager's filter as a per-route configuration, for routes without one.
std::optional<Node> per_route_of(const Node& config) {
  const std::string type = type_of(config);
  if (type == messages::header_to_metadata_type || is_simulated_delay(config)) {
    return config;
  }
  if (type != session_filter) {
    return std::nullopt;
  }
  Node own = config;
  erase_key(own, "@type");
  if (own.members.empty()) {
    return std::nullopt;
  }
  Node per_route = object_at(config.span);
  set(per_route, "@type", text_node("type.googleapis.com/" + std::string(session_per_route), config.span));
  set(per_route, "stateful_session", std::move(own));
  return per_route;
}

// Returns the effective filters of a route by name. Its own settings override its virtual host's, then the
// configuration's, then the connection manager's. Filters that are not simulated are ignored.
Node filters_of(const ChosenRoute& chosen, const Node* manager) {
  Node filters = object_at(chosen.route->span);
  const auto is_simulated = [](const Node& config) {
    const std::string type = type_of(config);
    return type == session_per_route || type == messages::header_to_metadata_type || is_simulated_delay(config);
  };
  if (manager != nullptr) {
    for (const HttpFilter& filter : http_filters(*manager, chosen)) {
      auto own = filter.config == nullptr ? std::nullopt : per_route_of(*filter.config);
      if (filter.per_route != nullptr && is_simulated(*filter.per_route)) {
        own = *filter.per_route;
      }
      if (own) {
        set(filters, filter.name, *std::move(own));
      }
    }
    return filters;
  }
  for (const Node* const level : {chosen.configuration, chosen.virtual_host, chosen.route}) {
    const Node* const own = find_value(*level, "typed_per_filter_config");
    for (std::size_t i = 0; own != nullptr && i < own->members.size(); ++i) {
      const documents::Member& filter = own->members[i];
      const Node* const config = without_filter_config(filter.value);
      if (config != nullptr && is_simulated(*config)) {
        set(filters, filter.key, *config);
      }
    }
  }
  return filters;
}

// A hash policy of TCP proxies.
struct ConnectionHashPolicy {
  [[maybe_unused]] static constexpr const char* definition = "envoy.type.v3.HashPolicy";
  grammar::Field<const Node*> source_ip;
  grammar::Field<const Node*> filter_state;
};

void describe(grammar::Fields& fields, ConnectionHashPolicy& policy) {
  fields.message();
  fields.optional("source_ip", policy.source_ip, messages::Unread{}, "the client's address");
  fields.optional("filter_state", policy.filter_state, messages::Unread{}, "an object of a filter");
  fields.exactly_one({"source_ip", "filter_state"});
}

// Returns the hash policies of a TCP proxy as for a route: both hash the same text of an address.
Node hash_policies_of_connections(const Node& list, Diagnostics& problems) {
  Node policies = list;
  policies.items.clear();
  for (const Node& item : list.items) {
    ConnectionHashPolicy read;
    grammar::Record<ConnectionHashPolicy>{}.read(item, read, "hash_policy", problems);
    Node policy = object_at(item.span);
    if (read.source_ip.present) {
      Node yes;
      yes.kind = documents::Kind::boolean;
      yes.boolean = true;
      yes.span = item.span;
      Node properties = object_at(item.span);
      set(properties, "source_ip", std::move(yes));
      set(policy, "connection_properties", std::move(properties));
    } else if (read.filter_state.present) {
      set(policy, "filter_state", **read.filter_state);
    } else {
      continue;  // already reported
    }
    policies.items.push_back(std::move(policy));
  }
  return policies;
}

// Returns the headers that an action's hash policies read, in lower case.
std::vector<std::string> hashed_headers(const Node& action) {
  std::vector<std::string> names;
  for (const Node* const policy : items_at(action, "hash_policy")) {
    if (const Node* const header = find_value(*policy, "header")) {
      names.push_back(config::to_lower_ascii(text_at(*header, "header_name")));
    } else if (find_value(*policy, "cookie") != nullptr) {
      names.emplace_back("cookie");
    }
  }
  return names;
}

// Removes the changes of headers of a route or a weighted cluster, unless one changes any of `hashed`: only hash
// policies read them, once the route is chosen.
void drop_idle_headers(Node& owner, const std::vector<std::string>& hashed) {
  const auto is_hashed = [&](const std::string& name) {
    return std::find(hashed.begin(), hashed.end(), config::to_lower_ascii(name)) != hashed.end();
  };
  const std::vector<const Node*> added = items_at(owner, "request_headers_to_add");
  const std::vector<const Node*> removed = items_at(owner, "request_headers_to_remove");
  const bool adds = std::any_of(added.begin(), added.end(), [&](const Node* item) {
    const Node* const header = find_value(*item, "header");
    return header != nullptr && is_hashed(text_at(*header, "key"));
  });
  if (!adds && std::none_of(removed.begin(), removed.end(), [&](const Node* name) { return is_hashed(name->text); })) {
    erase_key(owner, "request_headers_to_add");
    erase_key(owner, "request_headers_to_remove");
  }
}

// True if a hash policy reads the path, or its parameters.
bool hashes_path(const Node& action) {
  const std::vector<const Node*> policies = items_at(action, "hash_policy");
  return std::any_of(policies.begin(), policies.end(), [](const Node* policy) {
    const Node* const header = find_value(*policy, "header");
    const std::string name = header == nullptr ? "" : config::to_lower_ascii(text_at(*header, "header_name"));
    return name == ":path" || name == "x-envoy-original-path" || find_value(*policy, "query_parameter") != nullptr;
  });
}

// Removes what acts only on answers that upstreams are taken not to give, after timeouts, or on what nothing reads.
void drop_unmet_keys(Node& action, std::vector<std::string>& notes) {
  for (const char* const key : {"internal_redirect_policy", "internal_redirect_action", "max_internal_redirects"}) {
    if (find_value(action, key) != nullptr) {
      notes.push_back("upstreams send no redirects, which " + in_ticks(key) + " would follow");
      erase_key(action, key);
    }
  }
  // Envoy has no code for the other fields of a HedgePolicy.
  const Node* const hedge = find_value(action, "hedge_policy");
  const Node* const retries = find_value(action, "retry_policy");
  if (hedge != nullptr && (!is_true(*hedge, "hedge_on_per_try_timeout") || retries == nullptr ||
                           find_value(*retries, "per_try_timeout") == nullptr)) {
    erase_key(action, "hedge_policy");
  }
  if (!hashes_path(action)) {
    erase_key(action, "path_rewrite");
    erase_key(action, "path_rewrite_policy");
  }
}

// Removes keys of actions that do not affect the request's own shares.
void drop_idle_keys(Node& route, Node& action, std::vector<std::string>& notes) {
  if (find_value(action, "request_mirror_policies") != nullptr) {
    notes.emplace_back("mirrored requests are not counted");
  }
  if (find_value(action, "rate_limits") != nullptr) {
    notes.emplace_back("rate limits are not simulated: they may reject requests before they are balanced");
  }
  for (const char* const key : {"request_mirror_policies", "rate_limits", "include_vh_rate_limits"}) {
    erase_key(action, key);
  }
  const std::vector<std::string> hashed = hashed_headers(action);
  drop_idle_headers(route, hashed);
  if (Node* const weighted = find(action, "weighted_clusters")) {
    Node* const clusters = find(*weighted, "clusters");
    for (std::size_t i = 0; clusters != nullptr && i < clusters->items.size(); ++i) {
      drop_idle_headers(clusters->items[i], hashed);
      erase_key(clusters->items[i], "typed_per_filter_config");
    }
  }
}

}  // namespace

bool is_simulated_delay(const Node& config) {
  const Node* const delay = find_value(config, "delay");
  const auto only_delays = [](const documents::Member& member) {
    const std::string key = in_snake_case(member.key);
    return key == "@type" || key == "delay" || key.ends_with("_runtime") || is_empty(member.value);
  };
  return type_of(config) == messages::fault_type && delay != nullptr && find_value(*delay, "fixed_delay") != nullptr &&
         std::all_of(config.members.begin(), config.members.end(), only_delays);
}

Node settled_route(const ChosenRoute& chosen, const Node* manager, std::vector<std::string>& notes) {
  Node route = *chosen.route;
  erase_key(route, "@type");  // from a matcher's action
  set(route, "match", chosen.match);
  Node filters = filters_of(chosen, manager);
  erase_key(route, "typed_per_filter_config");
  if (!filters.members.empty()) {
    set(route, "typed_per_filter_config", std::move(filters));
  }
  if (Node* const action = find(route, "route")) {
    for (const char* const key : {"retry_policy", "hedge_policy"}) {
      const Node* const of_host = find_value(*chosen.virtual_host, key);
      if (of_host != nullptr && find_value(*action, key) == nullptr) {
        set(*action, key, *of_host);
      }
    }
    drop_unmet_keys(*action, notes);
    drop_idle_keys(route, *action, notes);
  }
  return route;
}

Node route_of_proxy(const Node& proxy, Diagnostics& problems) {
  Node match = object_at(proxy.span);
  set(match, "prefix", text_node("", proxy.span));
  Node action = object_at(proxy.span);
  for (const char* const key : {"cluster", "weighted_clusters", "metadata_match"}) {
    if (const Node* const value = find_value(proxy, key)) {
      set(action, key, *value);
    }
  }
  if (const Node* const policies = find_value(proxy, "hash_policy")) {
    set(action, "hash_policy", hash_policies_of_connections(*policies, problems));
  }
  Node whole = object_at(proxy.span);
  set(whole, "match", std::move(match));
  set(whole, "route", std::move(action));
  return whole;
}

}  // namespace spillway::proxy
