// Lints of `distribute`: the effect of its percentages on the existing endpoints.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "models/istio/lint_parts.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/load_assignment.hpp"

namespace spillway::istio {

namespace {

// The smallest difference due to rounding that is reported.
constexpr double reported_percentage_points = 0.05;

std::string percent_text(double percent) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.4g", percent));
  return text;
}

// Returns the assignment that an entry makes of a service's groups, for a proxy that the entry matches.
LoadAssignment distributed(const LintRequest& request, const Service& service, const DestinationRule& rule,
                           const PolicySite& site, const LocalityLbSetting::Distribute& entry) {
  const Proxy proxy;
  LoadAssignment made = grouped({.documents = request.documents,
                                 .proxy = &proxy,
                                 .service = &service,
                                 .port = site.port != 0 ? site.port : service.ports.front().number,
                                 .subset_labels = labels_of(rule, site.subset),
                                 .policy = &site.effective});
  LocalityLbSetting setting{.enabled = true, .distribute = {entry}};
  setting.distribute.front().from = "*";
  if (!made.localities.empty()) {
    apply({.value = setting}, proxy, false, made);
  }
  return made;
}

class DistributionLinter {
 public:
  DistributionLinter(const LintRequest& request, const DestinationRule& rule, const PolicySite& site,
                     std::vector<Lint>& lints)
      : request_(request), rule_(rule), site_(site), lints_(lints) {}

  void lint() {
    const LocalityLbSetting& setting = *site_.own->loadBalancer->localityLbSetting;
    const std::string path = site_.path + ".loadBalancer.localityLbSetting";
    if (!setting.failoverPriority.empty()) {
      add(10, path + ".failoverPriority", "is ignored with `distribute`, which never fails over by priority");
    }
    const std::vector<const Service*> services = services_of(rule_, *request_.registry);
    const auto served = std::find_if(services.begin(), services.end(), [](const Service* service) {
      return !service->endpoints.empty() && !service->ports.empty();
    });
    if (served == services.end()) {
      return;
    }
    for (std::size_t entry = 0; entry < setting.distribute.size(); ++entry) {
      lint(setting.distribute[entry], at(path + ".distribute", entry), **served);
    }
  }

 private:
  void add(std::uint32_t number, std::string path, std::string message) {
    lints_.push_back(
        {.number = number, .document = rule_.meta.age, .path = std::move(path), .message = std::move(message)});
  }

  void lint(const LocalityLbSetting::Distribute& entry, const std::string& path, const Service& service) {
    const LoadAssignment made = distributed(request_, service, rule_, site_, entry);
    if (made.localities.empty()) {
      return;
    }
    const std::vector<std::uint64_t> weights = weights_of(entry, made);
    const bool nothing = std::all_of(weights.begin(), weights.end(), [](std::uint64_t weight) { return weight == 0; });
    for (std::size_t key = 0; key < entry.to.size(); ++key) {
      if (weights[key] == 0) {
        add(6, path + ".to[\"" + entry.to[key].first + "\"]",
            nothing ? "no key of this entry matches an endpoint of " + service.hostname +
                          ": every request is answered with a 503"
                    : "matches no endpoint of " + service.hostname + ": its " + std::to_string(entry.to[key].second) +
                          " % go to the others");
      }
    }
    if (nothing) {
      return;
    }
    rounding(entry, weights, path);
    left_out(entry, made, path);
    if (site_.effective.outlierDetection && one_place(made) && made.localities.size() > 1) {
      add(10, path + ".to", "does not fail over: all its endpoints are in one locality, and no other takes over");
    }
  }

  // Returns the weight of each key's groups, 0 for a key without groups.
  static std::vector<std::uint64_t> weights_of(const LocalityLbSetting::Distribute& entry, const LoadAssignment& made) {
    std::vector<std::uint64_t> weights(entry.to.size());
    for (const AssignedLocality& group : made.localities) {
      if (group.placement.by == PlacedBy::distribute) {
        weights[group.placement.rule] += group.weight;
      }
    }
    return weights;
  }

  // Warns of percentages changed by rounding: each group's weight is rounded up. Keys without endpoints are another
  // lint.
  void rounding(const LocalityLbSetting::Distribute& entry, const std::vector<std::uint64_t>& weights,
                const std::string& path) {
    double total = 0.0;
    double wanted = 0.0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      total += static_cast<double>(weights[key]);
      wanted += weights[key] == 0 ? 0.0 : static_cast<double>(entry.to[key].second);
    }
    std::string became;
    bool moved = false;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      const double share = 100.0 * static_cast<double>(weights[key]) / total;
      const double meant = weights[key] == 0 ? 0.0 : 100.0 * static_cast<double>(entry.to[key].second) / wanted;
      moved = moved || std::abs(share - meant) > reported_percentage_points;
      became += (became.empty() ? "" : " : ") + percent_text(share);
    }
    if (moved) {
      add(9, path + ".to", "becomes " + became + " %: the weight of each locality behind a key is rounded up");
    }
  }

  // Warns of groups left out: a forgotten zone in a region that the entry concerns, or endpoints without a locality,
  // which only a key for all localities matches. Whole regions count as left out on purpose.
  void left_out(const LocalityLbSetting::Distribute& entry, const LoadAssignment& made, const std::string& path) {
    for (const AssignedLocality& group : made.localities) {
      const bool concerned = std::any_of(made.localities.begin(), made.localities.end(), [&](const auto& other) {
        return other.placement.by == PlacedBy::distribute && other.locality.region == group.locality.region;
      });
      if (group.placement.by == PlacedBy::no_key &&
          (concerned || group.locality.region.empty() || split_locality(entry.from).region == group.locality.region)) {
        add(7, path + ".to",
            "no key is for " + words_of(group.locality) + ": endpoints there get nothing, also where all others fail");
        return;
      }
    }
  }

  static bool one_place(const LoadAssignment& made) {
    return std::count_if(made.localities.begin(), made.localities.end(),
                         [](const AssignedLocality& group) { return group.placement.by == PlacedBy::distribute; }) == 1;
  }

  const LintRequest& request_;
  const DestinationRule& rule_;
  const PolicySite& site_;
  std::vector<Lint>& lints_;
};

}  // namespace

void lint_distribution(const LintRequest& request, const DestinationRule& rule, std::vector<Lint>& lints) {
  for (const PolicySite& site : sites_of(rule)) {
    const auto& balancer = site.own->loadBalancer;
    if (balancer && balancer->localityLbSetting && !balancer->localityLbSetting->distribute.empty() &&
        balancer->localityLbSetting->enabled.value_or(true)) {
      DistributionLinter(request, rule, site, lints).lint();
    }
  }
}

}  // namespace spillway::istio
