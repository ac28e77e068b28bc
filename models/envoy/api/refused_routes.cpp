#include "models/envoy/api/refused_routes.hpp"

#include <array>
#include <limits>
#include <re2/re2.h>
#include <set>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/format_string.hpp"
#include "models/envoy/api/uri_templates.hpp"

namespace spillway::api {
namespace {

constexpr double largest_total_weight = 4294967295.0;

bool is_protected_header(const std::string& name) {
  return name.starts_with(':') || config::to_lower_ascii(name) == "host";
}

// Checks the headers that routes, virtual hosts, route configurations and health checks remove.
void check_headers(const MessageView& message, CheckedDocument& document) {
  for (const char* const field : {"request_headers_to_remove", "response_headers_to_remove"}) {
    for (const MessageView& name : message.items(field)) {
      if (is_protected_header(name.node().text)) {
        document.refuse(name.node().span, ":-prefixed or host headers may not be removed");
      }
    }
  }
}

void check_header_option(const MessageView& option, CheckedDocument& document) {
  if (option.has("append") && !option.is("append_action", "APPEND_IF_EXISTS_OR_ADD", 0)) {
    document.refuse(option.place("append"), "Both append and append_action are set and it's not allowed");
  }
  const MessageView header = option.message("header");
  if (header.exists() && is_protected_header(header.text("key"))) {
    document.refuse(header.place("key"), ":-prefixed or host headers may not be modified");
  }
  if (std::string fault = fault_of_format(header.text("value"), Formats::of_headers); !fault.empty()) {
    document.refuse(header.place("value"), fault);
  }
}

// Refuses repeated domains: a domain must be unique in all virtual hosts of a RouteConfiguration, ignoring case.
void check_domains(const MessageView& routes, CheckedDocument& document) {
  std::set<std::string> seen;
  for (const MessageView& host : routes.items("virtual_hosts")) {
    for (const MessageView& domain : host.items("domains")) {
      const std::string name = config::to_lower_ascii(domain.node().text);
      if (seen.insert(name).second) {
        continue;
      }
      document.refuse(domain.node().span,
                      name == "*" ? "Only a single wildcard domain is permitted in route " + routes.text("name")
                                  : "Only unique values for domains are permitted. Duplicate entry of domain " + name +
                                        " in route " + routes.text("name"));
    }
  }
}

class ClusterNames {
 public:
  ClusterNames(const MessageView& routes, CheckedDocument& document)
      : document_(document), checked_(document.bootstrap.exists() && routes.flag("validate_clusters", true)) {}

  void check(const MessageView& message, std::string_view field, const std::string& words) const {
    const std::string name = message.text(field);
    if (checked_ && !name.empty() && !document_.clusters.contains(name)) {
      document_.refuse(message.place(field), words + " '" + name + "'");
    }
  }

  void check_mirrors(const MessageView& message) const {
    for (const MessageView& mirror : message.items("request_mirror_policies")) {
      check(mirror, "cluster", "route: unknown shadow cluster");
    }
  }

  void check_route(const MessageView& route) const {
    const MessageView action = route.message("route");
    check(action, "cluster", "route: unknown cluster");
    check_mirrors(action);
    for (const MessageView& cluster : action.message("weighted_clusters").items("clusters")) {
      check(cluster, "name", "route: unknown weighted cluster");
    }
  }

