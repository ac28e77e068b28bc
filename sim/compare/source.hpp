// Where counts of hosts come from: /clusters at two moments, else statistics by endpoint, else a range query of
// Prometheus, else the access log. A log that is given with others is kept beside them.
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
  // `clusters_of`: by address, the clusters that hold it, for logs without names of clusters.
  Source(const Observed& observed, const std::map<std::string, std::vector<std::string>>& clusters_of);

  // Without requests if nothing was counted of it.
  [[nodiscard]] Observation of(const std::string& name) const;

  // Names with requests.
  [[nodiscard]] std::set<std::string> busy() const;

  // What the log beside other counts has; null: there is none, or it does not have the cluster.
  [[nodiscard]] const Observation* logged(const std::string& name) const;
  [[nodiscard]] bool has_log_beside() const noexcept { return !logged_.empty(); }

 private:
  // Clusters of one moment by name: a proxy may have thousands.
  class ByName {
   public:
    ByName() = default;
    explicit ByName(const observed::Clusters* clusters) {
      for (std::size_t i = 0; clusters != nullptr && i < clusters->clusters.size(); ++i) {
        found_.try_emplace(clusters->clusters[i].name, &clusters->clusters[i]);
      }
    }

    // Under its own name or as statistics spell it; null: there is none.
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
