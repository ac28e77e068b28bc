// The views that one reading of Istio's documents has created, and what it leaves of them for another one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/api/setting_places.hpp"
#include "models/istio/proxy_classes.hpp"

namespace spillway::scenario::istio_binding {

// The hosts of a view by endpoint.
using HostsOfView = std::multimap<config::EndpointIndex, config::HostIndex>;

// A view that was created; EDS reports for its service apply to it.
struct MadeView {
  config::ServiceIndex service = {};
  config::ServiceIndex of = {};  // the service that clients request
  bool sends_unhealthy = true;
  std::shared_ptr<const HostsOfView> hosts = {};  // shared by readings
};

// A class of proxies and the name of a cluster.
using ViewKey = std::pair<std::uint32_t, std::string>;

// The data that one reading leaves for another (mesh_reading.hpp).
struct MadeViews {
  std::optional<istio::ProxyClasses> classes = {};
  std::map<ViewKey, config::ServiceIndex> by_name = {};
  std::vector<MadeView> views = {};  // in the order of their services
  messages::PlacesOfViews setting_places = {};
};

}  // namespace spillway::scenario::istio_binding
