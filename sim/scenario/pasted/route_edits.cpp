#include "sim/scenario/pasted/route_edits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/pasted/delegated_routes.hpp"
#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/gateway_api_routes.hpp"
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

}  // namespace

std::vector<std::string> edit_virtual_services(std::vector<PastedFile>& files, std::vector<std::string>& assumed) {
  return Editor(files, assumed).edit();
}

}  // namespace spillway::scenario::pasted
