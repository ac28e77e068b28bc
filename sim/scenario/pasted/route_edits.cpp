#include "sim/scenario/pasted/route_edits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/pasted/delegated_routes.hpp"
#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/gateway_matches.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"
#include "sim/scenario/pasted/read_from.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

std::string full_name(const Node& document) {
  const std::string name_space = text_below(document, {"metadata", "namespace"});
  return (name_space.empty() ? "default" : name_space) + "/" + text_below(document, {"metadata", "name"});
}

bool erase_member(Node& object, std::string_view key) {
  return std::erase_if(object.members, [&](const documents::Member& member) { return member.key == key; }) > 0;
}

class Editor {
 public:
  Editor(std::vector<PastedFile>& files, std::vector<std::string>& assumed) : files_(files), assumed_(assumed) {}

  std::vector<std::string> edit() {
    collect_delegates();
    for_each_virtual_service(
        [&](PastedFile& file, Node& document) { file.as_written = !edit(document) && file.as_written; });
    join_routes_of_gateways();
    for (PastedFile& file : files_) {
      const auto gone = std::erase_if(file.documents, [&](const Node& document) {
        return text_below(document, {"kind"}) == "VirtualService" && used_.contains(full_name(document));
      });
      file.as_written = file.as_written && gone == 0;
    }
    return std::move(of_gateways_);
  }

 private:
  template <class Do>
  void for_each_virtual_service(Do action) {
    for (PastedFile& file : files_) {
      for (Node& document : file.documents) {
        if (text_below(document, {"kind"}) == "VirtualService") {
          action(file, document);
        }
      }
    }
  }

  // True for a route that takes every request.
  static bool takes_all(const Node& route) {
    const Node* const matches = value_below(route, {"match"});
    return matches == nullptr || matches->items.empty() ||
           std::any_of(matches->items.begin(), matches->items.end(), [](const Node& match) {
             return match.members.size() == 1 && text_below(match, {"uri", "prefix"}) == "/";
           });
  }

  // A gateway has the routes of all VirtualServices of a host, those that take every request last. (A sidecar has those
  // of the oldest.) Source: istiod's pilot/pkg/networking/core/gateway.go and route.SortVHostRoutes.
  void join_routes_of_gateways() {
    std::map<std::string, Node*> by_hosts;
    for_each_virtual_service([&](PastedFile& file, Node& document) {
      const Node* const hosts = value_below(document, {"spec", "hosts"});
      Node* const spec = member_of(document, "spec");
      Node* const http = spec == nullptr ? nullptr : member_of(*spec, "http");
      const std::string name = full_name(document);
      if (hosts == nullptr || http == nullptr ||
          std::find(of_gateways_.begin(), of_gateways_.end(), name) == of_gateways_.end()) {
        return;
      }
      std::string key;
      for (const Node& host : hosts->items) {
        key += host.text + " ";
      }
      const auto [first, is_new] = by_hosts.emplace(key, http);
      if (is_new) {
        return;
      }
      std::vector<Node>& all = first->second->items;
      std::move(http->items.begin(), http->items.end(), std::back_inserter(all));
      numeric::stable_sort(all, [](const Node& one, const Node& other) { return !takes_all(one) && takes_all(other); });
      used_.insert(name);
      file.as_written = false;
      say("the routes of VirtualService `" + name + "` are joined with those of another one of the gateway's host");
    });
  }

  void collect_delegates() {
    for (const PastedFile& file : files_) {
      for (const Node& document : file.documents) {
        const Node* const http = value_below(document, {"spec", "http"});
        if (text_below(document, {"kind"}) == "VirtualService" && http != nullptr) {
          const Node* const hosts = value_below(document, {"spec", "hosts"});
          routes_[full_name(document)] = {http->items, hosts != nullptr && !hosts->items.empty()};
        }
      }
    }
  }

