#include "models/envoy/proxy/route_choice.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/proxy/path_template.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

constexpr std::string_view path_template_type = "envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig";

// Removes what follows the last colon, as Envoy does, whether it is a number or not.
std::string without_port(const std::string& host) {
  const std::size_t colon = host.find_last_of(':');
  const bool port = colon != std::string::npos && host.find(']', colon) == std::string::npos;
  return port ? host.substr(0, colon) : host;
}

// True if a text meets a StringMatcher, which works as for headers.
bool text_matches(const Node& matcher, const std::string& name, const std::string& value, Diagnostics& problems) {
  messages::StringMatcher of_text;
  const bool read = messages::Message<messages::StringMatcher>{}.read(matcher, of_text, "string_match", problems);
  return matches(read ? of_text.of_header(name) : envoy::routes::HeaderMatcher{name}, {.headers = {{name, value}}});
}

// True if a query parameter meets a QueryParameterMatcher.
bool parameter_matches(const Node& matcher, const Request& request, Diagnostics& problems) {
  const std::string name = text_at(matcher, "name");
  const auto value = query_parameter(request, name);
  const Node* const text = find_value(matcher, "string_match");
  if (text == nullptr) {
    const Node* const present = find_value(matcher, "present_match");
    return value.has_value() == (present == nullptr || present->boolean || present->kind != documents::Kind::boolean);
  }
  return value && text_matches(*text, name, *value, problems);
}

// True if a cookie meets a CookieMatcher. An absent one meets inverted conditions only.
bool cookie_matches(const Node& matcher, const Request& request, Diagnostics& problems) {
  const std::string name = text_at(matcher, "name");
  const auto value = envoy::routes::cookie_value(request, name);
  const Node* const text = find_value(matcher, "string_match");
  const bool met = value && text != nullptr && text_matches(*text, name, *value, problems);
  return met != api::MessageView(matcher).flag("invert_match");
}

enum class Answer : std::uint8_t { yes, no, unknown };

class RouteMatcher {
 public:
  RouteMatcher(const Request& request, Diagnostics& problems) : request_(request), problems_(problems) {}

  // Compares the request with `match`, and rewrites `match` to a form that a scenario's route can have.
  Answer matches(Node& match) {
    if (find_value(match, "connect_matcher") != nullptr) {
      const std::string* const method = first_value(request_, ":method");
      return method != nullptr && *method == "CONNECT" ? refuse(match, "connect_matcher") : Answer::no;
    }
    if (!take_path(match) || !take_query(match) || !take_cookies(match) || !take_grpc(match)) {
      return Answer::no;
    }
    // Conditions that a request's description does not cover. A condition that fails before them still decides.
    envoy::routes::RouteMatch written;
    Node plain = match;
    std::string_view undecided = take_path_policy(plain) ? "path_match_policy" : "";
    undecided = take_generated_id(plain) ? "headers" : undecided;
    for (const char* const key : {"dynamic_metadata", "tls_context", "filter_state"}) {
      if (find_value(plain, key) != nullptr) {
        undecided = key;
        erase_key(plain, key);
      }
    }
    if (const Node* const fraction = find_value(plain, "runtime_fraction")) {
      const Fraction part = fraction_of(*fraction);
      if (part.is_nothing()) {
        return Answer::no;
      }
      fraction_ = part.is_whole() ? std::nullopt : std::optional(part);
      erase_key(plain, "runtime_fraction");
    }
    if (!messages::Message<envoy::routes::RouteMatch>{}.read(plain, written, "match", problems_)) {
      return Answer::unknown;
    }
    if (!envoy::routes::matches(written, request_)) {
      return Answer::no;
    }
    if (undecided == "headers") {
      problems_
          .error("SP301", find_value(match, undecided)->span,
                 "a match of a generated `x-request-id` is not supported yet",
                 "each request gets another id, so that only a part of them takes this route")
          .help("--header x-request-id=ID describes a request that brings its id");
      return Answer::unknown;
    }
    if (!undecided.empty()) {
      return refuse(match, undecided);
    }
    match = std::move(plain);
    return Answer::yes;
  }

  // Returns the part of the requests that the last match takes; nullopt if it takes all.
  [[nodiscard]] std::optional<Fraction> fraction() const { return fraction_; }

 private:
  Answer refuse(const Node& match, std::string_view key) {
    problems_
        .error("SP301", find_value(match, key)->span, "`{}` is not supported yet",
               "whether the request takes this route is unknown", {key})
        .help("--without {} leaves the condition out of every route", {key});
    return Answer::unknown;
  }

