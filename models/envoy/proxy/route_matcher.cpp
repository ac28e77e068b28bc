#include "models/envoy/proxy/route_matcher.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/proxy/filter_chains.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/path_template.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

constexpr std::string_view path_template_type = "envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig";

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

// True if a filter chain asks its clients for a certificate.
bool asks_for_certificate(const Node& chain) {
  const api::MessageView context =
      api::MessageView(chain).message("transport_socket").message("typed_config").any_message();
  const api::MessageView common = context.message("common_tls_context");
  return has_tls(chain) &&
         (!common.exists() || context.flag("require_client_certificate") ||
          std::any_of(common.node().members.begin(), common.node().members.end(), [](const auto& one) {
            return in_snake_case(one.key).find("validation_context") != std::string::npos;
          }));
}

class RouteMatcher {
 public:
  RouteMatcher(const Request& request, const Receiver& receiver, Diagnostics& problems)
      : request_(request), receiver_(receiver), problems_(problems) {}

  // Compares the request with `match`, and rewrites `match` to a form that a scenario's route can have.
  Answer matches(Node& match) {
    if (find_value(match, "connect_matcher") != nullptr) {
      const std::string* const method = first_value(request_, ":method");
      return method != nullptr && *method == "CONNECT" ? refuse(match, "connect_matcher") : Answer::no;
    }
    if (!take_path(match) || !take_query(match) || !take_cookies(match) || !take_grpc(match) || !take_metadata(match) ||
        !take_absent_id(match)) {
      return Answer::no;
    }
    if (const auto met = meets_tls_context(match)) {
      if (!*met) {
        return Answer::no;
      }
      erase_key(match, "tls_context");
    }
    // Conditions that a request's description does not cover. A condition that fails before them still decides.
    envoy::routes::RouteMatch written;
    Node plain = match;
    std::string_view undecided = take_path_policy(plain) ? "path_match_policy" : "";
    undecided = take_generated_id(plain) ? "headers" : undecided;
    for (const char* const key : {"tls_context", "filter_state"}) {
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

  // True if the request has no id and meets all conditions on it, which are removed.
  bool take_absent_id(Node& match) {
    constexpr const char* id = "x-request-id";
    Node* const headers = find_value(match, "headers");
    if (headers == nullptr || receiver_.manager == nullptr || !envoy::routes::is_generated_id(request_, id) ||
        api::MessageView(*receiver_.manager).flag("generate_request_id", true)) {
      return true;
    }
    bool well = true;
    std::erase_if(headers->items, [&](const Node& header) {
      envoy::routes::HeaderMatcher matcher;
      if (!envoy::routes::same_header_name(text_at(header, "name"), id) ||
          !messages::Message<envoy::routes::HeaderMatcher>{}.read(header, matcher, "headers", problems_)) {
        return false;
      }
      matcher.name = "absent";
      well = well && envoy::routes::matches(matcher, {});
      return true;
    });
    return well;
  }

  // Routes are chosen before any filter writes metadata, so that only inverted conditions are met.
  static bool take_metadata(Node& match) {
    const std::vector<const Node*> conditions = items_at(match, "dynamic_metadata");
    const bool well = std::all_of(conditions.begin(), conditions.end(),
                                  [](const Node* condition) { return is_true(*condition, "invert"); });
    erase_key(match, "dynamic_metadata");
    return well;
  }

  // Returns whether the connection meets `tls_context`; nullopt if the client may bring a certificate.
  [[nodiscard]] std::optional<bool> meets_tls_context(const Node& match) const {
    const Node* const wanted = find_value(match, "tls_context");
    if (wanted == nullptr || receiver_.chain == nullptr || asks_for_certificate(*receiver_.chain)) {
      return std::nullopt;
    }
    return !is_true(*wanted, "presented") && !is_true(*wanted, "validated");
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
  const Receiver& receiver_;
  Diagnostics& problems_;
  std::optional<Fraction> fraction_ = {};
};

}  // namespace

Answer match_request(Node& match, std::optional<Fraction>& fraction, const Request& request, const Receiver& receiver,
                     Diagnostics& problems) {
  RouteMatcher matcher(request, receiver, problems);
  const Answer answer = matcher.matches(match);
  fraction = matcher.fraction();
  return answer;
}

}  // namespace spillway::proxy
