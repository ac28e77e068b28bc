#include "models/envoy/api/refused_services.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>

#include "models/documents/parse.hpp"

namespace spillway::api {
namespace {

// Returns the keys of a map.
std::set<std::string> keys_of(const documents::Node* map) {
  std::set<std::string> keys;
  for (std::size_t i = 0; map != nullptr && i < map->members.size(); ++i) {
    keys.insert(map->members[i].key);
  }
  return keys;
}

// Checks the providers that a requirement names.
void check_requirement(const MessageView& requirement, const std::set<std::string>& providers,
                       CheckedDocument& document) {
  for (const MessageView& one : {requirement, requirement.message("provider_and_audiences")}) {
    const std::string name = one.text("provider_name");
    if (one.has("provider_name") && !providers.contains(name)) {
      document.refuse(one.place("provider_name"), "Required provider ['" + name + "'] is not configured.");
    }
  }
  for (const char* const list : {"requires_any", "requires_all"}) {
    for (const MessageView& part : requirement.message(list).items("requirements")) {
      check_requirement(part, providers, document);
    }
  }
}

void check_requirements(const documents::Node* map, const std::set<std::string>& providers, CheckedDocument& document) {
  for (std::size_t i = 0; map != nullptr && i < map->members.size(); ++i) {
    check_requirement(MessageView(map->members[i].value), providers, document);
  }
}

void check_tokens(const MessageView& filter, CheckedDocument& document) {
  const std::set<std::string> providers = keys_of(filter.find("providers"));
  const std::set<std::string> requirements = keys_of(filter.find("requirement_map"));
  for (const MessageView& rule : filter.items("rules")) {
    check_requirement(rule.message("requires"), providers, document);
    if (const std::string name = rule.text("requirement_name"); !name.empty() && !requirements.contains(name)) {
      std::string known;
      for (const std::string& one : requirements) {
        known += (known.empty() ? "" : ", ") + one;
      }
      document.refuse(rule.place("requirement_name"),
                      fmt::format("Wrong requirement_name: {}. It should be one of [{}]", name, known));
    }
  }
  check_requirements(filter.find("requirement_map"), providers, document);
  check_requirements(filter.message("filter_state_rules").find("requires"), providers, document);
}

// Keys in a document: a list `keys` in JSON. The keys themselves are not checked.
void check_token_provider(const MessageView& provider, CheckedDocument& document) {
  const MessageView source = provider.message("local_jwks");
  if (source.text("inline_string").empty()) {
    return;
  }
  Diagnostics faults;
  Sources sources{{.name = "keys.json", .text = source.text("inline_string")}};
  const auto keys = documents::parse(sources, 0, faults);
  if (!keys || keys->kind != documents::Kind::object) {
    document.refuse(source.place("inline_string"), "jwt_authn config has invalid local jwks: Jwks is an invalid JSON");
  } else if (MessageView(*keys).items("keys").empty()) {
    document.refuse(source.place("inline_string"),
                    "jwt_authn config has invalid local jwks: Jwks doesn't have [keys] field");
  }
}

void check_remote_keys(const MessageView& keys, CheckedDocument& document) {
  const MessageView from = keys.message("http_uri");
  if (const std::string uri = from.text("uri"); uri.find("://") == std::string::npos) {
    document.refuse(from.place("uri"), "Provider has an invalid URI: '" + uri + "'");
  }
  document.check_back_off(keys.message("retry_policy").message("retry_back_off"),
                          "max_interval must be greater than or equal to the base_interval");
}

void check_authorization(const MessageView& filter, CheckedDocument& document) {
  const MessageView request = filter.message("http_service").message("authorization_request");
  if (filter.has("grpc_service") && filter.is("transport_api_version", "V2", 1)) {
    document.refuse(filter.place("transport_api_version"),
                    "The v2 xDS major version has been removed and is no longer supported.");
  }
  if (filter.has("allowed_headers") && request.has("allowed_headers")) {
    document.refuse(request.place("allowed_headers"), "Invalid duplicate configuration for allowed_headers.");
  }
  for (const MessageView& header : request.items("headers_to_add")) {
    if (const std::string key = header.text("key"); key.starts_with(':') || key == "host") {
      document.refuse(header.place("key"), ":-prefixed or host headers may not be modified");
    }
  }
}

void check_authorization_settings(const MessageView& settings, CheckedDocument& document) {
  if (settings.flag("disable_request_body_buffering") && settings.has("with_request_body")) {
    document.refuse(settings.place("with_request_body"),
                    "Invalid configuration for check_settings. Only one of disable_request_body_buffering or "
                    "with_request_body can be set.");
  }
}

void check_processor(const MessageView& filter, CheckedDocument& document) {
  if (filter.has("grpc_service") == filter.has("http_service")) {
    document.refuse(filter.node().span, "One and only one of grpc_service or http_service must be configured");
  }
}

void check_api_keys(const MessageView& filter, CheckedDocument& document) {
  std::set<std::string> keys;
  for (const MessageView& credential : filter.items("credentials")) {
    if (!keys.insert(credential.text("key")).second) {
      document.refuse(credential.node().span, "Duplicated credential key");
    }
  }
}

void check_key_source(const MessageView& source, CheckedDocument& document) {
  if (source.text("header").empty() && source.text("query").empty() && source.text("cookie").empty()) {
    document.refuse(source.node().span, "One of 'header'/'query'/'cookie' must be set.");
  }
}

// Users and hashes of passwords, one a line.
void check_users(const MessageView& filter, CheckedDocument& document) {
  const MessageView source = filter.message("users");
  if (!source.has("inline_string")) {
    return;
  }
  constexpr std::size_t length_of_hash = 28;
  constexpr std::string_view method = "{SHA}";
  std::set<std::string_view> names;
  const std::string text = source.text("inline_string");
  const char* fault = text.empty() ? "DataSource cannot be empty" : nullptr;
  for (std::string_view rest = text; !rest.empty() && fault == nullptr;) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = line.find(':');
    const std::string_view hash = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    fault = colon == std::string_view::npos ? "basic auth: invalid htpasswd format, username:password is expected"
            : colon == 0 || hash.empty()    ? "basic auth: empty user name or password"
            : !hash.starts_with(method)     ? "basic auth: unsupported htpasswd format: please use {SHA}"
            : hash.size() != method.size() + length_of_hash
                ? "basic auth: invalid htpasswd format, invalid SHA hash length"
            : !names.insert(line.substr(0, colon)).second ? "basic auth: duplicate users"
                                                          : nullptr;
  }
  if (fault != nullptr) {
    document.refuse(source.place("inline_string"), fault);
  }
}

void check_login(const MessageView& config, CheckedDocument& document) {
  constexpr double by_certificate = 2;
  if (!config.message("credentials").has("token_secret") &&
      !config.is("auth_type", "TLS_CLIENT_AUTH", by_certificate)) {
    document.refuse(config.place("credentials"), "token_secret is required when auth_type is not TLS_CLIENT_AUTH");
  }
}

void check_discovery_on_demand(const MessageView& discovery, CheckedDocument& document) {
  const MessageView source = discovery.message("source");
  const std::string from = discovery.text("resources_locator");
  if (!source.exists() || source.has("self")) {
    document.refuse(discovery.node().span, "Missing config source specifier in envoy::config::core::v3::ConfigSource");
  } else if (!from.empty() && !from.starts_with("xdstp:") && !from.starts_with("http:") && !from.starts_with("file:")) {
    document.refuse(discovery.place("resources_locator"), from + " does not have a xdstp:, http: or file: scheme");
  }
}

void check_function(const MessageView& filter, CheckedDocument& document) {
  const std::string name = filter.text("arn");
  constexpr int least_colons = 6;
  if (!name.starts_with("arn:") || std::count(name.begin(), name.end(), ':') < least_colons) {
    document.refuse(filter.place("arn"), "aws_lambda_filter: Invalid ARN: " + name);
  }
}

}  // namespace

