// Clusters with another name in statistics and access logs than in the configuration (Cluster.alt_stat_name).
//
//   const OtherNames names = own_names({{"web", "web-of-shop"}});
//   use_own_names(names, stats);   // cluster.web-of-shop.upstream_rq_total is web's
//
// In /clusters, a cluster has its own name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/observed/access_log.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/stats.hpp"

namespace spillway::observed {

struct NamedCluster {
  std::string name;
  std::string alt_stat_name = {};  // empty if the same as `name`
};

// Maps other names, in each of Envoy's spellings, to the cluster's own name.
using OtherNames = std::map<std::string, std::string, std::less<>>;

// Returns the other names of a configuration's clusters. A name of several clusters is left out: its counts belong to
// all of them.
[[nodiscard]] OtherNames own_names(const std::vector<NamedCluster>& clusters);

// Replaces other names with own names. A cluster already present by its own name keeps its counts. O(size of the data).
void use_own_names(const OtherNames& names, Stats& stats);
void use_own_names(const OtherNames& names, RangeAnswer& answer);
void use_own_names(const OtherNames& names, AccessLog& log);

}  // namespace spillway::observed
