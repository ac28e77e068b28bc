#include "models/envoy/proxy/described_routes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/documents/secrets.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/path_options.hpp"
#include "models/envoy/proxy/path_template.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/route_choice.hpp"
#include "models/envoy/proxy/route_tables.hpp"
#include "models/envoy/proxy/sample_text.hpp"
#include "models/envoy/proxy/scopes.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t most_routes_of_a_host = 5'000;

void set_header(Headers& headers, const std::string& name, const std::string& value) {
  const auto given = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
    return envoy::routes::same_header_name(header.first, name);
  });
  if (given == headers.end()) {
    headers.emplace_back(name, value);
  }
}

// Returns a host that the virtual host takes; nullopt if other virtual hosts take all hosts tried.
std::optional<std::string> host_for(const VirtualHosts& hosts_by_domain, const Node& virtual_host) {
  const Node* const domains = find_value(virtual_host, "domains");
  for (std::size_t i = 0; domains != nullptr && i < domains->items.size(); ++i) {
    const std::string& domain = domains->items[i].text;
    std::vector<std::string> hosts = {domain};
    if (domain == "*") {
      hosts = {"any.example", "any.test", "any.invalid", "any"};
    } else if (domain.starts_with('*')) {
      hosts = {"any" + domain.substr(1), "any.other" + domain.substr(1)};
    } else if (domain.ends_with('*')) {
      hosts = {domain.substr(0, domain.size() - 1) + "any", domain.substr(0, domain.size() - 1) + "other.any"};
    }
    const auto own = std::find_if(hosts.begin(), hosts.end(),
                                  [&](const std::string& host) { return hosts_by_domain.of(host) == &virtual_host; });
    if (own != hosts.end()) {
      return *own;
    }
  }
  return std::nullopt;
}

// A route with the headers that a request needs to reach it through a matcher tree.
struct Candidate {
  const Node* route;
  Headers headers = {};
};

// Walks a matcher tree and collects the requirements of its branches: maps and predicates over headers and the path.
class TreeWalker {
 public:
  std::vector<Candidate> all(const Node& matcher) {
    walk(matcher, {});
    return std::move(found_);
  }

 private:
  void walk(const Node& matcher, const Headers& so_far) {
    if (const Node* const list = find_value(matcher, "matcher_list")) {
      const Node* const matchers = find_value(*list, "matchers");
      for (std::size_t i = 0; matchers != nullptr && i < matchers->items.size(); ++i) {
        Headers headers = so_far;
        if (const Node* const predicate = find_value(matchers->items[i], "predicate")) {
          add_wishes(*predicate, headers);
        }
        walk_branch(find_value(matchers->items[i], "on_match"), headers);
      }
    } else if (const Node* const tree = find_value(matcher, "matcher_tree")) {
      walk_maps(*tree, so_far);
    }
    walk_branch(find_value(matcher, "on_no_match"), so_far);
  }

  void walk_maps(const Node& tree, const Headers& so_far) {
    const Node* const input = find_value(tree, "input");
    for (const char* const key : {"exact_match_map", "prefix_match_map"}) {
      const Node* const match_map = find_value(tree, key);
      const Node* const map = match_map == nullptr ? nullptr : find_value(*match_map, "map");
      for (std::size_t i = 0; map != nullptr && input != nullptr && i < map->members.size(); ++i) {
        Headers headers = so_far;
        add_wish(*input, map->members[i].key, headers);
        walk_branch(&map->members[i].value, headers);
      }
    }
  }

  void walk_branch(const Node* branch, const Headers& headers) {
    if (branch == nullptr) {
      return;
    }
    if (const Node* const matcher = find_value(*branch, "matcher")) {
      walk(*matcher, headers);
      return;
    }
    const Node* const action = find_value(*branch, "action");
    const Node* const config = action == nullptr ? nullptr : find_value(*action, "typed_config");
    for (const Node* const route : config == nullptr ? std::vector<const Node*>{} : routes_of_action(*config)) {
      found_.push_back({route, headers});
    }
  }

  static void add_wishes(const Node& predicate, Headers& headers) {
    for (const char* const several : {"and_matcher", "or_matcher"}) {
      const Node* const list = find_value(predicate, several);
      const Node* const all = list == nullptr ? nullptr : find_value(*list, "predicate");
      for (std::size_t i = 0; all != nullptr && i < all->items.size(); ++i) {
        add_wishes(all->items[i], headers);
      }
    }
    const Node* const single = find_value(predicate, "single_predicate");
    const Node* const input = single == nullptr ? nullptr : find_value(*single, "input");
    const Node* const value = single == nullptr ? nullptr : find_value(*single, "value_match");
    if (input != nullptr && value != nullptr) {
      if (const auto text = sample_of_string(*value)) {
        add_wish(*input, *text, headers);
      }
    }
  }