  bool edit(Node& document) {
    Node* const spec = member_of(document, "spec");
    const std::string name = text_below(document, {"metadata", "name"});
    bool changed = false;
    if (spec == nullptr) {
      return false;
    }
    const Node* const gateways = member_of(*spec, "gateways");
    const bool of_mesh = gateways == nullptr || gateways->items.empty() ||
                         std::any_of(gateways->items.begin(), gateways->items.end(),
                                     [](const Node& gateway) { return gateway.text == "mesh"; });
    if (!of_mesh) {
      erase_member(*spec, "gateways");
      changed = true;
      of_gateways_.push_back(full_name(document));
      assumed_.push_back("VirtualService `" + name +
                         "` is of a gateway: a client in each zone stands for the gateway, and has its routes");
    }
    Node* const hosts = member_of(*spec, "hosts");
    for (std::size_t host = 0; hosts != nullptr && host < hosts->items.size(); ++host) {
      if (hosts->items[host].text == "*") {
        hosts->items[host].text = host_of_ingress;
        changed = true;
      }
    }
    if (member_of(*spec, "tls") != nullptr) {
      say("`tls` routes of VirtualService `" + name +
          "` are not simulated: `istioctl proxy-config all POD -o json` has them");
    }
    Node* const http = member_of(*spec, "http");
    return (http != nullptr && edit_routes(*http, document, name)) || changed;
  }

  bool edit_routes(Node& http, const Node& document, const std::string& name) {
    bool changed = false;
    for (Node& route : http.items) {
      bool mirrors = false;
      for (const char* const key : {"mirror", "mirrors", "mirrorPercentage", "mirror_percent", "mirrorPercent"}) {
        mirrors = erase_member(route, key) || mirrors;
      }
      if (mirrors) {
        say("mirror of VirtualService `" + name + "` changes no route: what it sends besides is not simulated");
      }
      const bool rewrites = erase_member(route, "corsPolicy");
      changed = changed || mirrors || rewrites;
    }
    std::vector<Node> all;
    for (Node& route : http.items) {
      const Node* const delegate = member_of(route, "delegate");
      if (delegate == nullptr) {
        all.push_back(std::move(route));
        continue;
      }
      changed = true;
      add_delegated(route, *delegate, document, name, all);
    }
    http.items = std::move(all);
    return changed;
  }

  // Adds the delegate's routes. istiod takes only VirtualServices without hosts as delegates.
  void add_delegated(const Node& route, const Node& delegate, const Node& document, const std::string& name,
                     std::vector<Node>& all) {
    const std::string own = full_name(document);
    const std::string name_space = text_below(delegate, {"namespace"});
    const std::string target =
        (name_space.empty() ? own.substr(0, own.find('/')) : name_space) + "/" + text_below(delegate, {"name"});
    const std::string leads = "VirtualService `" + name + "` delegates to `" + target + "`, ";
    const auto found = routes_.find(target);
    if (found == routes_.end()) {
      say(leads + "which is not given: that route is left out");
      return;
    }
    if (found->second.has_hosts) {
      say(leads +
          "which has `hosts`: istiod takes only VirtualServices without them as delegates, and drops that route");
      return;
    }
    used_.insert(target);
    DelegatedRoutes made = delegated_routes(route, found->second.routes);
    if (made.in_conflict > 0) {
      say(leads + "and istiod drops " + std::to_string(made.in_conflict) + " of its " +
          std::to_string(found->second.routes.size()) +
          " routes: what they match is not within a match of the route that delegates");
    }
    if (!made.routes.empty()) {
      say("VirtualService `" + name + "` has the routes of its delegate `" + target + "`");
    }
    std::move(made.routes.begin(), made.routes.end(), std::back_inserter(all));
  }

  void say(const std::string& what) {
    if (std::find(assumed_.begin(), assumed_.end(), what) == assumed_.end()) {
      assumed_.push_back(what);
    }
  }

  std::vector<PastedFile>& files_;
  std::vector<std::string>& assumed_;
  struct Routes {
    std::vector<Node> routes = {};
    bool has_hosts = false;
  };
  std::map<std::string, Routes> routes_;  // by full names of VirtualServices
  std::set<std::string> used_;
  std::vector<std::string> of_gateways_;
};

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

std::vector<std::string> edit_virtual_services(std::vector<PastedFile>& files, std::vector<std::string>& assumed) {
  return Editor(files, assumed).edit();
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