  bool take_path(Node& match) {
    const Node* const prefix = find_value(match, "path_separated_prefix");
    if (prefix == nullptr) {
      return true;
    }
    const std::string* const full = first_value(request_, ":path");
    const std::string path = full == nullptr ? "" : full->substr(0, full->find_first_of("?#"));
    const Node* const case_sensitive = find_value(match, "case_sensitive");
    const bool exactly = case_sensitive == nullptr || case_sensitive->boolean;
    const std::string text = exactly ? prefix->text : config::to_lower_ascii(prefix->text);
    const std::string own = exactly ? path : config::to_lower_ascii(path);
    const bool well = own == text || own.starts_with(text + "/");
    for (documents::Member& member : match.members) {
      if (member.key == "path_separated_prefix" || member.key == "pathSeparatedPrefix") {
        member.key = "prefix";
      }
    }
    return well;
  }

  // Replaces a path template by its regular expression. Returns true for any other path policy, which is replaced by
  // any path, so that the other conditions can still decide.
  static bool take_path_policy(Node& match) {
    const auto policy = std::find_if(match.members.begin(), match.members.end(), [](const documents::Member& member) {
      return member.key == "path_match_policy" || member.key == "pathMatchPolicy";
    });
    if (policy == match.members.end()) {
      return false;
    }
    const Node* const config = find_value(policy->value, "typed_config");
    const auto regex = config == nullptr || type_of(*config) != path_template_type
                           ? std::nullopt
                           : regex_of_path_template(text_at(*config, "path_template"));
    Node text = policy->value;
    text.members.clear();
    text.kind = documents::Kind::string;
    text.text = regex.value_or("/");
    policy->key = "prefix";
    if (regex) {
      Node expression = policy->value;
      expression.members = {{"regex", text.span, std::move(text)}};
      policy->key = "safe_regex";
      text = std::move(expression);
    }
    policy->value = std::move(text);
    return !regex;
  }

  // Removes conditions that only some of the ids meet that Envoy generates. True if there are any.
  bool take_generated_id(Node& match) {
    constexpr const char* id = "x-request-id";
    Node* const headers = find_value(match, "headers");
    return headers != nullptr && envoy::routes::is_generated_id(request_, id) &&
           std::erase_if(headers->items, [&](const Node& header) {
             const api::MessageView condition(header);
             const api::MessageView text = condition.message("string_match");
             const auto has_any = [](const api::MessageView& of, std::initializer_list<const char*> keys) {
               return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return of.has(key); });
             };
             return envoy::routes::same_header_name(condition.text("name"), id) &&
                    (has_any(condition,
                             {"prefix_match", "suffix_match", "contains_match", "safe_regex_match", "range_match"}) ||
                     (text.exists() && has_any(text, {"prefix", "suffix", "contains", "safe_regex", "custom"})));
           }) > 0;
  }

  bool take_query(Node& match) {
    const Node* const parameters = find_value(match, "query_parameters");
    const bool well = parameters == nullptr ||
                      std::all_of(parameters->items.begin(), parameters->items.end(), [&](const Node& parameter) {
                        return parameter_matches(parameter, request_, problems_);
                      });
    erase_key(match, "query_parameters");
    return well;
  }

  bool take_cookies(Node& match) {
    const std::vector<const Node*> cookies = items_at(match, "cookies");
    const bool well = std::all_of(cookies.begin(), cookies.end(),
                                  [&](const Node* cookie) { return cookie_matches(*cookie, request_, problems_); });
    erase_key(match, "cookies");
    return well;
  }

  bool take_grpc(Node& match) {
    const bool asked = find_value(match, "grpc") != nullptr;
    const std::string* const type = first_value(request_, "content-type");
    erase_key(match, "grpc");
    return !asked || (type != nullptr && (*type == "application/grpc" || type->starts_with("application/grpc+")));
  }

  const Request& request_;
  Diagnostics& problems_;
  std::optional<Fraction> fraction_ = {};
};

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

std::vector<ChosenRoute> choose_routes(const VirtualHosts& hosts, const Request& forwarded, Diagnostics& problems) {
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
    RouteMatcher matcher(request, problems);
    switch (matcher.matches(chosen.match)) {
      case Answer::yes:
        chosen.loosened = loosened_conditions(*virtual_host, *match);
        chosen.fraction = matcher.fraction();
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
