// Clusters that statistics and access logs call by another name than the configuration (Cluster.alt_stat_name).
//
//   const OtherNames names = own_names({{"web", "web-of-shop"}});
//   use_own_names(names, stats);   // cluster.web-of-shop.upstream_rq_total is web's
//
// /clusters calls a cluster by its own name.
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
  std::string alt_stat_name = {};  // empty: its own
};

// The cluster's own name by the other one, in each spelling of Envoy's.
using OtherNames = std::map<std::string, std::string, std::less<>>;

// Of all clusters of a configuration. A name that several of them go by is none: what is counted of it is of them all.
[[nodiscard]] OtherNames own_names(const std::vector<NamedCluster>& clusters);

// Linear in what was read. A cluster that is there by its own name keeps what is counted of it.
void use_own_names(const OtherNames& names, Stats& stats);
void use_own_names(const OtherNames& names, RangeAnswer& answer);
void use_own_names(const OtherNames& names, AccessLog& log);

}  // namespace spillway::observed
