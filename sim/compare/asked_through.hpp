// The clusters through which requests reach hosts: by a route that names their cluster, or through aggregate clusters
// above it. Hosts count requests of aggregates like all others.
//
//   AskedThrough asked(input);
//   asked.add("canary", "v1");
//   asked.why_mixed("canary", {"v1", "v2"});   // "its clusters got 40 requests that were not sent to it, ..."
//
// Uses upstream_rq_completed of /stats, which counts an aggregate's requests there; otherwise the names in routes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/compare/compare.hpp"

namespace spillway::compare {

class AskedThrough {
 public:
  // Lifetime: the input must outlive this object.
  explicit AskedThrough(const Input& input) : input_(&input) {}

  void add(const std::string& aggregate, const std::string& child) { above_[child].push_back(aggregate); }

  // Returns the requests that clients sent to the cluster itself; nullopt if it is not in /stats of both times.
  [[nodiscard]] std::optional<std::uint64_t> completed(const std::string& cluster) const;

  // Returns an aggregate cluster that contains the cluster, directly or not, and got requests or may have; empty if
  // there is none.
  [[nodiscard]] std::string aggregate_above(const std::string& cluster) const;

  // Returns the reason why hosts below an aggregate count requests of others; empty if there is no known reason.
  [[nodiscard]] std::string why_mixed(const std::string& aggregate, const std::vector<std::string>& children) const;

  // True if some of the cluster's requests have a session that names their host.
  [[nodiscard]] bool has_sessions(const std::string& cluster) const { return routed().with_sessions.contains(cluster); }

 private:
  [[nodiscard]] const RoutedClusters& routed() const;

  const Input* input_;
  std::map<std::string, std::vector<std::string>> above_;  // by cluster
  mutable std::optional<RoutedClusters> routed_;           // set on first use
};

}  // namespace spillway::compare
