#include "sim/compare/rates.hpp"

#include <algorithm>
#include <utility>

#include "sim/compare/compare.hpp"
#include "sim/compare/observation.hpp"

namespace spillway::compare {
namespace {

std::optional<std::chrono::nanoseconds> restarted_ago(const Observed& observed, std::chrono::nanoseconds apart) {
  if (!was_restarted(observed.stats_before, observed.stats_after)) {
    return std::nullopt;
  }
  const std::uint64_t uptime = observed.stats_after->server.at("uptime");
  const auto all = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(apart).count());
  if (uptime == 0 || uptime >= all) {
    return std::nullopt;
  }
  return std::chrono::seconds{uptime};
}

class Counting {
 public:
  Counting(const Observed& observed, std::chrono::nanoseconds apart, const std::vector<AskedCluster>& asked)
      : observed_(&observed), counted_{.rates = {}, .since_restart = restarted_ago(observed, apart)} {
    seconds_ = std::chrono::duration<double>(counted_.since_restart.value_or(apart)).count();
    for (const AskedCluster& cluster : asked) {
      names_.insert(cluster.name);
      if (!cluster.below.empty()) {
        aggregates_.insert(cluster.name);
      }
      below_.insert(cluster.below.begin(), cluster.below.end());
    }
    if (observed.stats_before != nullptr && observed.stats_after != nullptr) {
      const auto& clusters = observed.stats_after->clusters;
      knows_completed_ = std::any_of(clusters.begin(), clusters.end(), [](const auto& cluster) {
        return cluster.second.contains("upstream_rq_completed");
      });
    }
  }

  CountedRates all() {
    names_.insert(below_.begin(), below_.end());
    for (const std::string& name : names_) {
      if (const std::optional<std::uint64_t> attempts = grown(name, "upstream_rq_total")) {
        add(name, *attempts, began_anew(observed_->stats_before, observed_->stats_after, name));
      } else if (grown(name, "upstream_rq_completed")) {
        add(name, 0, began_anew(observed_->stats_before, observed_->stats_after, name));
      }
    }
    if (observed_->clusters_before != nullptr && observed_->clusters_after != nullptr) {
      for (const observed::Cluster& cluster : observed_->clusters_after->clusters) {
        const Observation seen = observe(observed_->clusters_before->find(cluster.name), &cluster, cluster.name,
                                         observed_->stats_before, observed_->stats_after);
        add(cluster.name, seen.requests(), seen.reset);
      }
    }
    return std::move(counted_);
  }

 private:
  [[nodiscard]] bool is_of_aggregate(const std::string& cluster) const {
    return aggregates_.contains(cluster) || below_.contains(cluster);
  }

  [[nodiscard]] std::optional<std::uint64_t> grown(const std::string& cluster, const char* statistic) const {
    return growth(observed_->stats_before, observed_->stats_after, cluster, statistic);
  }

  // Returns the requests that clients sent; `connected` of their attempts got a connection.
  [[nodiscard]] std::uint64_t sent_by_clients(const std::string& cluster, std::uint64_t connected) const {
    const auto count = [&](const char* statistic) { return grown(cluster, statistic).value_or(0); };
    const std::uint64_t completed = count("upstream_rq_completed");
    // The part of the attempts that an aggregate made is unknown.
    if (knows_completed_ && is_of_aggregate(cluster)) {
      return completed;
    }
    const std::uint64_t attempts = connected + count("upstream_rq_pending_overflow") +
                                   count("upstream_rq_pending_failure_eject") + count("upstream_cx_none_healthy");
    return std::max(attempts - std::min(attempts, count("upstream_rq_retry")), completed);
  }

  void add(const std::string& cluster, std::uint64_t connected, bool is_reset) {
    if (aggregates_.contains(cluster) && !knows_completed_) {
      return;  // an aggregate has no hosts and so no attempts
    }
    counted_.rates[cluster] = static_cast<double>(sent_by_clients(cluster, connected)) / seconds_;
    counted_.at_least.erase(cluster);
    if (is_reset && !counted_.since_restart) {
      counted_.at_least.insert(cluster);
    }
    counted_.after_drops.erase(cluster);
    if (!knows_completed_ || (!is_of_aggregate(cluster) && !grown(cluster, "upstream_rq_completed"))) {
      counted_.after_drops.insert(cluster);
    }
  }

  const Observed* observed_;
  CountedRates counted_;
  double seconds_ = 1.0;
  bool knows_completed_ = false;
  std::set<std::string> names_;
  std::set<std::string> aggregates_;
  std::set<std::string> below_;
};

}  // namespace

CountedRates counted_rates(const Observed& observed, std::chrono::nanoseconds apart,
                           const std::vector<AskedCluster>& asked) {
  return Counting(observed, apart, asked).all();
}

}  // namespace spillway::compare
