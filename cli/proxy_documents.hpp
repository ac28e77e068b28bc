// The configuration of one proxy, as files of documents that Envoy reads, cluster by cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/observed/clusters.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {

class ProxyDocuments {
 public:
  explicit ProxyDocuments(const std::vector<std::string>& paths);

  // Files that could not be read at all.
  [[nodiscard]] const scenario::Diagnostics& problems() const noexcept { return problems_; }
  [[nodiscard]] const scenario::Sources& sources() const noexcept { return sources_; }

  // Of the clusters that the proxy told of those that the documents have too, or the one that is asked for.
  [[nodiscard]] std::vector<std::string> names(const std::optional<std::string>& asked,
                                               const std::optional<observed::Clusters>& told) const;

  // Requests to that cluster; empty: to the only one.
  [[nodiscard]] scenario::Reading read(const std::string& cluster) const;

 private:
  scenario::Sources sources_;
  scenario::Diagnostics problems_;
};

}  // namespace spillway::cli
