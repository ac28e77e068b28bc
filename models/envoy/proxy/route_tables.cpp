#include "models/envoy/proxy/route_tables.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/filter_chains.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/scopes.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

constexpr std::string_view manager_type =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
constexpr std::string_view tcp_proxy_type = "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy";

// Returns a fragment of a scope's key, by its builder's extractor; nullopt if the request has none.
std::optional<std::string> fragment_of(const Node& extractor, const envoy::routes::Request& request) {
  const std::string* const value = first_value(request, text_at(extractor, "name"));
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::string separator = text_at(extractor, "element_separator");
  const Node* const index = find_value(extractor, "index");
  const Node* const element = find_value(extractor, "element");
  std::string_view rest = *value;
  for (std::uint64_t position = 0;; ++position) {
    const std::size_t end = separator.empty() ? rest.size() : std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (element != nullptr) {
      const std::string between = text_at(*element, "separator");
      const std::size_t at = part.find(between);
      if (at != std::string_view::npos && part.substr(0, at) == text_at(*element, "key")) {
        return std::string(part.substr(at + between.size()));
      }
    } else if (position == (index == nullptr ? 0 : index->magnitude)) {
      return std::string(part);
    }
    if (end >= rest.size()) {
      return std::nullopt;
    }
    rest.remove_prefix(end + separator.size());
  }
}

class Finder {
 public:
  Finder(const Documents& documents, const Index& index, const envoy::routes::Request& request)
      : documents_(documents), index_(index), request_(request) {}

  // Adds the entrances of one filter chain; empty `chain`: of all.
  void add(const Node& listener, const std::string& chain, std::vector<Entrance>& entrances) {
    const std::string name = name_of_listener(listener);
    auto chains = items_at(listener, "filter_chains");
    if (const Node* const otherwise = find_value(listener, "default_filter_chain")) {
      chains.push_back(otherwise);
    }
    const bool several = chains.size() > 1;
    if (chain.empty()) {
      chains = chains_for(listener, request_);
    }
    for (const Node* const one : chains) {
      const std::string own = text_at(*one, "name");
      if (chain.empty() || own == chain) {
        const std::size_t first = entrances.size();
        find_filters(*one, several && !own.empty() ? fmt::format("{}/{}", name, own) : name, entrances);
        for (std::size_t entrance = first; entrance < entrances.size(); ++entrance) {
          entrances[entrance].listener_node = &listener;
          entrances[entrance].chain = one;
          entrances[entrance].match = several ? match_text(*one) : "";
        }
      }
    }
    if (const Node* const api = find_value(listener, "api_listener"); api != nullptr && chain.empty()) {
      find_filters(*api, name, entrances);
    }
  }

 private:
  // Returns "server_names a.example, *.b.example; destination_port 8443".
  static std::string match_text(const Node& chain) {
    const Node* const match = find_value(chain, "filter_chain_match");
    std::string text;
    for (std::size_t i = 0; match != nullptr && i < match->members.size(); ++i) {
      const documents::Member& field = match->members[i];
      std::vector<std::string> values;
      for (const Node& item : field.value.items) {
        const std::string prefix = text_at(item, "address_prefix");
        values.push_back(prefix.empty() ? item.text : prefix + "/" + text_at(item, "prefix_len"));
      }
      if (values.empty() && !field.value.text.empty()) {
        values.push_back(field.value.text);
      }
      if (!values.empty()) {
        values.resize(std::min<std::size_t>(values.size(), 4));
        text += (text.empty() ? "" : "; ") + field.key + " " + grammar::listed(values, "and");
      }
    }
    return text;
  }

  void find_filters(const Node& node, const std::string& listener, std::vector<Entrance>& entrances) {
    const std::string type = type_of(node);
    if (type == manager_type) {
      Entrance entrance{.listener = listener, .manager = &node};
      add_routes(node, entrance);
      entrances.push_back(std::move(entrance));
      return;
    }
    if (type == tcp_proxy_type) {
      entrances.push_back({.listener = listener, .tcp_proxy = &node});
      return;
    }
    for (const documents::Member& member : node.members) {
      find_filters(member.value, listener, entrances);
    }
    for (const Node& item : node.items) {
      find_filters(item, listener, entrances);
    }
  }

  void add_routes(const Node& manager, Entrance& entrance) {
    if (const Node* const routes = find_value(manager, "route_config")) {
      entrance.routes.push_back(routes);
    } else if (const Node* const rds = find_value(manager, "rds")) {
      add_named(text_at(*rds, "route_config_name"), entrance);
    } else if (const Node* const scoped = find_value(manager, "scoped_routes")) {
      add_scoped(*scoped, entrance);
    }
  }

