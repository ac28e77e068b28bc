#include "sim/compare/source.hpp"

#include "sim/compare/compare.hpp"

namespace spillway::compare {

Source::Source(const Observed& observed, const std::map<std::string, std::vector<std::string>>& clusters_of)
    : stats_before_(observed.stats_before), stats_after_(observed.stats_after) {
  const bool of_stats = observed.stats_after != nullptr && !observed.stats_after->per_endpoint.clusters.empty();
  if (observed.clusters_after != nullptr) {
    before_ = observed.clusters_before;
    after_ = observed.clusters_after;
  } else if (of_stats) {
    before_ = observed.stats_before == nullptr ? nullptr : &observed.stats_before->per_endpoint;
    after_ = &observed.stats_after->per_endpoint;
    counts_alone_ = true;
  } else if (observed.range != nullptr) {
    found_ = observe(*observed.range);
  } else if (observed.log != nullptr) {
    found_ = observe(*observed.log, clusters_of);
  }
  earlier_ = ByName(before_);
  later_ = ByName(after_);
  if (observed.log != nullptr && (after_ != nullptr || observed.range != nullptr)) {
    logged_ = observe(*observed.log, clusters_of);
  }
}

Observation Source::of(const std::string& name) const {
  if (after_ != nullptr) {
    const observed::Cluster* const then = earlier_.find(name);
    const observed::Cluster* const now = later_.find(name);
    Observation observation = observe(then, now, name, stats_before_, stats_after_);
    observation.held = !counts_alone_ && (then != nullptr || now != nullptr);
    if (counts_alone_) {
      for (ObservedHost& host : observation.hosts) {
        host.before.reset();
        host.after.reset();
      }
    }
    return observation;
  }
  for (const std::string& spelling : {name, observed::statistics_name(name)}) {
    const auto found = found_.find(spelling);
    if (found != found_.end()) {
      return found->second;
    }
  }
  return Observation{name};
}

std::set<std::string> Source::busy() const {
  std::set<std::string> names;
  if (after_ != nullptr) {
    for (const observed::Cluster& cluster : after_->clusters) {
      if (of(cluster.name).requests() > 0) {
        names.insert(cluster.name);
      }
    }
  }
  for (const auto& [name, observation] : found_) {
    names.insert(name);
  }
  return names;
}

const Observation* Source::logged(const std::string& name) const {
  const auto found = logged_.find(name);
  return found == logged_.end() ? nullptr : &found->second;
}

}  // namespace spillway::compare
