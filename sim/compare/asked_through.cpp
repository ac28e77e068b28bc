#include "sim/compare/asked_through.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "sim/compare/observation.hpp"

namespace spillway::compare {

std::optional<std::uint64_t> AskedThrough::completed(const std::string& cluster) const {
  return growth(input_->observed.stats_before, input_->observed.stats_after, cluster, "upstream_rq_completed");
}

std::string AskedThrough::aggregate_above(const std::string& cluster) const {
  const auto above = above_.find(cluster);
  if (above == above_.end()) {
    return "";
  }
  const auto found = std::find_if(above->second.rbegin(), above->second.rend(),
                                  [&](const std::string& aggregate) { return completed(aggregate) != 0; });
  return found == above->second.rend() ? "" : *found;
}

std::string AskedThrough::why_mixed(const std::string& aggregate, const std::vector<std::string>& children) const {
  std::set<std::string> others;
  std::uint64_t direct = 0;
  for (const std::string& child : children) {
    direct += completed(child).value_or(0);
    const std::vector<std::string>& above = above_.at(child);
    others.insert(above.begin(), above.end());
  }
  others.erase(aggregate);
  for (const std::string& other : others) {
    const std::optional<std::uint64_t> of_other = completed(other);
    if (!of_other) {
      return fmt::format("{} leads to clusters of it, too, and hosts count the requests of both", other);
    }
    direct += *of_other;
  }
  if (direct > 0) {
    return fmt::format("its clusters got {} requests that were not sent to it, and hosts count all together", direct);
  }
  if (completed(aggregate)) {
    return "";
  }
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const std::string& child) { return routed().named.contains(child); });
  return found == children.end()
             ? ""
             : fmt::format(
                   "routes lead to {} directly, too, and hosts count all together: /stats of both moments say "
                   "how many requests came so",
                   *found);
}

const RoutedClusters& AskedThrough::routed() const {
  if (!routed_) {
    routed_ = input_->routed ? input_->routed() : RoutedClusters{};
  }
  return *routed_;
}

}  // namespace spillway::compare
