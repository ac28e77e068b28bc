#include "models/envoy/proxy/checked_clusters.hpp"

#include <algorithm>

#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {

using documents::Node;

namespace {

// True if the route names its clusters itself, not by a header or a plugin.
bool names_clusters(const Node& route) {
  const Node* const action = find_value(route, "route");
  const Node* const weighted = action == nullptr ? nullptr : find_value(*action, "weighted_clusters");
  const Node* const clusters = weighted == nullptr ? nullptr : find_value(*weighted, "clusters");
  if (clusters != nullptr) {
    return std::all_of(clusters->items.begin(), clusters->items.end(),
                       [](const Node& cluster) { return find_value(cluster, "name") != nullptr; });
  }
  return action != nullptr && find_value(*action, "cluster") != nullptr;
}

}  // namespace

bool checks_clusters(const ChosenRoute& chosen, const Node* manager) {
  const Node* const written = find_value(*chosen.configuration, "validate_clusters");
  const bool asked_for = written != nullptr
                             ? written->boolean
                             : manager != nullptr && find_value(*manager, "route_config") == chosen.configuration;
  return asked_for && names_clusters(*chosen.route);
}

}  // namespace spillway::proxy
