#include "sim/scenario/pasted/gateway_api_routes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/pasted/gateway_matches.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/read_from.hpp"

namespace spillway::scenario::pasted {
namespace {

// Returns the StringMatch of Istio for a match of the Gateway API.
Json string_match(const Json& match, const char* default_key) {
  const std::string type = text_of(match, "type");
  const char* const key = type == "Exact"               ? "exact"
                          : type == "RegularExpression" ? "regex"
                          : type == "PathPrefix"        ? "prefix"
                                                        : default_key;
  return Json{{key, text_of(match, "value")}};
}

Json match_of(const Json& match, bool grpc) {
  Json made = Json::object();
  if (!grpc) {
    // The API server sets the prefix / if no path is written. A / at the end of a prefix is ignored.
    const Json& path = child(match, "path");
    made["uri"] = path.empty() ? Json{{"prefix", "/"}} : string_match(path, "prefix");
    if (std::string prefix = text_of(made["uri"], "prefix"); prefix.size() > 1 && prefix.ends_with('/')) {
      prefix.pop_back();
      made["uri"]["prefix"] = prefix;
    }
  }
  if (const Json& method = child(match, "method"); method.is_string()) {
    made["method"] = Json{{"exact", method}};
  } else if (grpc && method.is_object() && !method.empty()) {
    const std::string service = text_of(method, "service");
    const std::string name = text_of(method, "method");
    made["uri"] = name.empty() ? Json{{"prefix", "/" + service + "/"}} : Json{{"exact", "/" + service + "/" + name}};
  }
  for (const Json& header : child(match, "headers")) {
    made["headers"][text_of(header, "name")] = string_match(header, "exact");
  }
  for (const Json& parameter : child(match, "queryParams")) {
    made["queryParams"][text_of(parameter, "name")] = string_match(parameter, "exact");
  }
  return made;
}

Json destination_of(const Json& reference, const std::string& name_space) {
  const std::string own = text_of(reference, "namespace");
  Json to{{"host", text_of(reference, "name") + "." + (own.empty() ? name_space : own) + ".svc.cluster.local"}};
  if (child(reference, "port").is_number()) {
    to["port"] = Json{{"number", child(reference, "port")}};
  }
  return to;
}

// Returns the destinations; with weights if there are several. Those of weight 0 get nothing.
Json destinations_of(const Json& backends, const std::string& name_space) {
  Json all = Json::array();
  for (const Json& backend : backends) {
    const Json weight = child(backend, "weight").is_number() ? child(backend, "weight") : Json(1);
    if (weight != 0) {
      all.push_back({{"destination", destination_of(backend, name_space)}, {"weight", weight}});
    }
  }
  if (all.size() == 1) {
    all.front().erase("weight");
  }
  return all;
}

// Returns a route without matches.
Json route_of_rule(const Json& rule, const std::string& name_space) {
  Json route{{"route", destinations_of(child(rule, "backendRefs"), name_space)}};
  const Json& timeouts = child(rule, "timeouts");
  const auto timeout = [&](const char* key, Json& into, const char* name) {
    if (const std::string text = seconds_text(text_of(timeouts, key)); !text.empty() && text != "0s") {
      into[name] = text;
    }
  };
  timeout("request", route, "timeout");
  const Json& retry = child(rule, "retry");
  if (retry.empty()) {
    timeout("backendRequest", route, "timeout");
    return route;
  }
  const Json attempts = child(retry, "attempts").is_number() ? child(retry, "attempts") : Json(2);
  std::string conditions = attempts == 0 ? "" : "connect-failure,refused-stream,unavailable,cancelled";
  for (const Json& code : child(retry, "codes")) {
    conditions += conditions.empty() ? "" : "," + code.dump();
  }
  Json& retries = route["retries"] = Json{{"attempts", attempts}};
  if (!conditions.empty()) {
    retries["retryOn"] = conditions;
    timeout("backendRequest", retries, "perTryTimeout");
  }
  if (const std::string backoff = text_of(retry, "backoff"); !backoff.empty()) {
    retries["backoff"] = seconds_text(backoff);
  }
  return route;
}

// The precedence of a route of one match; routes with a larger one are tried first.
using Precedence = std::tuple<int, std::size_t, bool, std::size_t, std::size_t>;
Precedence precedence_of(const Json& route) {
  const Json& match = child(route, "match");
  if (match.empty()) {
    return {};
  }
  const Json& uri = child(match.front(), "uri");
  const int rank = uri.contains("exact") ? 3 : uri.contains("prefix") ? 2 : uri.contains("regex") ? 1 : -1;
  return {rank, uri.empty() ? 0 : uri.front().get_ref<const std::string&>().size(), match.front().contains("method"),
          child(match.front(), "headers").size(), child(match.front(), "queryParams").size()};
}

void add_once(std::vector<std::string>& lines, std::string line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
    lines.push_back(std::move(line));
  }
}

// Returns the routes of all rules, one for each match, in the order in which they are tried.
std::vector<Json> routes_of_rules(const Json& route, std::vector<std::string>& assumed) {
  const bool grpc = text_of(route, "kind") == "GRPCRoute";
  std::vector<Json> routes;
  for (const Json& rule : child(child(route, "spec"), "rules")) {
    const Json made = route_of_rule(rule, namespace_of(route));
    if (made["route"].empty()) {
      assumed.push_back(text_of(route, "kind") + " `" + text_of(child(route, "metadata"), "name") +
                        "`: a rule without backends (a redirect, or weights of 0) is left out");
      continue;
    }
    for (const Json& backend : child(rule, "backendRefs")) {
      const std::string kind = text_of(backend, "kind");
      if (!kind.empty() && kind != "Service") {
        add_once(assumed, kind + " `" + text_of(backend, "name") +
                              "` is read as a Service: what else it says about its endpoints is not simulated");
      }
    }
    for (const std::string& line :
         unsimulated_parts(rule, text_of(route, "kind") + " `" + text_of(child(route, "metadata"), "name") + "`")) {
      add_once(assumed, line);
    }
    Json matches = child(rule, "matches");
    if (matches.empty()) {
      matches = Json::array({Json::object()});
    }
    for (const Json& match : matches) {
      Json& one = routes.emplace_back(made);
      if (Json of_istio = match_of(match, grpc); !of_istio.empty()) {
        one["match"] = Json::array({std::move(of_istio)});
      }
    }
  }
  numeric::stable_sort(routes,
                       [](const Json& left, const Json& right) { return precedence_of(left) > precedence_of(right); });
  return routes;
}

}  // namespace

