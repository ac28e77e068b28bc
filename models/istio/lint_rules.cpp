// Lints of DestinationRules: blocks that are dropped or have no effect, and rules that compete with others.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/lint_parts.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/load_assignment.hpp"
#include "models/istio/names.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/traffic_policy.hpp"
#include "models/istio/visibility.hpp"
#include "models/numeric/stable_sort.hpp"

namespace spillway::istio {

namespace {

// The divisor for Envoy's default max_ejection_percent: 10, but at least one host.
constexpr std::size_t default_ejection_divisor = 10;

bool sets_locality(const TrafficPolicy& policy) {
  return policy.loadBalancer && (policy.loadBalancer->localityLbSetting || policy.loadBalancer->zoneAwareLbSetting);
}

bool is_dns(const Service& service) {
  return service.resolution == Resolution::dns || service.resolution == Resolution::dns_round_robin;
}

std::string listed_blocks(bool outlier, bool locality) {
  return outlier && locality ? "outlierDetection and localityLbSetting"
         : outlier           ? "outlierDetection"
                             : "localityLbSetting";
}

class RuleLinter {
 public:
  RuleLinter(const LintRequest& request, const DestinationRule& rule, std::vector<Lint>& lints)
      : request_(request), rule_(rule), services_(services_of(rule, *request.registry)), lints_(lints) {}

  void lint() {
    host();
    for (const PolicySite& site : sites_of(rule_)) {
      without_outlier_detection(site);
      dropped_blocks(site);
      outlier_detection(site);
      balancer(site);
      labels_by_dns(site);
      beside_traffic_distribution(site);
    }
    hash_of_one_subset();
    headless();
    empty_subsets();
  }

 private:
  void add(std::uint32_t number, std::string path, std::string message) {
    lints_.push_back(
        {.number = number, .document = rule_.meta.age, .path = std::move(path), .message = std::move(message)});
  }

  void host() {
    const std::string completed = rule_.host + ".svc.cluster.local";
    const auto& known = request_.registry->services;
    if (services_.empty() && rule_.host.find('.') != std::string::npos &&
        std::any_of(known.begin(), known.end(),
                    [&](const Service& service) { return service.hostname == completed; })) {
      add(26, "spec.host", "matches no service: a host with a dot is taken as complete; write " + completed);
    }
  }

  void without_outlier_detection(const PolicySite& site) {
    if (!sets_locality(*site.own) || !site.own->loadBalancer->localityLbSetting || site.effective.outlierDetection) {
      return;
    }
    const LocalityLbSetting& setting = *site.own->loadBalancer->localityLbSetting;
    const bool preferred = std::any_of(services_.begin(), services_.end(), [](const Service* service) {
      return service->distribution != TrafficDistribution::any;
    });
    if (setting.enabled.value_or(true) && setting.distribute.empty() && !preferred) {
      add(1, site.path + ".loadBalancer.localityLbSetting",
          "does nothing without `outlierDetection` in the same policy: every endpoint is at priority 0");
    }
  }

  // Warns of dropped blocks: a port's settings replace the whole policy, a subset's settings replace each block that
  // they contain.
  void dropped_blocks(const PolicySite& site) {
    const TrafficPolicy base = rule_.trafficPolicy.value_or(TrafficPolicy{});
    TrafficPolicy around = base;
    if (site.port != 0 && !site.subset.empty()) {
      around = policy_of(&rule_, 0, site.subset).value_or(TrafficPolicy{});
    } else if (site.port == 0 && site.subset.empty()) {
      return;
    }
    const bool outlier = around.outlierDetection && !site.effective.outlierDetection;
    const bool locality = sets_locality(around) && !sets_locality(site.effective);
    if (outlier || locality) {
      add(3, site.path,
          "drops " + listed_blocks(outlier, locality) +
              (site.port != 0 ? ": settings of a port replace the whole policy"
                              : ": its `loadBalancer` replaces the rule's whole"));
    }
  }

