#include "models/envoy/proxy/tally.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

// True for filters that are simulated on a request's path.
bool is_followed(std::string_view type) {
  static constexpr std::array followed = std::to_array<std::string_view>(
      {"envoy.extensions.filters.http.router.v3.Router", "envoy.extensions.filters.http.header_to_metadata.v3.Config",
       "envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
       "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
       "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy"});
  return std::find(followed.begin(), followed.end(), type) != followed.end();
}

class Counter {
 public:
  explicit Counter(Tally& tally) : tally_(tally) {}

  void endpoints(const Node& assignment) { tally_.endpoints += count(assignment, "endpoints", "lb_endpoints"); }

  void routes(const Node& configuration) {
    const Node* const hosts = find_value(configuration, "virtual_hosts");
    for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
      tally_.routes += routes_of(hosts->items[i]).size();
    }
  }

  // Counts the parts of listeners and clusters that do not affect routing.
  void extensions(const Node& node) {
    for (const documents::Member& member : node.members) {
      const std::string_view key = member.key;
      if (key == "route_config" || key == "routeConfig") {
        routes(member.value);
      } else if (key == "access_log" || key == "accessLog") {
        add("access log", member.value.items.size());
      } else if (key == "transport_socket" || key == "transportSocket") {
        add("TLS or other transport socket", 1);
      } else if (key == "filters" || key == "http_filters" || key == "httpFilters" || key == "listener_filters" ||
                 key == "listenerFilters") {
        filters(member.value);
      } else if (key == "tracing") {
        add("tracing provider", 1);
      } else if (key == "filename" && member.value.kind == documents::Kind::string) {
        add("unopened file", 1);
      } else if (key == "config_discovery" || key == "configDiscovery") {
        add("discovered configuration", 1);
      } else if (key == "default_source_code" || key == "defaultSourceCode" || key == "inline_code" ||
                 key == "inlineCode") {
        add("Lua script", 1);
      }
      extensions(member.value);
    }
    for (const Node& item : node.items) {
      extensions(item);
    }
  }

 private:
  // Returns the total size of the lists `inner` in the items of the list `outer`.
  static std::size_t count(const Node& object, std::string_view outer, std::string_view inner) {
    std::size_t sum = 0;
    if (const Node* const list = find_value(object, outer)) {
      for (const Node& item : list->items) {
        const Node* const within = find_value(item, inner);
        sum += within == nullptr ? 0 : within->items.size();
      }
    }
    return sum;
  }

  void filters(const Node& list) {
    for (const Node& filter : list.items) {
      const Node* const config = find_value(filter, "typed_config");
      if (!is_followed(config == nullptr ? std::string() : type_of(*config))) {
        add("filter", 1);
      }
    }
  }

  void add(const std::string& what, std::size_t count) {
    if (count > 0) {
      tally_.passed_over[what] += count;
    }
  }

  Tally& tally_;
};

}  // namespace

Tally tally_of(const Documents& documents, const Index& index) {
  Tally tally;
  tally.passed_over = documents.passed_over;
  tally.clusters = index.clusters().size();
  tally.listeners = documents.listeners.size();
  Counter counter(tally);
  std::unordered_set<std::string_view> apart;
  for (const Resource& assignment : documents.load_assignments) {
    if (apart.insert(assignment.name).second) {
      counter.endpoints(*index.load_assignment(assignment.name)->node);
    }
  }
  for (const std::size_t position : index.clusters()) {
    const Resource& cluster = documents.clusters[position];
    const Node* const within = find_value(*cluster.node, "load_assignment");
    if (within != nullptr && apart.find(cluster.name) == apart.end()) {
      counter.endpoints(*within);
    }
    counter.extensions(*cluster.node);
  }
  for (const Resource& configuration : documents.routes) {
    counter.routes(*configuration.node);
  }
  for (const Resource& listener : documents.listeners) {
    counter.extensions(*listener.node);
  }
  return tally;
}

std::string describe(const Tally& tally) {
  const auto counted = [](std::size_t count, const std::string& what) {
    const bool sibilant = what.ends_with("s") && !what.ends_with("routes");
    return std::to_string(count) + " " + what + (count == 1 ? "" : sibilant ? "es" : "s");
  };
  std::string text = counted(tally.clusters, "cluster") + ", " + counted(tally.endpoints, "endpoint") + ", " +
                     counted(tally.routes, "route") + ", " + counted(tally.listeners, "listener");
  for (auto what = tally.passed_over.begin(); what != tally.passed_over.end(); ++what) {
    text += (what == tally.passed_over.begin() ? "; ignored " : ", ") + counted(what->second, what->first);
  }
  return text;
}

}  // namespace spillway::proxy
