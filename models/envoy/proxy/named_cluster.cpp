#include "models/envoy/proxy/named_cluster.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/match_tree.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

constexpr const char* matcher_plugin = "envoy.extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier";

// Writes the cluster's name in place of the field that decided it.
void write_cluster(Node& action, const char* instead_of, const std::string& cluster, const char* key = "cluster") {
  const Span where = find_value(action, instead_of)->span;
  Node named;
  named.kind = documents::Kind::string;
  named.span = where;
  named.text = cluster;
  erase_key(action, instead_of);
  erase_key(action, key);
  action.members.push_back({key, where, std::move(named)});
}

// Names the cluster of an action, or of an entry of weighted clusters, by its `cluster_header` if it has one. `key`: of
// the cluster's name.
bool by_header(Node& action, const char* key, const envoy::routes::Request& request, std::vector<std::string>& notes,
               Diagnostics& problems) {
  const std::string header = text_at(action, "cluster_header");
  if (header.empty()) {
    return true;
  }
  const std::string* const cluster = first_value(request, header);
  if (cluster == nullptr || cluster->empty()) {
    const bool is_part = std::string_view(key) == "name";
    const Span where = find_value(action, "cluster_header")->span;
    constexpr const char* label = "the header `{}` names the cluster, and the request does not have it";
    (is_part ? problems.error("SP151", where, "a part of the requests ends at the proxy", label, {header})
             : problems.error("SP151", where, "a request that ends at the proxy", label, {header}))
        .help("write --header {}=CLUSTER; without the header Envoy answers 503", {header});
    return false;
  }
  notes.push_back("the header " + in_ticks(header) + " names the cluster " + in_ticks(*cluster));
  write_cluster(action, "cluster_header", *cluster, key);
  return true;
}

// True for an entry of weighted clusters that a header would name if its weight were not 0.
bool is_never_chosen(const Node& entry) {
  const Node* const weight = find_value(entry, "weight");
  return !text_at(entry, "cluster_header").empty() && (weight == nullptr || weight->magnitude == 0);
}

// Returns the configuration of the plugin that a route's action names or contains; null if it is missing.
const Node* plugin_of(const Node& action, const Node& configuration) {
  const Node* plugin = find_value(action, "inline_cluster_specifier_plugin");
  const std::string name = text_at(action, "cluster_specifier_plugin");
  const Node* const named = find_value(configuration, "cluster_specifier_plugins");
  for (std::size_t i = 0; plugin == nullptr && named != nullptr && i < named->items.size(); ++i) {
    const Node* const extension = find_value(named->items[i], "extension");
    if (extension != nullptr && text_at(*extension, "name") == name) {
      plugin = &named->items[i];
    }
  }
  const Node* const extension = plugin == nullptr ? nullptr : find_value(*plugin, "extension");
  return extension == nullptr ? nullptr : find_value(*extension, "typed_config");
}

bool by_plugin(Node& action, const char* key, const Node& configuration, const envoy::routes::Request& request,
               std::vector<std::string>& notes, Diagnostics& problems) {
  const Node* const plugin = plugin_of(action, configuration);
  const Node* const matcher =
      plugin == nullptr || type_of(*plugin) != matcher_plugin ? nullptr : find_value(*plugin, "cluster_matcher");
  const Span where = find_value(action, key)->span;
  if (matcher == nullptr) {
    problems.error(
        "SP301", where, "clusters that this plugin names are not supported yet", "{}",
        {plugin == nullptr ? "it is not among the documents" : in_ticks(type_of(*plugin)) + " names the cluster"});
    return false;
  }
  const MatchResult result = evaluate(*matcher, {request, {}}, problems);
  if (result.kept) {
    problems.error("SP301", where, "`keep_matching` where a matcher names the cluster is not supported",
                   "Envoy 1.40 ends by a fault at this request");
    return false;
  }
  const std::string cluster = result.action == nullptr ? "" : text_at(*result.action, "cluster");
  if (cluster.empty()) {
    if (!result.unknown) {
      problems.error("SP151", where, "a request that ends at the proxy", "its matcher names no cluster");
    }
    return false;
  }
  notes.push_back("the route's matcher names the cluster " + in_ticks(cluster));
  write_cluster(action, key, cluster);
  return true;
}

}  // namespace

bool names_cluster_by_request(const Node& route) {
  const Node* const action = find_value(route, "route");
  if (action == nullptr) {
    return false;
  }
  for (const char* const key : {"cluster_header", "inline_cluster_specifier_plugin", "cluster_specifier_plugin"}) {
    if (find_value(*action, key) != nullptr) {
      return true;
    }
  }
  const Node* const weighted = find_value(*action, "weighted_clusters");
  const Node* const entries = weighted == nullptr ? nullptr : find_value(*weighted, "clusters");
  return entries != nullptr && std::any_of(entries->items.begin(), entries->items.end(), [](const Node& entry) {
           return find_value(entry, "cluster_header") != nullptr;
         });
}

bool name_cluster(Node& route, const Node& configuration, const envoy::routes::Request& request,
                  std::vector<std::string>& notes, Diagnostics& problems) {
  Node* const action = find_value(route, "route");
  if (action == nullptr) {
    return true;
  }
  if (!by_header(*action, "cluster", request, notes, problems)) {
    return false;
  }
  Node* const weighted = find_value(*action, "weighted_clusters");
  Node* const entries = weighted == nullptr ? nullptr : find_value(*weighted, "clusters");
  if (entries != nullptr) {
    std::erase_if(entries->items, [](const Node& entry) { return is_never_chosen(entry); });
  }
  for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
    if (!by_header(entries->items[i], "name", request, notes, problems)) {
      return false;
    }
  }
  for (const char* const key : {"inline_cluster_specifier_plugin", "cluster_specifier_plugin"}) {
    if (find_value(*action, key) != nullptr) {
      return by_plugin(*action, key, configuration, request, notes, problems);
    }
  }
  return true;
}

}  // namespace spillway::proxy