  static void add_wish(const Node& input, const std::string& value, Headers& headers) {
    const Node* const config = find_value(input, "typed_config");
    const std::string header = config == nullptr ? "" : text_at(*config, "header_name");
    const std::string parameter = config == nullptr ? "" : text_at(*config, "query_param");
    if (!header.empty()) {
      set_header(headers, header, value);
    } else if (!parameter.empty()) {
      set_header(headers, "?", parameter + "=" + value);
    }
  }

  std::vector<Candidate> found_;
};

std::string take_header(Headers& headers, const std::string& name) {
  const auto given = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
    return envoy::routes::same_header_name(header.first, name);
  });
  std::string value = given == headers.end() ? "" : given->second;
  if (given != headers.end()) {
    headers.erase(given);
  }
  return value;
}

// Returns a path that a RouteMatch accepts; nullopt if none is known.
std::optional<std::string> path_for(const Node& match) {
  for (const char* const key : {"path", "prefix", "path_separated_prefix"}) {
    if (const Node* const text = find_value(match, key)) {
      return text->text.starts_with('/') ? text->text : "/" + text->text;
    }
  }
  if (const Node* const regex = find_value(match, "safe_regex")) {
    return sample_of_regex(text_at(*regex, "regex"));
  }
  const Node* const policy = find_value(match, "path_match_policy");
  const Node* const config = policy == nullptr ? nullptr : find_value(*policy, "typed_config");
  const auto regex = config == nullptr ? std::nullopt : regex_of_path_template(text_at(*config, "path_template"));
  return regex ? std::optional(sample_of_regex(*regex)) : std::nullopt;
}

void add_query(const Node& match, std::string& path) {
  const Node* const parameters = find_value(match, "query_parameters");
  for (std::size_t i = 0; parameters != nullptr && i < parameters->items.size(); ++i) {
    const Node& parameter = parameters->items[i];
    const Node* const text = find_value(parameter, "string_match");
    const Node* const present = find_value(parameter, "present_match");
    if (present != nullptr && !present->boolean) {
      continue;
    }
    path += (path.find('?') == std::string::npos ? "?" : "&") + text_at(parameter, "name") + "=" +
            (text == nullptr ? "1" : sample_of_string(*text).value_or("1"));
  }
}

// Returns why a route is left out, with the place if the reason is in an earlier route.
std::string what_is_undecided(const Diagnostic& problem, const Node& route) {
  const bool of_another = problem.where.file == route.span.file && std::pair(problem.where.line, problem.where.column) <
                                                                       std::pair(route.span.line, route.span.column);
  return of_another ? "of a route before it, " + place(problem.where) + ": " + problem.message : problem.message;
}

class Describer {
 public:
  Describer(const Documents& documents, const Index& index) : documents_(documents), index_(index) {}

  DescribedRoutes all() {
    const RequestDescription any;
    Diagnostics ignored;
    for (const Entrance& entrance : entrances(documents_, index_, any, {}, ignored)) {
      if (entrance.tcp_proxy != nullptr) {
        if (find_value(*entrance.tcp_proxy, "weighted_clusters") != nullptr) {
          described_.requests.push_back({.listener = entrance.listener, .host = ""});
        }
        continue;
      }
      for (const Node* const configuration : entrance.routes) {
        add_configuration(entrance, *configuration, {});
      }
      if (entrance.manager == nullptr) {
        continue;  // route configurations without a listener
      }
      for (const Scope& scope : scopes_of(*entrance.manager, documents_, index_)) {
        if (scope.routes != nullptr) {
          add_configuration(entrance, *scope.routes, scope.headers);
        } else {
          pass_over(*scope.node, scope.why);
        }
      }
    }
    return std::move(described_);
  }

