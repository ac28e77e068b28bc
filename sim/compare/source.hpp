// Selects the source of host counts. The first available is used: /clusters at two times, statistics by endpoint, a
// range query of Prometheus, the access log. A log that is given in addition to others is kept separately.
//
//   const Source source(observed, clusters_of);
//   Observation observation = source.of("backend");
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/compare/observation.hpp"

namespace spillway::compare {

struct Observed;  // compare.hpp

class Source {
 public:
  // `clusters_of` maps addresses to their clusters, for logs without cluster names.
  Source(const Observed& observed, const std::map<std::string, std::vector<std::string>>& clusters_of);

  // Returns the counts of a cluster, without requests if nothing was counted.
  [[nodiscard]] Observation of(const std::string& name) const;

  // Returns the names of clusters with requests.
  [[nodiscard]] std::set<std::string> busy() const;

  // Returns the counts of the additional log; null if there is no log or if the cluster is not in it.
  [[nodiscard]] const Observation* logged(const std::string& name) const;
  [[nodiscard]] bool has_log_beside() const noexcept { return !logged_.empty(); }

 private:
  // Clusters of one time by name, for proxies with thousands of them.
  class ByName {
   public:
    ByName() = default;
    explicit ByName(const observed::Clusters* clusters) {
      for (std::size_t i = 0; clusters != nullptr && i < clusters->clusters.size(); ++i) {
        found_.try_emplace(clusters->clusters[i].name, &clusters->clusters[i]);
      }
    }

    // Finds a cluster by its name or by its spelling in statistics; null if there is none.
    [[nodiscard]] const observed::Cluster* find(const std::string& name) const {
      auto place = found_.find(name);
      place = place != found_.end() ? place : found_.find(observed::statistics_name(name));
      return place != found_.end() ? place->second : nullptr;
    }

   private:
    std::map<std::string, const observed::Cluster*, std::less<>> found_;
  };

  const observed::Stats* stats_before_ = nullptr;
  const observed::Stats* stats_after_ = nullptr;
  const observed::Clusters* before_ = nullptr;
  const observed::Clusters* after_ = nullptr;
  ByName earlier_;
  ByName later_;
  bool counts_alone_ = false;
  std::map<std::string, Observation> found_;
  std::map<std::string, Observation> logged_;
};

}  // namespace spillway::compare
