#include "sim/observed/other_names.hpp"

#include <set>
#include <utility>

namespace spillway::observed {
namespace {

void use_own_name(const OtherNames& names, std::string& name) {
  if (const auto own = names.find(name); own != names.end()) {
    name = own->second;
  }
}

}  // namespace

OtherNames own_names(const std::vector<NamedCluster>& clusters) {
  std::map<std::string, std::set<std::string>> owners;  // by other name
  for (const NamedCluster& cluster : clusters) {
    const std::string& name = cluster.alt_stat_name.empty() ? cluster.name : cluster.alt_stat_name;
    owners[name].insert(cluster.name);
    owners[statistics_name(name)].insert(cluster.name);
  }
  OtherNames names;
  for (const auto& [name, of] : owners) {
    const std::string& own = *of.begin();
    if (of.size() == 1 && name != own && name != statistics_name(own)) {
      names.emplace(name, own);
    }
  }
  return names;
}

void use_own_names(const OtherNames& names, Stats& stats) {
  // Removes all before adding any: one cluster's other name may be another cluster's own name.
  std::vector<std::pair<std::string, Stats::Values>> taken;
  for (const auto& [other, own] : names) {
    if (auto found = stats.clusters.extract(other); !found.empty()) {
      taken.emplace_back(own, std::move(found.mapped()));
    }
  }
  for (auto& [own, values] : taken) {
    stats.clusters[own].merge(values);
  }
  for (Cluster& cluster : stats.per_endpoint.clusters) {
    use_own_name(names, cluster.name);
  }
}

void use_own_names(const OtherNames& names, RangeAnswer& answer) {
  for (RangeSeries& series : answer.series) {
    for (const char* const label : {"envoy_cluster_name", "cluster_name"}) {
      if (const auto found = series.labels.find(label); found != series.labels.end()) {
        use_own_name(names, found->second);
      }
    }
  }
}

void use_own_names(const OtherNames& names, AccessLog& log) {
  for (LoggedRequest& request : log.requests) {
    use_own_name(names, request.upstream_cluster);
  }
}

}  // namespace spillway::observed