 private:
  // Adds the routes of a RouteConfiguration. `scope` has the headers that select it among several.
  void add_configuration(const Entrance& entrance, const Node& configuration, const Headers& scope) {
    // Several listeners often use the same routes.
    if (!seen_.insert(&configuration).second) {
      return;
    }
    const VirtualHosts& by_domain = index_.virtual_hosts(configuration);
    const Node* const hosts = find_value(configuration, "virtual_hosts");
    for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
      const auto host = host_for(by_domain, hosts->items[i]);
      if (!host) {
        pass_over(hosts->items[i], "others take each of its domains");
        continue;
      }
      add_host(entrance, by_domain, hosts->items[i], *host, scope);
    }
  }

  void add_host(const Entrance& entrance, const VirtualHosts& hosts, const Node& virtual_host, const std::string& host,
                const Headers& scope) {
    std::vector<Candidate> candidates;
    if (const Node* const matcher = find_value(virtual_host, "matcher")) {
      candidates = TreeWalker().all(*matcher);
    } else {
      for (const Node* const route : routes_of(virtual_host)) {
        candidates.push_back({route});
      }
    }
    if (candidates.size() > most_routes_of_a_host) {
      pass_over(virtual_host, "it has more than " + std::to_string(most_routes_of_a_host) + " routes");
      candidates.resize(most_routes_of_a_host);
    }
    for (Candidate& candidate : candidates) {
      if (find_value(*candidate.route, "route") != nullptr) {
        candidate.headers.insert(candidate.headers.begin(), scope.begin(), scope.end());
        add_route(entrance, hosts, std::move(candidate), host);
      }
    }
  }

  void add_route(const Entrance& entrance, const VirtualHosts& hosts, Candidate candidate, const std::string& host) {
    const Node& route = *candidate.route;
    const Node* const match = find_value(route, "match");
    RequestDescription request{
        .listener = entrance.listener, .host = host, .routes = text_at(hosts.configuration(), "name")};
    const std::string wanted_path = take_header(candidate.headers, ":path");
    const auto own_path = match == nullptr ? std::nullopt : path_for(*match);
    if (!own_path) {
      return pass_over(route, "no path of its match is known");
    }
    request.path = wanted_path.size() > own_path->size() ? wanted_path : *own_path;
    if (const std::string parameter = take_header(candidate.headers, "?"); !parameter.empty()) {
      request.path += (request.path.find('?') == std::string::npos ? "?" : "&") + parameter;
    }
    add_query(*match, request.path);
    // Every path of a request begins with "/". A match may require another beginning; then no request meets it, or only
    // by another part.
    if (!request.path.starts_with('/')) {
      request.path.insert(0, "/");
    }
    if (const std::string authority = take_header(candidate.headers, ":authority"); !authority.empty()) {
      request.host = authority;
    }
    request.headers = std::move(candidate.headers);
    if (const Node* const headers = find_value(*match, "headers")) {
      for (const Node& header : headers->items) {
        if (const auto value = sample_of_header(header)) {
          set_header(request.headers, text_at(header, "name"), *value);
        }
      }
    }
    for (const Node* const cookie : items_at(*match, "cookies")) {
      const Node* const text = find_value(*cookie, "string_match");
      if (text != nullptr && !is_true(*cookie, "invert_match")) {
        request.headers.emplace_back("cookie", text_at(*cookie, "name") + "=" + sample_of_string(*text).value_or(""));
      }
    }
    // Without `connection: upgrade` the header is dropped.
    if (first_value(request_of(request), "upgrade") != nullptr) {
      set_header(request.headers, "connection", "upgrade");
    }
    if (find_value(*match, "grpc") != nullptr) {
      set_header(request.headers, "content-type", "application/grpc");
    }
    if (const std::string authority = take_header(request.headers, ":authority"); !authority.empty()) {
      request.host = authority;
    }
    if (documents::without_secret_query(request.path) != request.path) {
      return pass_over(route, "a query parameter that it requires may contain a secret");
    }
    for (const auto& [name, value] : request.headers) {
      if (documents::may_be_secret(name)) {
        return pass_over(route, "the header " + in_ticks(name) + " that it requires may contain a secret");
      }
    }
    Diagnostics undecided;
    RequestDescription forwarded = request;
    forwarded.path = forwarded_path(entrance.manager, request.path).value_or(request.path);
    const std::vector<ChosenRoute> chosen =
        choose_routes(hosts, request_of(forwarded), {entrance.manager, entrance.chain}, undecided);
    if (chosen.empty() || chosen.front().route != &route) {
      // A route before it that takes a part of the requests has the same request, which covers both.
      if (std::none_of(chosen.begin(), chosen.end(), [&](const ChosenRoute& one) { return one.route == &route; })) {
        pass_over(route, !undecided.empty() ? what_is_undecided(undecided.front(), route)
                         : !chosen.empty()  ? "a route before it takes the request that was tried"
                                            : "no request for its match is known");
      }
      return;
    }
    described_.requests.push_back(std::move(request));
  }

  void pass_over(const Node& what, const std::string& why) {
    const std::string name = text_at(what, "name");
    described_.passed_over.push_back("route " + (name.empty() ? "in " + place(what.span) : in_ticks(name)) + ": " +
                                     why);
  }

  const Documents& documents_;
  const Index& index_;
  DescribedRoutes described_;
  std::set<const Node*> seen_;
};

}  // namespace

DescribedRoutes described_routes(const Documents& documents, const Index& index) {
  return Describer(documents, index).all();
}

}  // namespace spillway::proxy