  // Source: docs/behaviour/istio.md, outlierDetectionHttpErrorCodes.
  void counted_codes(const PolicySite& site, const OutlierDetection& outlier) {
    const auto& codes = outlier.outlierDetectionHttpErrorCodes;
    if (codes.empty() || !request_.documents->switches.http_error_codes) {
      return;
    }
    std::string listed;
    for (const std::uint32_t code : codes) {
      listed += (listed.empty() ? "" : ", ") + std::to_string(code);
    }
    constexpr std::uint32_t first_5xx = 500;
    constexpr std::uint32_t past_5xx = 600;
    const auto of_5xx = std::count_if(codes.begin(), codes.end(),
                                      [](std::uint32_t code) { return code >= first_5xx && code < past_5xx; });
    if (of_5xx < past_5xx - first_5xx) {
      add(listed_codes, site.path + ".outlierDetection.outlierDetectionHttpErrorCodes",
          "outlierDetectionHttpErrorCodes replaces the 5xx: answers with " + listed +
              " are errors, every other 5xx is none");
    }
  }

  void outlier_detection(const PolicySite& site) {
    if (!site.own->outlierDetection) {
      return;
    }
    const OutlierDetection& outlier = *site.own->outlierDetection;
    if (outlier.minHealthPercent > 0) {
      // Source: docs/behaviour/istio.md, healthy_panic_threshold.
      const bool sends_all = !services_.empty() && std::all_of(services_.begin(), services_.end(), [&](auto* service) {
        return always_sends_unhealthy(*service, request_.documents->switches);
      });
      add(13, site.path + ".outlierDetection.minHealthPercent",
          sends_all ? "has no effect: with trafficDistribution or PILOT_SEND_UNHEALTHY_ENDPOINTS istiod turns panic off"
                    : "below " + std::to_string(outlier.minHealthPercent) +
                          " % healthy Envoy sends requests to ejected hosts too, and to the nearest zone again");
    }
    counted_codes(site, outlier);
    if (outlier.maxEjectionPercent != 0) {
      return;
    }
    for (const Service* const service : services_) {
      const auto places = places_of(*service, labels_of(rule_, site.subset));
      std::size_t total = 0;
      std::pair<std::string, std::size_t> largest;
      for (const auto& [place, count] : places) {
        total += count;
        largest = count > largest.second ? std::pair(place, count) : largest;
      }
      const std::size_t ejectable = total / default_ejection_divisor;
      if (places.size() > 1 && largest.second > std::max<std::size_t>(1, ejectable)) {
        add(12, site.path + ".outlierDetection",
            "without maxEjectionPercent " +
                (ejectable == 0 ? std::string("none") : "at most " + std::to_string(ejectable)) + " of " +
                std::to_string(total) + " endpoints is ejected, while " + largest.first + " has " +
                std::to_string(largest.second) + ": if it dies, it never fails over fully");
        return;
      }
    }
  }

  void balancer(const PolicySite& site) {
    if (!site.own->loadBalancer) {
      return;
    }
    const LoadBalancerSettings& settings = *site.own->loadBalancer;
    const bool warms = settings.warmup || settings.warmupDurationSecs;
    if (warms &&
        (settings.consistentHash || settings.simple == SimpleLb::random || settings.simple == SimpleLb::passthrough)) {
      add(25, site.path + ".loadBalancer." + (settings.warmup ? "warmup" : "warmupDurationSecs"),
          settings.consistentHash ? "does nothing with `consistentHash`"
                                  : "needs `simple: ROUND_ROBIN` or `LEAST_REQUEST`");
    }
    if (settings.consistentHash && settings.consistentHash->httpCookie && !settings.consistentHash->httpCookie->ttl) {
      add(18, site.path + ".loadBalancer.consistentHash.httpCookie",
          "without `ttl` Envoy makes no cookie: a request that brings none goes to a random host");
    }
  }