std::vector<std::string> unsimulated_parts(const Json& rule, const std::string& of) {
  std::vector<std::string> lines;
  if (!child(rule, "sessionPersistence").empty()) {
    lines.push_back("`sessionPersistence` of " + of + " is not simulated: the shares are those of first requests");
  }
  for (const Json& filter : child(rule, "filters")) {
    if (text_of(filter, "type") == "RequestMirror") {
      lines.push_back("RequestMirror of " + of + " changes no route: what it sends besides is not simulated");
    }
  }
  return lines;
}

std::vector<RouteOfGateway> virtual_services_of(const Json& route) {
  const Json& spec = child(route, "spec");
  const std::string name_space = namespace_of(route);
  const std::string name = text_of(child(route, "metadata"), "name");
  std::vector<std::string> assumed;
  const Json http(routes_of_rules(route, assumed));
  Json services = Json::array();
  bool at_gateway = child(spec, "parentRefs").empty();
  for (const Json& parent : child(spec, "parentRefs")) {
    if (text_of(parent, "kind") == "Service" || text_of(parent, "kind") == "ServiceEntry") {
      services.push_back(destination_of(parent, name_space)["host"]);
    } else {
      at_gateway = true;
    }
  }
  std::vector<RouteOfGateway> made;
  const auto add = [&](const Json& hosts, bool gateway) {
    if (!hosts.empty() && !http.empty()) {
      made.push_back(
          {Json{{"apiVersion", "networking.istio.io/v1"},
                {"kind", "VirtualService"},
                {"metadata",
                 {{"name", name + (gateway ? "" : "-mesh")},
                  {"namespace", name_space},
                  {"annotations", {{key_read_from, text_of(route, "kind") + " " + name_space + "/" + name}}}}},
                {"spec", {{"hosts", hosts}, {"http", http}}}},
           gateway, std::exchange(assumed, {})});
    }
  };
  add(services, false);
  if (at_gateway) {
    const Json& hosts = child(spec, "hostnames");
    add(hosts.empty() ? Json::array({host_of_ingress}) : hosts, true);
  }
  return made;
}

}  // namespace spillway::scenario::pasted
