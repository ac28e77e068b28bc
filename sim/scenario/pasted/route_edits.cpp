#include "sim/scenario/pasted/route_edits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"

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
    for (PastedFile& file : files_) {
      for (Node& document : file.documents) {
        if (text_below(document, {"kind"}) == "VirtualService") {
          file.as_written = !edit(document) && file.as_written;
        }
      }
      const std::size_t before = file.documents.size();
      std::erase_if(file.documents, [&](const Node& document) {
        return text_below(document, {"kind"}) == "VirtualService" && used_.contains(full_name(document));
      });
      file.as_written = file.as_written && before == file.documents.size();
    }
    return std::move(of_gateways_);
  }

 private:
  void collect_delegates() {
    for (const PastedFile& file : files_) {
      for (const Node& document : file.documents) {
        const Node* const http = value_below(document, {"spec", "http"});
        if (text_below(document, {"kind"}) == "VirtualService" && http != nullptr) {
          routes_[full_name(document)] = http->items;
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

  // Adds the delegate's routes. A route gets what it does not have itself from the delegating route: matches, rewrite,
  // timeout, retries, fault. Source: mergeHTTPRoute of istiod's pilot/pkg/model/virtualservice.go, which also joins
  // matches of both.
  void add_delegated(const Node& route, const Node& delegate, const Node& document, const std::string& name,
                     std::vector<Node>& all) {
    const std::string own = full_name(document);
    const std::string name_space = text_below(delegate, {"namespace"});
    const std::string target =
        (name_space.empty() ? own.substr(0, own.find('/')) : name_space) + "/" + text_below(delegate, {"name"});
    const auto found = routes_.find(target);
    if (found == routes_.end()) {
      say("VirtualService `" + name + "` delegates to `" + target + "`, which is not given: that route is left out");
      return;
    }
    used_.insert(target);
    say("VirtualService `" + name + "` has the routes of its delegate `" + target + "`");
    const documents::Member* const matches = route.find("match");
    for (Node part : found->second) {
      if (matches != nullptr && part.find("match") == nullptr) {
        part.members.insert(part.members.begin(), *matches);
      }
      for (const char* const key : {"mirror", "mirrors", "mirrorPercentage"}) {
        erase_member(part, key);
      }
      for (const char* const key : {"rewrite", "timeout", "retries", "fault"}) {
        if (const documents::Member* const from = route.find(key); from != nullptr && part.find(key) == nullptr) {
          part.members.push_back(*from);
        }
      }
      all.push_back(std::move(part));
    }
  }

  void say(const std::string& what) {
    if (std::find(assumed_.begin(), assumed_.end(), what) == assumed_.end()) {
      assumed_.push_back(what);
    }
  }

  std::vector<PastedFile>& files_;
  std::vector<std::string>& assumed_;
  std::map<std::string, std::vector<Node>> routes_;
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
  if (const Json& path = child(match, "path"); !path.empty()) {
    made["uri"] = string_match(path, "prefix");
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

Json route_of_rule(const Json& rule, const std::string& name_space, bool grpc) {
  Json route = Json::object();
  for (const Json& match : child(rule, "matches")) {
    if (Json made = match_of(match, grpc); !made.empty()) {
      route["match"].push_back(std::move(made));
    }
  }
  const Json& backends = child(rule, "backendRefs");
  for (const Json& backend : backends) {
    Json to{{"destination", destination_of(backend, name_space)}};
    if (backends.size() > 1) {
      to["weight"] = child(backend, "weight").is_number() ? child(backend, "weight") : Json(1);
    }
    route["route"].push_back(std::move(to));
  }
  if (const std::string timeout = text_of(child(rule, "timeouts"), "request"); !timeout.empty()) {
    route["timeout"] = timeout;
  }
  const Json& retry = child(rule, "retry");
  if (child(retry, "attempts").is_number()) {
    route["retries"] = Json{{"attempts", child(retry, "attempts")}};
  }
  return route;
}

}  // namespace

std::vector<std::string> edit_virtual_services(std::vector<PastedFile>& files, std::vector<std::string>& assumed) {
  return Editor(files, assumed).edit();
}

std::vector<RouteOfGateway> virtual_services_of(const Json& route) {
  const Json& spec = child(route, "spec");
  const std::string name_space = namespace_of(route);
  const std::string name = text_of(child(route, "metadata"), "name");
  Json http = Json::array();
  for (const Json& rule : child(spec, "rules")) {
    Json made = route_of_rule(rule, name_space, text_of(route, "kind") == "GRPCRoute");
    if (made.contains("route")) {
      http.push_back(std::move(made));
    }
  }
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
      made.push_back({Json{{"apiVersion", "networking.istio.io/v1"},
                           {"kind", "VirtualService"},
                           {"metadata", {{"name", name + (gateway ? "" : "-mesh")}, {"namespace", name_space}}},
                           {"spec", {{"hosts", hosts}, {"http", http}}}},
                      gateway});
    }
  };
  add(services, false);
  if (at_gateway) {
    const Json& hosts = child(spec, "hostnames");
    add(hosts.empty() ? Json::array({host_of_ingress}) : hosts, true);
  }
  return made;
}

FirstRequest first_request(const Json& virtual_service) {
  FirstRequest request;
  const Json& http = child(child(virtual_service, "spec"), "http");
  for (const Json& route : http) {
    const Json& matches = child(route, "match");
    const bool any = matches.empty() || std::any_of(matches.begin(), matches.end(), [](const Json& match) {
                       return match.empty() || (match.size() == 1 && text_of(child(match, "uri"), "prefix") == "/");
                     });
    if (any) {
      return {};
    }
  }
  if (http.empty() || child(http.front(), "match").empty()) {
    return request;
  }
  const Json& match = child(http.front(), "match").front();
  for (const char* const key : {"exact", "prefix"}) {
    if (const std::string path = text_of(child(match, "uri"), key); path.starts_with('/') && request.path.empty()) {
      request.path = path;
    }
    const Json& headers = child(match, "headers");
    for (auto header = headers.begin(); header != headers.end(); ++header) {
      if (const std::string value = text_of(*header, key); !value.empty() && header.key().front() != '@') {
        request.headers.emplace_back(header.key(), value);
      }
    }
  }
  return request;
}

}  // namespace spillway::scenario::pasted