std::span<const RefusedMessage> refused_in_services() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.extensions.filters.http.api_key_auth.v3.ApiKeyAuth", check_api_keys},
      {"envoy.extensions.filters.http.api_key_auth.v3.ApiKeyAuthPerRoute", check_api_keys},
      {"envoy.extensions.filters.http.api_key_auth.v3.KeySource", check_key_source},
      {"envoy.extensions.filters.http.aws_lambda.v3.Config", check_function},
      {"envoy.extensions.filters.http.basic_auth.v3.BasicAuth", check_users},
      {"envoy.extensions.filters.http.ext_authz.v3.CheckSettings", check_authorization_settings},
      {"envoy.extensions.filters.http.ext_authz.v3.ExtAuthz", check_authorization},
      {"envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor", check_processor},
      {"envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication", check_tokens},
      {"envoy.extensions.filters.http.jwt_authn.v3.JwtProvider", check_token_provider},
      {"envoy.extensions.filters.http.jwt_authn.v3.RemoteJwks", check_remote_keys},
      {"envoy.extensions.filters.http.oauth2.v3.OAuth2Config", check_login},
      {"envoy.extensions.filters.http.on_demand.v3.OnDemandCds", check_discovery_on_demand},
  });
  return messages;
}

}  // namespace spillway::api