  void labels_by_dns(const PolicySite& site) {
    const auto& balancer = site.own->loadBalancer;
    if (!balancer || !balancer->localityLbSetting || balancer->localityLbSetting->failoverPriority.empty() ||
        !balancer->localityLbSetting->distribute.empty()) {
      return;
    }
    for (const Service* const service : services_) {
      if (!is_dns(*service)) {
        continue;
      }
      const std::string path = site.path + ".loadBalancer.localityLbSetting.failoverPriority";
      if (!site.subset.empty()) {
        add(14, path, "is ignored for subsets of a ServiceEntry by DNS");
      } else if (places_of(*service, {}).size() > 1) {
        add(14, path, "istiod panics: the endpoints of " + service->hostname + ", by DNS, are in several localities");
      }
    }
  }

  void beside_traffic_distribution(const PolicySite& site) {
    const auto& balancer = site.own->loadBalancer;
    const auto preferring = std::find_if(services_.begin(), services_.end(), [](const Service* service) {
      return service->distribution != TrafficDistribution::any;
    });
    if (preferring == services_.end() || !balancer || !balancer->localityLbSetting ||
        !balancer->localityLbSetting->enabled.value_or(true)) {
      return;
    }
    const bool acts = site.effective.outlierDetection || !balancer->localityLbSetting->distribute.empty();
    add(15, site.path + ".loadBalancer.localityLbSetting",
        "replaces the traffic distribution of " + (*preferring)->hostname +
            (acts ? "" : "; without `outlierDetection` no zone is preferred"));
  }

  void hash_of_one_subset() {
    const bool by_rule =
        rule_.trafficPolicy && rule_.trafficPolicy->loadBalancer && rule_.trafficPolicy->loadBalancer->consistentHash;
    const auto hashes = [](const Subset& subset) {
      return subset.trafficPolicy && subset.trafficPolicy->loadBalancer &&
             subset.trafficPolicy->loadBalancer->consistentHash;
    };
    if (by_rule || std::all_of(rule_.subsets.begin(), rule_.subsets.end(), hashes)) {
      return;
    }
    for (std::size_t subset = 0; subset < rule_.subsets.size(); ++subset) {
      if (hashes(rule_.subsets[subset])) {
        add(18, at("spec.subsets", subset) + ".trafficPolicy.loadBalancer.consistentHash",
            "only requests for this subset are hashed; the other subsets and the whole service are not");
      }
    }
  }

  void headless() {
    for (const Service* const service : services_) {
      if (service->resolution != Resolution::passthrough) {
        continue;
      }
      const std::string why = service->hostname + " sends requests where they were addressed to (ORIGINAL_DST)";
      if (rule_.trafficPolicy && rule_.trafficPolicy->loadBalancer) {
        add(20, "spec.trafficPolicy.loadBalancer", "does nothing: " + why);
      }
      if (!rule_.subsets.empty()) {
        add(20, "spec.subsets", "choose no endpoints: " + why);
      }
      return;
    }
  }

  void empty_subsets() {
    for (std::size_t subset = 0; subset < rule_.subsets.size(); ++subset) {
      const Labels& labels = rule_.subsets[subset].labels;
      const bool empty = std::any_of(services_.begin(), services_.end(), [&](const Service* service) {
        return !service->endpoints.empty() && places_of(*service, labels).empty();
      });
      if (empty && !is_wildcard(rule_.host)) {
        add(subset_without_endpoints, at("spec.subsets", subset) + ".labels",
            "no endpoint has them: requests for " + rule_.subsets[subset].name + " are answered with a 503");
      }
    }
  }

