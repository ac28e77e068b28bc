// The places of a cluster's settings for warnings, in its own document, Kuma's policies or Istio's rules.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::messages {

struct SettingPlaces {
  // The documents' names of the fields.
  struct Names {
    const char* max_ejection_percent = "max_ejection_percent";
    const char* enforced_detection = "enforcing_consecutive_5xx: 100";  // with a value that lets it eject
    const char* max_requests = "max_requests";
    const char* health_checks = "health_checks";  // null if they have none
    bool always_eject_one_host = true;            // the documents can set it
    bool panic_threshold = true;                  // the documents can set it
    const char* no_local_cluster = "write `local_cluster` with the service of the clients";
  };
  struct Thresholds {
    std::optional<Span> max_requests = {};  // nullopt if not written
    Span retry_budget = {};
  };
  Names names = {};
  Span whole = {};  // of the cluster, used if no better place is known
  std::optional<Span> outlier_detection = {};
  std::optional<Span> max_ejection_percent = {};
  std::optional<Span> detect_degraded_hosts = {};
  std::optional<Span> lb_policy = {};
  std::optional<Span> zone_aware = {};  // where zone-aware routing is requested; nullopt if it is only the default
  Span cluster_type = {};
  std::vector<Span> unhealthy_interval = {};  // by health check
  std::vector<Thresholds> thresholds = {};    // of circuit breakers, by position
  bool routes_known = true;                   // false for documents of clusters only
  std::string no_hash = {};                   // why a configured hash has no input; empty if none is configured
};

// The setting places of the clusters that a mesh's documents create, by service.
using PlacesOfViews = std::vector<std::pair<config::ServiceIndex, SettingPlaces>>;

}  // namespace spillway::messages
