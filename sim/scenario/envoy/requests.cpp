#include "sim/scenario/envoy/requests.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/scenario/envoy/kinds.hpp"
#include "sim/scenario/envoy/named_cluster.hpp"
#include "sim/scenario/envoy/path_options.hpp"
#include "sim/scenario/envoy/route_choice.hpp"
#include "sim/scenario/envoy/route_tables.hpp"
#include "sim/scenario/grammar/fields.hpp"
#include "sim/scenario/meaning/routes.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/written/header_to_metadata.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

using document::Node;

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
  node.kind = document::Kind::object;
  node.span = where;
  node.protobuf = true;
  return node;
}

Node text_node(std::string text, Span where) {
  Node node;
  node.kind = document::Kind::string;
  node.span = where;
  node.text = std::move(text);
  return node;
}

// What a filter of the connection manager does for a route that says nothing of it, as a route would say it.
std::optional<Node> per_route_of(const Node& config) {
  const std::string type = type_of(config);
  if (type == written::header_to_metadata_type) {
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

// The filters that count for a route, by name: its own before its virtual host's, before the configuration's, before
// what the connection manager says. Others than those that are simulated are passed over.
Node filters_of(const ChosenRoute& chosen, const Node* manager) {
  Node filters = object_at(chosen.route->span);
  if (const Node* const list = manager == nullptr ? nullptr : find_value(*manager, "http_filters")) {
    for (const Node& filter : list->items) {
      const Node* const config = find_value(filter, "typed_config");
      if (auto per_route = config == nullptr ? std::nullopt : per_route_of(*config)) {
        set(filters, text_at(filter, "name"), *std::move(per_route));
      }
    }
  }
  for (const Node* const level : {chosen.configuration, chosen.virtual_host, chosen.route}) {
    const Node* const own = find_value(*level, "typed_per_filter_config");
    for (std::size_t i = 0; own != nullptr && i < own->members.size(); ++i) {
      const document::Member& filter = own->members[i];
      const std::string type = type_of(filter.value);
      if (type == session_per_route || type == written::header_to_metadata_type) {
        set(filters, filter.key, filter.value);
      }
    }
  }
  return filters;
}

// Keys of actions that no share of the request itself depends on.
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
  // A header that is added is looked at by hash policies alone, once the route is chosen.
  if (find_value(action, "hash_policy") == nullptr) {
    Node* const weighted = find(action, "weighted_clusters");
    Node* const clusters = weighted == nullptr ? nullptr : find(*weighted, "clusters");
    for (const char* const key : {"request_headers_to_add", "request_headers_to_remove"}) {
      erase_key(route, key);
      for (std::size_t i = 0; clusters != nullptr && i < clusters->items.size(); ++i) {
        erase_key(clusters->items[i], key);
      }
    }
  }
  if (Node* const weighted = find(action, "weighted_clusters")) {
    Node* const clusters = find(*weighted, "clusters");
    for (std::size_t i = 0; clusters != nullptr && i < clusters->items.size(); ++i) {
      erase_key(clusters->items[i], "typed_per_filter_config");
    }
  }
}

// The route as a scenario could have it: with what its virtual host and the filters say for it.
Node settled_route(const ChosenRoute& chosen, const Node* manager, std::vector<std::string>& notes) {
  Node route = *chosen.route;
  erase_key(route, "@type");  // of a matcher's action
  set(route, "match", chosen.match);
  Node filters = filters_of(chosen, manager);
  erase_key(route, "typed_per_filter_config");
  if (!filters.members.empty()) {
    set(route, "typed_per_filter_config", std::move(filters));
  }
  if (Node* const action = find(route, "route")) {
    const Node* const retries = find_value(*chosen.virtual_host, "retry_policy");
    if (retries != nullptr && find_value(*action, "retry_policy") == nullptr) {
      set(*action, "retry_policy", *retries);
    }
    drop_idle_keys(route, *action, notes);
  }
  return route;
}

std::string described(const ChosenRoute& chosen) {
  const std::string name = text_at(*chosen.route, "name");
  const std::string host = text_at(*chosen.virtual_host, "name");
  return "virtual host " + in_ticks(host) + ", " +
         (name.empty() ? "the route in " + place(chosen.route->span) : "route " + in_ticks(name));
}

std::string name_of(const ChosenRoute& chosen) {
  const std::string name = text_at(*chosen.route, "name");
  return (name.empty() ? "route" : "route " + in_ticks(name)) + " of virtual host " +
         in_ticks(text_at(*chosen.virtual_host, "name"));
}

class Router {
 public:
  Router(const Index& index, const RequestDescription& description, envoy::routes::Request request,
         Diagnostics& problems)
      : index_(index), description_(description), request_(std::move(request)), problems_(problems) {}

  std::optional<RoutedRequest> route(const std::vector<Entrance>& entrances) {
    std::vector<RoutedRequest> found;
    Diagnostics undecided;
    for (const Entrance& entrance : entrances) {
      if (entrance.tcp_proxy != nullptr) {
        if (!description_.listener.empty()) {
          add(through_proxy(entrance), found);
        }
        continue;
      }
      const auto request = forwarded(entrance, undecided);
      for (std::size_t i = 0; request && i < entrance.routes.size(); ++i) {
        if (const auto chosen = choose_route(index_.virtual_hosts(*entrance.routes[i]), *request, undecided)) {
          add(through_route(*chosen, entrance, *request), found);
        }
      }
    }
    if (found.empty()) {
      report_no_route(entrances, std::move(undecided));
      return std::nullopt;
    }
    if (std::any_of(found.begin(), found.end(),
                    [&](const auto& other) { return other.clusters != found[0].clusters; })) {
      report_several(found);
      return std::nullopt;
    }
    RoutedRequest& first = found.front();
    problems_.insert(problems_.end(), diagnostics_.front().begin(), diagnostics_.front().end());
    return std::move(first);
  }

 private:
  void add(RoutedRequest routed, std::vector<RoutedRequest>& found) {
    diagnostics_.push_back(std::move(current_));
    current_ = {};
    found.push_back(std::move(routed));
  }

  // As routes see it; nothing: the connection manager answers it itself.
  [[nodiscard]] std::optional<envoy::routes::Request> forwarded(const Entrance& entrance,
                                                                Diagnostics& undecided) const {
    envoy::routes::Request request = request_;
    for (auto& [name, value] : request.headers) {
      if (name != ":path") {
        continue;
      }
      // Before any route, whatever the connection manager says.
      if (value.find('#') != std::string::npos) {
        undecided.push_back(
            with_note(error("SP151", "a request that ends at the proxy",
                            entrance.manager != nullptr ? entrance.manager->span : Span{},
                            "its path has a fragment, `#` and what follows, which Envoy answers with a 400"),
                      "no cluster gets it, so there are no shares"));
        return std::nullopt;
      }
      std::optional<std::string> path = forwarded_path(entrance.manager, value);
      if (!path) {
        undecided.push_back(with_note(error("SP151", "a request that ends at the proxy",
                                            find_value(*entrance.manager, "path_with_escaped_slashes_action")->span,
                                            "its path has escaped slashes"),
                                      "no cluster gets it, so there are no shares"));
        return std::nullopt;
      }
      value = *std::move(path);
    }
    return request;
  }

  RoutedRequest through_route(const ChosenRoute& chosen, const Entrance& entrance,
                              const envoy::routes::Request& request) {
    RoutedRequest routed = named();
    routed.request = request;
    Node settled = settled_route(chosen, entrance.manager, routed.notes);
    routed.notes.insert(
        routed.notes.begin(),
        "requests enter by " + (entrance.listener.empty() ? "" : "listener " + in_ticks(entrance.listener) + ", ") +
            (entrance.match.empty() ? "" : "filter chain of " + entrance.match + ", ") + described(chosen));
    if (!name_cluster(settled, *chosen.configuration, request, routed.notes, current_)) {
      return routed;
    }
    for (const char* const nowhere : {"redirect", "direct_response", "filter_action", "non_forwarding_action"}) {
      if (find_value(settled, nowhere) != nullptr) {
        current_.push_back(with_note(error("SP151", "a request that ends at the proxy", chosen.route->span,
                                           "this route answers with " + in_ticks(nowhere)),
                                     "no cluster gets it, so there are no shares"));
        return routed;
      }
    }
    written::Route written;
    grammar::Record<written::Route>{}.read(settled, written, "the route", current_);
    read(written, routed);
    routed.route.loosened = chosen.loosened;
    routed.route.origins = {{name_of(chosen), chosen.route->span}};
    return routed;
  }

  // A TcpProxy as a route for all: it picks like a route does, without headers.
  RoutedRequest through_proxy(const Entrance& entrance) {
    RoutedRequest routed = named();
    routed.notes.push_back("connections enter by the TCP proxy of listener " + in_ticks(entrance.listener));
    const Node& proxy = *entrance.tcp_proxy;
    Node match = object_at(proxy.span);
    set(match, "prefix", text_node("", proxy.span));
    Node action = object_at(proxy.span);
    for (const char* const key : {"cluster", "weighted_clusters", "metadata_match", "hash_policy"}) {
      if (const Node* const value = find_value(proxy, key)) {
        set(action, key, *value);
      }
    }
    Node whole = object_at(proxy.span);
    set(whole, "match", std::move(match));
    set(whole, "route", std::move(action));
    written::Route written;
    grammar::Record<written::Route>{}.read(whole, written, "the TCP proxy", current_);
    read(written, routed);
    routed.route.origins = {{"TCP proxy of listener " + in_ticks(entrance.listener), proxy.span}};
    return routed;
  }

  void read(const written::Route& written, RoutedRequest& routed) {
    const auto service_of = [&](const grammar::Field<std::string>& name) {
      routed.clusters.push_back(name.value_or(""));
      return config::ServiceIndex{0};
    };
    routed.route = meaning::read_route(written, service_of, current_);
    routed.route.clusters.clear();
    if (hashes_unknown_source(routed)) {
      routed.notes.emplace_back(
          "a hash policy reads the address that the request comes from: without --source it may be any");
    }
    routed.retry_policy = written.route->source.key_of("retry_policy").value_or(Span{});
  }

  // Whether what is hashed of the request depends on where it comes from.
  static bool hashes_unknown_source(const RoutedRequest& routed) {
    if (!routed.request.remote_address_unknown) {
      return false;
    }
    envoy::routes::Request without = routed.request;
    without.remote_address_unknown = false;
    envoy::routes::Request from = without;
    from.remote_address = "192.0.2.1:40000";
    const auto& policies = routed.route.route.action.hash_policy;
    return envoy::routes::hash_of(policies, from).hash != envoy::routes::hash_of(policies, without).hash;
  }

  RoutedRequest named() {
    RoutedRequest routed;
    routed.request = request_;
    routed.name = description_.host + description_.path;
    return routed;
  }

  void report_no_route(const std::vector<Entrance>& entrances, Diagnostics undecided) {
    if (has_errors(undecided)) {
      problems_.insert(problems_.end(), undecided.begin(), undecided.end());
      return;
    }
    const Node* const first = entrances.front().manager != nullptr     ? entrances.front().manager
                              : entrances.front().tcp_proxy != nullptr ? entrances.front().tcp_proxy
                                                                       : entrances.front().routes.front();
    Diagnostic problem = error("SP150", "no way for the request", first->span,
                               "no route takes " + in_ticks(description_.host + description_.path));
    std::vector<std::string> missing;
    for (const Entrance& entrance : entrances) {
      missing.insert(missing.end(), entrance.missing.begin(), entrance.missing.end());
    }
    if (!missing.empty()) {
      missing.resize(std::min<std::size_t>(missing.size(), 12));
      problem.helps.push_back("the documents lack the route configurations " + grammar::listed(missing, "and") +
                              "; give them too");
    }
    problem.notes.emplace_back("Envoy answers 404; --host, --path and --header describe the request");
    problems_.push_back(std::move(problem));
  }

  void report_several(const std::vector<RoutedRequest>& found) {
    Diagnostic problem = error("SP152", "a request with several ways to different clusters", Span{},
                               "choose one with --listener LISTENER, or LISTENER/CHAIN of its filter chains");
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 12); ++i) {
      problem.notes.push_back(found[i].notes.front() + ": to " + grammar::listed(found[i].clusters, "and"));
    }
    problems_.push_back(std::move(problem));
  }

  const Index& index_;
  const RequestDescription& description_;
  envoy::routes::Request request_;
  Diagnostics& problems_;
  Diagnostics current_;
  std::vector<Diagnostics> diagnostics_;
};

}  // namespace

