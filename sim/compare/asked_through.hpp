// Through which clusters requests reach hosts: by a route that names their cluster, or through aggregate clusters above
// it, whose requests hosts count as they count all others.
//
//   AskedThrough asked(input);
//   asked.add("canary", "v1");
//   asked.why_mixed("canary", {"v1", "v2"});   // "its clusters got 40 requests that were not sent to it, ..."
//
// By upstream_rq_completed of /stats, which count an aggregate's requests there, and else by what routes name.
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
  // The input must outlive this.
  explicit AskedThrough(const Input& input) : input_(&input) {}

  void add(const std::string& aggregate, const std::string& child) { above_[child].push_back(aggregate); }

  // What clients sent to the cluster itself; none: /stats of both moments do not say.
  [[nodiscard]] std::optional<std::uint64_t> completed(const std::string& cluster) const;

  // An aggregate that leads to it, through others or not, and got requests, or may have got some; empty: there is none.
  [[nodiscard]] std::string aggregate_above(const std::string& cluster) const;

  // Why hosts below an aggregate count requests that it did not get; empty: as far as is known they do not.
  [[nodiscard]] std::string why_mixed(const std::string& aggregate, const std::vector<std::string>& children) const;

  // Of whose requests some have a session that names their host.
  [[nodiscard]] bool has_sessions(const std::string& cluster) const { return routed().with_sessions.contains(cluster); }

 private:
  [[nodiscard]] const RoutedClusters& routed() const;

  const Input* input_;
  std::map<std::string, std::vector<std::string>> above_;  // by cluster
  mutable std::optional<RoutedClusters> routed_;           // once it was asked
};

}  // namespace spillway::compare
