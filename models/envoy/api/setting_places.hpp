// Where the settings of a cluster stand, whichever documents say them, for warnings about them: fields of the
// scenario's own clusters, of Kuma's policies, of Istio's rules.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::messages {

struct SettingPlaces {
  // What the documents call the fields.
  struct Names {
    const char* max_ejection_percent = "max_ejection_percent";
    const char* max_requests = "max_requests";
    const char* health_checks = "health_checks";  // null: they have none
    bool always_eject_one_host = true;            // can be said
    bool panic_threshold = true;                  // likewise
    const char* no_local_cluster = "write `local_cluster` with the service of the clients";
  };
  struct Thresholds {
    std::optional<Span> max_requests = {};  // none: not written
    Span retry_budget = {};
  };
  Names names = {};
  Span whole = {};  // of the cluster, where nothing better is known
  std::optional<Span> outlier_detection = {};
  std::optional<Span> max_ejection_percent = {};
  std::optional<Span> detect_degraded_hosts = {};
  std::optional<Span> lb_policy = {};
  std::optional<Span> zone_aware = {};  // where zone-aware routing is asked for; nullopt if it is only the default
  Span cluster_type = {};
  std::vector<Span> unhealthy_interval = {};  // by health check
  std::vector<Thresholds> thresholds = {};    // of circuit breakers, by position
  bool routes_known = true;                   // false for documents of clusters only
  std::string no_hash = {};                   // why a hash that is written hashes nothing; empty if none is written
};

// Those of the clusters that a mesh's documents make, by the service.
using PlacesOfViews = std::vector<std::pair<config::ServiceIndex, SettingPlaces>>;

}  // namespace spillway::messages
