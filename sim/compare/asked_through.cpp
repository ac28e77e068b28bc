#include "sim/compare/asked_through.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "sim/compare/observation.hpp"

namespace spillway::compare {

std::optional<std::uint64_t> AskedThrough::completed(const std::string& cluster) const {
  constexpr std::string_view statistic = "upstream_rq_completed";
  const observed::Stats* const before = input_->observed.stats_before;
  const observed::Stats* const after = input_->observed.stats_after;
  // /stats?usedonly omits statistics that never counted.
  return before != nullptr && after != nullptr && !before->of(cluster, statistic)
             ? after->of(cluster, statistic)
             : growth(before, after, cluster, statistic);
}

std::string AskedThrough::aggregate_above(const std::string& cluster) const {
  const auto above = above_.find(cluster);
  if (above == above_.end()) {
    return "";
  }
  for (const std::string& aggregate : above->second) {
    if (completed(aggregate) != 0) {
      return aggregate;
    }
    if (const std::string further = aggregate_above(aggregate); !further.empty()) {
      return further;
    }
  }
  return "";
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
  if (!routed().named.contains(aggregate)) {
    return "no route to it was read, and hosts may count requests of others: /stats of both moments say how many are "
           "its";
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