  const LintRequest& request_;
  const DestinationRule& rule_;
  std::vector<const Service*> services_;
  std::vector<Lint>& lints_;
};

// Warns of several rules of one namespace for one host and the same proxies: the oldest policy applies whole.
void lint_second_rules(const Documents& documents, std::vector<Lint>& lints) {
  std::map<std::pair<std::string, std::string>, std::vector<const DestinationRule*>> by_host;
  for (const DestinationRule& rule : documents.destination_rules) {
    by_host[{rule.meta.name_space, resolve_short_name(rule.host, rule.meta.name_space)}].push_back(&rule);
  }
  for (auto& [host, rules] : by_host) {
    numeric::stable_sort(rules, [](const DestinationRule* left, const DestinationRule* right) {
      return is_older(left->meta, right->meta);
    });
    for (std::size_t later = 1; later < rules.size(); ++later) {
      const DestinationRule& rule = *rules[later];
      const auto earlier = std::find_if(
          rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(later), [&](const DestinationRule* candidate) {
            return candidate->workloadSelector == rule.workloadSelector && candidate->exportTo == rule.exportTo &&
                   candidate->trafficPolicy && rule.trafficPolicy;
          });
      if (*earlier != &rule) {
        lints.push_back({.number = 11,
                         .document = rule.meta.age,
                         .path = "spec.trafficPolicy",
                         .message = "is dropped whole: the older rule " + (*earlier)->meta.name_space + "/" +
                                    (*earlier)->meta.name + " for " + host.second + " has one"});
      }
    }
  }
}

// Warns of several VirtualServices of one namespace for one host: a sidecar has the routes of the oldest.
void lint_second_routes(const Documents& documents, std::vector<Lint>& lints) {
  for (const VirtualService& later : documents.virtual_services) {
    for (std::size_t position = 0; position < later.hosts.size() && is_of_sidecars(later); ++position) {
      const std::string host = resolve_short_name(later.hosts[position], later.meta.name_space);
      const auto hides = [&](const VirtualService& earlier) {
        return earlier.meta.name_space == later.meta.name_space && earlier.exportTo == later.exportTo &&
               is_older(earlier.meta, later.meta) && is_of_sidecars(earlier) &&
               std::any_of(earlier.hosts.begin(), earlier.hosts.end(), [&](const std::string& one) {
                 return resolve_short_name(one, earlier.meta.name_space) == host;
               });
      };
      const auto found = std::find_if(documents.virtual_services.begin(), documents.virtual_services.end(), hides);
      if (found != documents.virtual_services.end()) {
        lints.push_back({.number = 11,
                         .document = later.meta.age,
                         .path = at("spec.hosts", position),
                         .message = "sidecars have the routes of the older VirtualService " + found->meta.name_space +
                                    "/" + found->meta.name + " for " + host + ", and none of this one"});
      }
    }
  }
}

// Warns that for endpoints over EDS the mesh's default policy gives ejections but no priorities.
void lint_mesh_default(const LintRequest& request, std::vector<Lint>& lints) {
  const Documents& documents = *request.documents;
  if (!documents.mesh.defaultTrafficPolicy.outlierDetection) {
    return;
  }
  const std::string path = "spec.meshConfig.defaultTrafficPolicy.outlierDetection";
  if (!documents.switches.mesh_default_policy) {
    lints.push_back({.number = 16, .path = path, .message = "does nothing: 1.30 has no default policy of the mesh"});
    return;
  }
  for (const Service& service : request.registry->services) {
    const bool own = std::any_of(
        documents.destination_rules.begin(), documents.destination_rules.end(), [&](const DestinationRule& rule) {
          return rule.trafficPolicy && rule.trafficPolicy->outlierDetection &&
                 host_matches(service.hostname, resolve_short_name(rule.host, rule.meta.name_space));
        });
    if (!own && service.resolution == Resolution::client_side && service.distribution == TrafficDistribution::any &&
        places_of(service, {}).size() > 1) {
      lints.push_back({.number = 16,
                       .path = path,
                       .message = "ejects hosts of " + service.hostname +
                                  ", but makes no priorities: no zone is preferred, and nothing fails over"});
      return;
    }
  }
}

}  // namespace

void lint_rules(const LintRequest& request, std::vector<Lint>& lints) {
  for (const DestinationRule& rule : request.documents->destination_rules) {
    RuleLinter(request, rule, lints).lint();
  }
  lint_second_rules(*request.documents, lints);
  lint_second_routes(*request.documents, lints);
  lint_mesh_default(request, lints);
}

}  // namespace spillway::istio