 private:
  CheckedDocument& document_;
  bool checked_;
};

void check_plugins(const MessageView& routes, const MessageView& action, CheckedDocument& document) {
  const std::string name = action.text("cluster_specifier_plugin");
  if (!action.has("cluster_specifier_plugin")) {
    return;
  }
  for (const MessageView& plugin : routes.items("cluster_specifier_plugins")) {
    if (plugin.message("extension").text("name") == name) {
      return;
    }
  }
  document.refuse(action.place("cluster_specifier_plugin"),
                  "Unknown cluster specifier plugin name: " + name + " is used in the route");
}

// Refuses a direct response with a body above the limit, which is 4096 bytes unless the RouteConfiguration sets
// another. 0 is
// no limit.
void check_direct_response(const MessageView& routes, const MessageView& response, CheckedDocument& document) {
  constexpr double usual = 4096;
  const double most = routes.number("max_direct_response_body_size_bytes", usual);
  const MessageView body = response.message("body");
  if (!response.exists() || !body.exists()) {
    return;
  }
  constexpr std::size_t base64_of_three = 4;
  const std::size_t size = body.has("inline_bytes") ? body.text("inline_bytes").size() / base64_of_three * 3
                                                    : body.text("inline_string").size();
  if (most > 0 && static_cast<double>(size) > most) {
    document.refuse(body.node().span, "response body size is " + std::to_string(size) + " bytes; maximum is " +
                                          std::to_string(static_cast<std::uint64_t>(most)));
  }
}

void check_route_configuration(const MessageView& routes, CheckedDocument& document) {
  check_headers(routes, document);
  check_domains(routes, document);
  const ClusterNames names(routes, document);
  names.check_mirrors(routes);
  for (const MessageView& host : routes.items("virtual_hosts")) {
    names.check_mirrors(host);
    for (const MessageView& route : host.items("routes")) {
      names.check_route(route);
      check_plugins(routes, route.message("route"), document);
      check_direct_response(routes, route.message("direct_response"), document);
    }
  }
}

void check_virtual_host(const MessageView& host, CheckedDocument& document) {
  check_headers(host, document);
  if (host.has("matcher") && host.has("routes")) {
    document.refuse(host.place("matcher"), "cannot set both matcher and routes on virtual host");
  }
}

void check_rewrites(const MessageView& action, CheckedDocument& document) {
  std::size_t count = 0;
  Span where;
  for (const char* const field : {"prefix_rewrite", "path_rewrite"}) {
    if (!action.text(field).empty()) {
      ++count;
      where = action.place(field);
    }
  }
  for (const char* const field : {"regex_rewrite", "path_rewrite_policy"}) {
    if (action.has(field)) {
      ++count;
      where = action.place(field);
    }
  }
  if (count > 1) {
    document.refuse(where, "Specify only one of prefix_rewrite, regex_rewrite or path_rewrite_policy");
  }
  for (const char* const field : {"path_rewrite", "host_rewrite"}) {
    if (const std::string fault = fault_of_format(action.text(field)); !fault.empty()) {
      document.refuse(action.place(field), fault);
    }
  }
}

void check_rewrite_template(const MessageView& rewrite, CheckedDocument& document) {
  const std::string text = rewrite.text("path_template_rewrite");
  if (!is_rewrite_template(text)) {
    document.refuse(rewrite.place("path_template_rewrite"),
                    "path_rewrite_policy.path_template_rewrite " + text + " is invalid");
  }
}

// Refuses a rewrite by a template that the route's match does not have, or whose variables it does not have.
void check_template_of_match(const MessageView& route, CheckedDocument& document) {
  const MessageView rewrite =
      route.message("route").message("path_rewrite_policy").message("typed_config").any_message();
  const MessageView match = route.message("match").message("path_match_policy");
  if (!rewrite.has("path_template_rewrite")) {
    return;
  }
  const std::string from = match.message("typed_config").any_message().text("path_template");
  const std::string to = rewrite.text("path_template_rewrite");
  if (!match.exists()) {
    document.refuse(rewrite.node().span,
                    "unable to use envoy.path.rewrite.uri_template.uri_template_rewriter extension without "
                    "envoy.path.match.uri_template.uri_template_matcher extension");
  }
  static const re2::RE2 variable(R"(\{([A-Za-z0-9_]+)\})");
  re2::StringPiece rest(to);
  for (std::string name; match.exists() && re2::RE2::FindAndConsume(&rest, variable, &name);) {
    if (from.find("{" + name + "}") == std::string::npos && from.find("{" + name + "=") == std::string::npos) {
      document.refuse(rewrite.place("path_template_rewrite"),
                      "mismatch between variables in path_match_policy " + from + " and path_rewrite_policy " + to);
      return;
    }
  }
}

void check_route(const MessageView& route, CheckedDocument& document) {
  check_headers(route, document);
  check_template_of_match(route, document);
  const MessageView match = route.message("match");
  if (match.has("path_match_policy") && !route.message("route").text("prefix_rewrite").empty()) {
    document.refuse(route.message("route").place("prefix_rewrite"), "Cannot use prefix_rewrite with matcher extension");
  }
  const MessageView redirect = route.message("redirect");
  if (match.has("path_match_policy") && !redirect.text("prefix_rewrite").empty()) {
    document.refuse(redirect.place("prefix_rewrite"), "Cannot use redirect.prefix_rewrite with path_match_policy");
  }
}

// Refuses repeated upgrade types, ignoring case.
void check_upgrades(const MessageView& message, CheckedDocument& document, const char* words, const char* after) {
  std::set<std::string> seen;
  for (const MessageView& upgrade : message.items("upgrade_configs")) {
    const std::string type = config::to_lower_ascii(upgrade.text("upgrade_type"));
    if (!seen.insert(type).second) {
      document.refuse(upgrade.place("upgrade_type"), words + upgrade.text("upgrade_type") + after);
    }
    if (upgrade.has("connect_config") && type != "connect" && type != "connect-udp") {
      document.refuse(upgrade.place("connect_config"),
                      "Non-CONNECT upgrade type " + upgrade.text("upgrade_type") + " has ConnectConfig");
    }
  }
}

void check_route_action(const MessageView& action, CheckedDocument& document) {
  check_rewrites(action, document);
  check_upgrades(action, document, "Duplicate upgrade ", "");
}

void check_mirror(const MessageView& mirror, CheckedDocument& document) {
  const std::string cluster = mirror.text("cluster");
  const std::string header = mirror.text("cluster_header");
  if (cluster.empty() && header.empty()) {
    document.refuse(mirror.node().span,
                    "Exactly one of cluster or cluster_header in request mirror policy need to be specified");
  } else if (!cluster.empty() && !header.empty()) {
    document.refuse(mirror.place("cluster_header"), "Only one of cluster '" + cluster + "' or cluster_header '" +
                                                        header + "' in request mirror policy can be specified");
  }
}

void check_weighted_clusters(const MessageView& weighted, CheckedDocument& document) {
  double total = 0;
  const std::string prefix = weighted.text("runtime_key_prefix");
  for (const MessageView& cluster : weighted.items("clusters")) {
    const double weight = cluster.number("weight");
    total += prefix.empty() ? weight : document.number_in_runtime(prefix + "." + cluster.text("name"), weight);
  }
  if (total == 0) {
    document.refuse(weighted.node().span, "Sum of weights in the weighted_cluster must be greater than 0.");
  } else if (total > largest_total_weight) {
    document.refuse(weighted.node().span, "The sum of weights of all weighted clusters of route exceeds 4294967295");
  }
}

void check_weighted_cluster(const MessageView& cluster, CheckedDocument& document) {
  check_headers(cluster, document);
  const bool name = !cluster.text("name").empty();
  const bool header = !cluster.text("cluster_header").empty();
  if (!name && !header) {
    document.refuse(cluster.node().span, "At least one of name or cluster_header need to be specified");
  } else if (name && header) {
    document.refuse(cluster.place("cluster_header"), "Only one of name or cluster_header can be specified");
  }
}

void check_retry_back_off(const MessageView& back_off, CheckedDocument& document) {
  document.check_back_off(back_off, "retry_policy.max_interval must greater than or equal to the base_interval");
}

void check_regex(const MessageView& matcher, CheckedDocument& document) {
  const std::string regex = matcher.text("regex");
  // Envoy's RE2 knows (?<name>...), which older ones write (?P<name>...).
  std::string understood = regex;
  static const re2::RE2 named(R"(\(\?<([A-Za-z_]))");
  re2::RE2::GlobalReplace(&understood, named, R"((?P<\1)");
  const re2::RE2 compiled(understood, re2::RE2::Quiet);
  if (!compiled.ok()) {
    document.refuse(matcher.place("regex"), compiled.error());
    return;
  }
  const MessageView engine = matcher.message("google_re2");
  // The runtime of a document without a bootstrap is unknown.
  constexpr double usual = 100;
  const double most = engine.has("max_program_size") ? engine.number("max_program_size")
                      : document.bootstrap.exists()
                          ? document.number_in_runtime("re2.max_program_size.error_level", usual)
                          : std::numeric_limits<double>::infinity();
  if (compiled.ProgramSize() > most) {
    document.refuse(matcher.place("regex"), "regex '" + regex + "' RE2 program size of " +
                                                std::to_string(compiled.ProgramSize()) + " > max program size");
  }
}

void check_string_matcher(const MessageView& matcher, CheckedDocument& document) {
  if (matcher.has("safe_regex") && matcher.flag("ignore_case")) {
    document.refuse(matcher.place("ignore_case"), "ignore_case has no effect for safe_regex.");
  }
}

void check_path_template(const MessageView& match, CheckedDocument& document) {
  const std::string text = match.text("path_template");
  if (const std::string fault = fault_of_path_template(text); !fault.empty()) {
    document.refuse(match.place("path_template"), "path_match_policy.path_template " + text + " is invalid: " + fault);
  }
}

void check_tracing(const MessageView& tracing, CheckedDocument& document) {
  for (const char* const field : {"operation", "upstream_operation"}) {
    if (const std::string fault = fault_of_format(tracing.text(field)); !fault.empty()) {
      document.refuse(tracing.place(field), fault);
    }
  }
}

// Virtual hosts on demand come by delta xDS only.
void check_vhds(const MessageView& vhds, CheckedDocument& document) {
  const MessageView source = vhds.message("config_source");
  const MessageView ads = document.bootstrap.message("dynamic_resources").message("ads_config");
  const char* const api_type = "api_type";
  if (!source.has("ads") && !source.message("api_config_source").is(api_type, "DELTA_GRPC", 3)) {
    document.refuse(source.node().span,
                    "vhds: only 'DELTA_GRPC' or 'ADS' (which uses Delta xDS) is supported as a config source.");
  } else if (source.has("ads") && document.bootstrap.exists() && !ads.exists()) {
    document.refuse(source.place("ads"), "vhds: ADS config source specified but no ADS configured in bootstrap.");
  } else if (source.has("ads") && ads.exists() && !ads.is(api_type, "DELTA_GRPC", 3)) {
    document.refuse(source.place("ads"), "vhds: ADS must use DELTA_GRPC api_type when used as VHDS config source.");
  }
}

void check_virtual_cluster(const MessageView& cluster, CheckedDocument& document) {
  if (cluster.items("headers").empty()) {
    document.refuse(cluster.node().span, "virtual clusters must define 'headers'");
  }
}

void check_filter_config(const MessageView& filter, CheckedDocument& document) {
  if (!filter.has("config") && !filter.flag("disabled")) {
    document.refuse(filter.node().span, "Empty route/virtual host per filter configuration for a filter");
  }
}

}  // namespace

void check_upgrade_configs_of_manager(const MessageView& manager, CheckedDocument& document) {
  check_upgrades(manager, document, "Error: multiple upgrade configs with the same name: '", "'");
}

std::span<const RefusedMessage> refused_in_routes() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.config.route.v3.RouteConfiguration", check_route_configuration},
      {"envoy.config.route.v3.VirtualHost", check_virtual_host},
      {"envoy.config.route.v3.Route", check_route},
      {"envoy.config.route.v3.RouteAction", check_route_action},
      {"envoy.config.route.v3.RouteAction.RequestMirrorPolicy", check_mirror},
      {"envoy.config.route.v3.WeightedCluster", check_weighted_clusters},
      {"envoy.config.route.v3.WeightedCluster.ClusterWeight", check_weighted_cluster},
      {"envoy.config.route.v3.RetryPolicy.RetryBackOff", check_retry_back_off},
      {"envoy.config.route.v3.Tracing", check_tracing},
      {"envoy.config.route.v3.FilterConfig", check_filter_config},
      {"envoy.config.route.v3.VirtualCluster", check_virtual_cluster},
      {"envoy.config.route.v3.Vhds", check_vhds},
      {"envoy.config.core.v3.HeaderValueOption", check_header_option},
      {"envoy.config.core.v3.HealthCheck.HttpHealthCheck", check_headers},
      {"envoy.type.matcher.v3.RegexMatcher", check_regex},
      {"xds.type.matcher.v3.RegexMatcher", check_regex},
      {"envoy.type.matcher.v3.StringMatcher", check_string_matcher},
      {"envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig", check_path_template},
      {"envoy.extensions.path.rewrite.uri_template.v3.UriTemplateRewriteConfig", check_rewrite_template},
  });
  return messages;
}

}  // namespace spillway::api