  void add_named(const std::string& name, Entrance& entrance) {
    if (const Resource* const found = index_.route_configuration(name)) {
      entrance.routes.push_back(found->node);
    } else {
      entrance.missing.push_back(name);
    }
  }

  void add_scoped(const Node& scoped, Entrance& entrance) {
    std::vector<std::string> key;
    for (const Node* const fragment : fragments_at(scoped, "scope_key_builder")) {
      const Node* const extractor = find_value(*fragment, "header_value_extractor");
      const auto value = extractor == nullptr ? std::nullopt : fragment_of(*extractor, request_);
      if (!value) {
        return;
      }
      key.push_back(*value);
    }
    for (const Node* const scope : scope_configurations(scoped, documents_)) {
      if (has_key(*scope, key)) {
        if (const Node* const routes = find_value(*scope, "route_configuration")) {
          entrance.routes.push_back(routes);
        } else {
          add_named(text_at(*scope, "route_configuration_name"), entrance);
        }
      }
    }
  }

  static bool has_key(const Node& scope, const std::vector<std::string>& key) {
    const std::vector<const Node*> fragments = fragments_at(scope, "key");
    return std::equal(
        fragments.begin(), fragments.end(), key.begin(), key.end(),
        [](const Node* fragment, const std::string& text) { return text_at(*fragment, "string_key") == text; });
  }

  const Documents& documents_;
  const Index& index_;
  const envoy::routes::Request& request_;
};

bool is_called(const Resource& listener, const std::string& name) {
  const std::string address = address_of_listener(*listener.node);
  return listener.name == name || address == name || (name.starts_with(':') && address.ends_with(name));
}

}  // namespace

std::string address_of_listener(const Node& listener) {
  const Node* const address = find_value(listener, "address");
  const Node* const socket = address == nullptr ? nullptr : find_value(*address, "socket_address");
  return socket == nullptr ? std::string() : text_at(*socket, "address") + ":" + text_at(*socket, "port_value");
}

std::string name_of_listener(const Node& listener) {
  const std::string name = text_at(listener, "name");
  return name.empty() ? address_of_listener(listener) : name;
}

std::vector<Entrance> entrances(const Documents& documents, const Index& index, const RequestDescription& description,
                                const envoy::routes::Request& request, Diagnostics& problems) {
  std::vector<Entrance> found;
  Finder finder(documents, index, request);
  std::vector<std::string> names;
  std::vector<std::string> closing;  // listeners without an entrance for the connection
  for (const Resource& listener : documents.listeners) {
    names.push_back(name_of_listener(*listener.node));
    if (description.listener.empty() || is_called(listener, description.listener)) {
      const std::size_t before = found.size();
      finder.add(*listener.node, "", found);
      if (found.size() == before && chains_for(*listener.node, request).empty() &&
          !items_at(*listener.node, "filter_chains").empty()) {
        closing.push_back(in_ticks(names.back()));
      }
    }
  }
  const std::size_t slash = description.listener.find_last_of('/');
  if (found.empty() && slash != std::string::npos) {
    for (const Resource& listener : documents.listeners) {
      if (is_called(listener, description.listener.substr(0, slash))) {
        finder.add(*listener.node, description.listener.substr(slash + 1), found);
      }
    }
  }
  if (documents.listeners.empty() && description.listener.empty()) {
    for (const Resource& routes : documents.routes) {
      found.push_back({.listener = "", .routes = {routes.node}});
    }
  }
  if (!description.routes.empty()) {
    for (Entrance& entrance : found) {
      std::erase_if(entrance.routes,
                    [&](const Node* routes) { return text_at(*routes, "name") != description.routes; });
    }
  }
  if (found.empty()) {
    const Span where = documents.listeners.empty() ? Span{} : documents.listeners.front().node->span;
    names.resize(std::min<std::size_t>(names.size(), 12));
    if (!closing.empty()) {
      closing.resize(std::min<std::size_t>(closing.size(), 12));
      problems
          .error("SP150", where, "no way for the request",
                 "no filter chain takes the connection, so that Envoy closes it")
          .note("listener {}: chains by `server_names` need the listener filter `tls_inspector`",
                {grammar::listed(closing, "or")});
      return found;
    }
    const std::string what = description.listener.empty() ? "no listener with routes is in the documents"
                                                          : "no listener is called " + in_ticks(description.listener);
    problems.error("SP150", where, "no way for the request", "{}", {what})
        .note("{}", {names.empty() ? "no listeners and no routes are among the documents"
                                   : "there are " + grammar::listed(names, "and")});
  }
  return found;
}

}  // namespace spillway::proxy
