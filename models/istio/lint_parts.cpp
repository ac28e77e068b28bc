#include "models/istio/lint_parts.hpp"

#include "models/istio/lints.hpp"
#include "models/istio/names.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/traffic_policy.hpp"

namespace spillway::istio {

namespace {

void add_sites(const DestinationRule& rule, const std::optional<TrafficPolicy>& policy, const std::string& path,
               const std::string& subset, std::vector<PolicySite>& sites) {
  if (!policy) {
    return;
  }
  sites.push_back({path, subset, 0, &*policy, policy_of(&rule, 0, subset).value_or(TrafficPolicy{})});
  for (std::size_t settings = 0; settings < policy->portLevelSettings.size(); ++settings) {
    const PortTrafficPolicy& written = policy->portLevelSettings[settings];
    const std::uint32_t port = written.port.value_or(0);
    sites.push_back({at(path + ".portLevelSettings", settings), subset, port, &written.policy,
                     policy_of(&rule, port, subset).value_or(TrafficPolicy{})});
  }
}

}  // namespace

std::string at(const std::string& path, std::size_t position) {
  return path + "[" + std::to_string(position) + "]";
}

std::vector<PolicySite> sites_of(const DestinationRule& rule) {
  std::vector<PolicySite> sites;
  add_sites(rule, rule.trafficPolicy, "spec.trafficPolicy", "", sites);
  for (std::size_t subset = 0; subset < rule.subsets.size(); ++subset) {
    add_sites(rule, rule.subsets[subset].trafficPolicy, at("spec.subsets", subset) + ".trafficPolicy",
              rule.subsets[subset].name, sites);
  }
  return sites;
}

std::vector<const Service*> services_of(const DestinationRule& rule, const Registry& registry) {
  std::vector<const Service*> found;
  const std::string host = resolve_short_name(rule.host, rule.meta.name_space);
  for (const Service& service : registry.services) {
    if (host_matches(service.hostname, host)) {
      found.push_back(&service);
    }
  }
  return found;
}

std::string words_of(const config::Locality& locality) {
  std::string words = locality.region;
  if (!locality.zone.empty() || !locality.sub_zone.empty()) {
    words += "/" + locality.zone;
  }
  if (!locality.sub_zone.empty()) {
    words += "/" + locality.sub_zone;
  }
  return words.empty() ? "no locality" : words;
}

std::map<std::string, std::size_t> places_of(const Service& service, const Labels& labels) {
  std::map<std::string, std::size_t> places;
  for (const Endpoint& endpoint : service.endpoints) {
    if (endpoint.port_name == service.endpoints.front().port_name && endpoint.health != EndpointHealth::terminating &&
        has_all(endpoint.labels, labels)) {
      ++places[words_of(split_locality(endpoint.locality))];
    }
  }
  return places;
}

Labels labels_of(const DestinationRule& rule, const std::string& subset) {
  const Subset* const found = subset.empty() ? nullptr : find_subset(rule, subset);
  return found == nullptr ? Labels{} : found->labels;
}

std::vector<Lint> lints_of(const LintRequest& request) {
  std::vector<Lint> lints;
  lint_rules(request, lints);
  for (const DestinationRule& rule : request.documents->destination_rules) {
    lint_distribution(request, rule, lints);
  }
  lint_endpoints(request, lints);
  lint_virtual_services(request, lints);
  return lints;
}

}  // namespace spillway::istio