envoy::routes::Request request_of(const RequestDescription& description) {
  envoy::routes::Request request;
  const auto add = [&](const char* name, const std::string& value) {
    const bool given = std::any_of(description.headers.begin(), description.headers.end(), [&](const auto& header) {
      return envoy::routes::same_header_name(header.first, name);
    });
    if (!given && !value.empty()) {
      request.headers.emplace_back(name, value);
    }
  };
  add(":method", "GET");
  add(":authority", description.host);
  add(":path", description.path);
  request.headers.insert(request.headers.end(), description.headers.begin(), description.headers.end());
  request.remote_address = description.source;
  request.remote_address_unknown = !description.source;
  return request;
}

std::optional<RoutedRequest> route_request(const Documents& documents, const Index& index,
                                           const RequestDescription& description, Diagnostics& problems) {
  const envoy::routes::Request request = request_of(description);
  const auto ways = entrances(documents, index, description, request, problems);
  if (ways.empty()) {
    return std::nullopt;
  }
  return Router(index, description, request, problems).route(ways);
}

std::size_t check_routes(const Resource& configuration, Diagnostics& problems) {
  std::size_t count = 0;
  const Node* const hosts = find_value(*configuration.node, "virtual_hosts");
  for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
    for (const Node* const item : routes_of(hosts->items[i])) {
      ++count;
      const Node& route = *item;
      const Node* const match = find_value(route, "match");
      const ChosenRoute chosen{configuration.node, &hosts->items[i], &route, match == nullptr ? Node() : *match};
      std::vector<std::string> notes;
      const Node settled = settled_route(chosen, nullptr, notes);
      // A cluster that the request names is known with a request only.
      const Node* const action = find_value(settled, "route");
      const auto names = [&](const char* key) { return find_value(*action, key) != nullptr; };
      if (action != nullptr && !names("cluster_header") && !names("cluster_specifier_plugin") &&
          !names("inline_cluster_specifier_plugin")) {
        written::Route written;
        grammar::Record<written::Route>{}.read(settled, written, "the route", problems);
      }
    }
  }
  return count;
}

}  // namespace spillway::scenario::envoy_documents
