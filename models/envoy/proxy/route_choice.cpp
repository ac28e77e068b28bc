#include "models/envoy/proxy/route_choice.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/match_tree.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

// Removes what follows the last colon, as Envoy does, whether it is a number or not.
std::string without_port(const std::string& host) {
  const std::size_t colon = host.find_last_of(':');
  const bool port = colon != std::string::npos && host.find(']', colon) == std::string::npos;
  return port ? host.substr(0, colon) : host;
}

// Returns the conditions that the request meets but a scenario's route cannot express.
std::vector<std::string> loosened_conditions(const Node& virtual_host, const Node& match) {
  std::vector<std::string> keys;
  if (find_value(virtual_host, "matcher") != nullptr) {
    keys.emplace_back("matcher");
  }
  for (const char* const key : {"path_separated_prefix", "query_parameters", "cookies", "grpc"}) {
    const Node* const condition = find_value(match, key);
    if (condition != nullptr && (condition->kind != documents::Kind::array || !condition->items.empty())) {
      keys.emplace_back(key);
    }
  }
  return keys;
}

// Removes `;` and what follows it in each segment.
std::string without_path_parameters(const std::string& path) {
  const std::size_t query = std::min(path.find('?'), path.size());
  std::string text;
  bool parameter = false;
  for (std::size_t at = 0; at < query; ++at) {
    parameter = path[at] == ';' || (parameter && path[at] != '/');
    text += parameter ? "" : path.substr(at, 1);
  }
  return text + path.substr(query);
}

void add_items(const Node& object, std::vector<const Node*>& routes) {
  if (const Node* const list = find_value(object, "routes")) {
    for (const Node& route : list->items) {
      routes.push_back(&route);
    }
  }
}

}  // namespace

bool has_other_path(const Node& match, std::string_view path) {
  const Node* const any_case = find_value(match, "case_sensitive");
  if (any_case != nullptr && !any_case->boolean) {
    return false;
  }
  if (const Node* const prefix = find_value(match, "prefix"); prefix != nullptr) {
    return prefix->kind == documents::Kind::string && !path.starts_with(prefix->text);
  }
  const Node* const whole = find_value(match, "path");
  return whole != nullptr && whole->kind == documents::Kind::string &&
         path.substr(0, path.find_first_of("?#")) != whole->text;
}

std::vector<const Node*> routes_of_action(const Node& action) {
  std::vector<const Node*> routes;
  const std::string type = type_of(action);
  if (type == "envoy.config.route.v3.Route") {
    routes.push_back(&action);
  } else if (type == "envoy.config.route.v3.RouteList") {
    add_items(action, routes);
  }
  return routes;
}

std::vector<const Node*> routes_of(const Node& virtual_host) {
  std::vector<const Node*> routes;
  if (const Node* const matcher = find_value(virtual_host, "matcher")) {
    for (const Node* const action : actions_of(*matcher)) {
      const std::vector<const Node*> own = routes_of_action(*action);
      routes.insert(routes.end(), own.begin(), own.end());
    }
  } else {
    add_items(virtual_host, routes);
  }
  return routes;
}

VirtualHosts::VirtualHosts(const Node& configuration) : configuration_(&configuration) {
  const Node* const ignores_port = find_value(configuration, "ignore_port_in_host_matching");
  ignores_port_ = ignores_port != nullptr && ignores_port->boolean;
  ignores_path_parameters_ = is_true(configuration, "ignore_path_parameters_in_path_matching");
  header_ = text_at(configuration, "vhost_header");
  const Node* const hosts = find_value(configuration, "virtual_hosts");
  for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
    const Node* const domains = find_value(hosts->items[i], "domains");
    for (std::size_t j = 0; domains != nullptr && j < domains->items.size(); ++j) {
      add(config::to_lower_ascii(domains->items[j].text), hosts->items[i]);
    }
  }
}

void VirtualHosts::add(const std::string& domain, const Node& virtual_host) {
  if (domain == "*") {
    any_ = any_ == nullptr ? &virtual_host : any_;
  } else if (domain.starts_with('*')) {
    endings_[domain.size() - 1].emplace(domain.substr(1), &virtual_host);
  } else if (domain.ends_with('*')) {
    beginnings_[domain.size() - 1].emplace(domain.substr(0, domain.size() - 1), &virtual_host);
  } else {
    exact_.emplace(domain, &virtual_host);
  }
}

const Node* VirtualHosts::of(const std::string& host) const {
  const std::string wanted = config::to_lower_ascii(ignores_port_ ? without_port(host) : host);
  if (const auto exact = exact_.find(wanted); exact != exact_.end()) {
    return exact->second;
  }
  // A star matches at least one character.
  for (const auto& [length, patterns] : endings_) {
    if (length < wanted.size()) {
      if (const auto found = patterns.find(wanted.substr(wanted.size() - length)); found != patterns.end()) {
        return found->second;
      }
    }
  }
  for (const auto& [length, patterns] : beginnings_) {
    if (length < wanted.size()) {
      if (const auto found = patterns.find(wanted.substr(0, length)); found != patterns.end()) {
        return found->second;
      }
    }
  }
  return any_;
}

const Node* VirtualHosts::of(const Request& request) const {
  if (exact_.empty() && endings_.empty() && beginnings_.empty()) {
    return any_;
  }
  const std::string* const host = first_value(request, header_.empty() ? ":authority" : header_);
  return host == nullptr && !header_.empty() ? nullptr : of(host == nullptr ? "" : *host);
}

std::vector<ChosenRoute> choose_routes(const VirtualHosts& hosts, const Request& forwarded, const Receiver& receiver,
                                       Diagnostics& problems) {
  const Node* const virtual_host = hosts.of(forwarded);
  if (virtual_host == nullptr) {
    return {};
  }
  Request request = forwarded;
  for (auto& [name, value] : request.headers) {
    if (name == ":path" && hosts.ignores_path_parameters()) {
      value = without_path_parameters(value);
    }
  }
  std::vector<const Node*> routes;
  if (const Node* const matcher = find_value(*virtual_host, "matcher")) {
    const MatchResult result = evaluate(*matcher, {request, {}}, problems);
    if (result.action == nullptr) {
      return {};
    }
    routes = routes_of_action(*result.action);
  } else {
    add_items(*virtual_host, routes);
  }
  const std::string* const path = first_value(request, ":path");
  std::vector<ChosenRoute> found;
  for (const Node* const route : routes) {
    const Node* const match = find_value(*route, "match");
    if (match == nullptr || (path != nullptr && has_other_path(*match, *path))) {
      continue;
    }
    ChosenRoute chosen{&hosts.configuration(), virtual_host, route, *match};
    switch (match_request(chosen.match, chosen.fraction, request, receiver, problems)) {
      case Answer::yes:
        chosen.loosened = loosened_conditions(*virtual_host, *match);
        found.push_back(std::move(chosen));
        if (!found.back().fraction) {
          return found;
        }
        break;
      case Answer::unknown:
        return {};
      case Answer::no:
        break;
    }
  }
  return found;
}

}  // namespace spillway::proxy
