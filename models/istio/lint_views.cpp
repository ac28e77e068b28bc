// Lints of the configuration of one proxy for one service.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/istio/cluster.hpp"
#include "models/istio/lint_parts.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/load_assignment.hpp"
#include "models/istio/traffic_policy.hpp"

namespace spillway::istio {

namespace {

constexpr const char* gateway_source = "gateway of ";
// The largest small locality: the loss of one endpoint noticeably loads the rest.
constexpr std::size_t small_locality = 2;

const LocalityLbSetting* locality_setting_of(const LoadAssignment& assignment) {
  return std::get_if<LocalityLbSetting>(&assignment.setting.value);
}

class ViewLinter {
 public:
  ViewLinter(const ViewLintRequest& request, std::vector<Lint>& lints)
      : request_(request), assignment_(*request.cluster->assignment), lints_(lints) {}

  void lint() {
    const bool outlier = request_.policy != nullptr && request_.policy->outlierDetection;
    const LocalityLbSetting* const setting = locality_setting_of(assignment_);
    acts_ = setting != nullptr && (outlier || assignment_.setting.forced || !setting->distribute.empty());
    if (setting != nullptr) {
      by_default_only(*setting);
      without_locality();
      uncovered(*setting);
      with_and_without_subzone();
      small_localities(*setting);
      beside_gateways(*setting);
    }
    gateways_of_several_localities();
    behind_gateways();
    without_endpoints();
    hidden_rules();
  }

 private:
  void of_rule(std::uint32_t number, std::string path, std::string message) {
    if (request_.found.rule != nullptr) {
      lints_.push_back({.number = number,
                        .document = request_.found.rule->rule.meta.age,
                        .path = std::move(path),
                        .message = std::move(message)});
    }
  }
  void of_client(std::uint32_t number, std::string message) {
    lints_.push_back({.number = number, .of_client = true, .message = std::move(message)});
  }
  void of_mesh(std::uint32_t number, std::string path, std::string message) {
    lints_.push_back({.number = number, .path = std::move(path), .message = std::move(message)});
  }

  // Returns the path of a block of the effective policy if it is the rule's own.
  [[nodiscard]] std::string path_of(const std::string& block) const {
    const DestinationRule& rule = request_.found.rule->rule;
    std::string path = "spec.trafficPolicy." + block;
    for (const PolicySite& site : sites_of(rule)) {
      const bool has = block == "outlierDetection"
                           ? site.own->outlierDetection.has_value()
                           : site.own->loadBalancer && site.own->loadBalancer->localityLbSetting;
      if (has && (site.subset.empty() || site.subset == request_.cluster->subset) &&
          (site.port == 0 || site.port == request_.port)) {
        path = site.path + "." + block;
      }
    }
    return path;
  }

  [[nodiscard]] std::uint32_t last_priority() const {
    std::uint32_t last = 0;
    for (const AssignedLocality& group : assignment_.localities) {
      last = std::max(last, group.priority);
    }
    return last;
  }

  void by_default_only(const LocalityLbSetting& setting) {
    const bool written = !setting.distribute.empty() || !setting.failover.empty() || !setting.failoverPriority.empty();
    if (assignment_.setting.source == SettingSource::mesh && !written && acts_ && last_priority() > 0) {
      of_rule(
          2, path_of("outlierDetection"),
          "turns on priorities by locality, which the mesh has by default: a client's requests stay in its own zone "
          "while 71.4 % of the endpoints there are healthy");
    }
  }

  void without_locality() {
    const bool placed = std::any_of(assignment_.localities.begin(), assignment_.localities.end(),
                                    [](const AssignedLocality& group) { return !group.locality.empty(); });
    if (acts_ && placed && request_.proxy->locality.empty()) {
      of_client(4,
                "its proxy has no locality, so that no endpoint of " + request_.service->hostname + " is near to it");
    }
  }

  void uncovered(const LocalityLbSetting& setting) {
    if (!setting.distribute.empty() && !assignment_.distribute_entry &&
        assignment_.setting.source == SettingSource::rule) {
      of_rule(8, path_of("loadBalancer") + ".localityLbSetting.distribute",
              "no `from` covers a client in " + words_of(request_.proxy->locality) +
                  ", whose requests are spread by the numbers of endpoints");
    }
  }

  void with_and_without_subzone() {
    const config::Locality& own = request_.proxy->locality;
    for (const AssignedLocality& group : assignment_.localities) {
      const bool by_locality = group.placement.by == PlacedBy::locality || group.placement.by == PlacedBy::failover;
      if (by_locality && !own.zone.empty() && group.locality.region == own.region && group.locality.zone == own.zone &&
          group.locality.sub_zone.empty() != own.sub_zone.empty()) {
        of_client(5, "is in " + words_of(own) + ", endpoints of " + request_.service->hostname + " are in " +
                         words_of(group.locality) + ": only all parts equal are the same place");
        return;
      }
    }
  }

  void small_localities(const LocalityLbSetting& setting) {
    if (!request_.cluster->locality_weighted || !setting.distribute.empty()) {
      return;
    }
    struct Sizes {
      const AssignedLocality* smallest = nullptr;
      std::size_t largest = 0;
    };
    std::map<std::uint32_t, Sizes> by_priority;
    for (const AssignedLocality& group : assignment_.localities) {
      auto& [smallest, largest] = by_priority[group.priority];
      smallest = smallest == nullptr || group.endpoints.size() < smallest->endpoints.size() ? &group : smallest;
      largest = std::max(largest, group.endpoints.size());
    }
    for (const auto& [priority, sizes] : by_priority) {
      const std::size_t least = sizes.smallest->endpoints.size();
      if (least < sizes.largest && least <= small_locality) {
        const std::string message = "localities have weights of their own here: " + words_of(sizes.smallest->locality) +
                                    " with its " + std::to_string(least) +
                                    " keeps its share of the requests until less than 71.4 % of it is healthy";
        if (assignment_.setting.source == SettingSource::rule) {
          of_rule(31, path_of("loadBalancer") + ".localityLbSetting", message);
        } else {
          of_client(31, message);
        }
        return;
      }
    }
  }

  static bool is_gateway(const AssignedEndpoint& endpoint) { return endpoint.source.starts_with(gateway_source); }

  void beside_gateways(const LocalityLbSetting& setting) {
    const bool network_first = !setting.failoverPriority.empty() && setting.failoverPriority.front() == network_label;
    for (const AssignedLocality& group : assignment_.localities) {
      const auto remote = std::find_if(group.endpoints.begin(), group.endpoints.end(), is_gateway);
      const bool local = !std::all_of(group.endpoints.begin(), group.endpoints.end(), is_gateway);
      if (!network_first && local && remote != group.endpoints.end()) {
        of_mesh(28, "spec.values.global.meshNetworks",
                "endpoints behind the " + remote->source + " share " + words_of(group.locality) +
                    " by weight with those of the client's own network");
        return;
      }
    }
  }

  // Warns of a gateway in several localities: Envoy keeps the first of equal addresses.
  void gateways_of_several_localities() {
    std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>> weights;
    for (const AssignedLocality& group : assignment_.localities) {
      for (const AssignedEndpoint& endpoint : group.endpoints) {
        if (is_gateway(endpoint)) {
          weights[{endpoint.address, endpoint.port}].push_back(endpoint.weight);
        }
      }
    }
    for (const auto& [gateway, written] : weights) {
      if (written.size() > 1) {
        std::uint64_t total = 0;
        for (const std::uint32_t weight : written) {
          total += weight;
        }
        of_mesh(29, "spec.values.global.meshNetworks",
                "the gateway " + gateway.first + " stands for " + std::to_string(written.size()) + " localities of " +
                    request_.service->hostname + "; Envoy keeps the first: weight " + std::to_string(written.front()) +
                    " of " + std::to_string(total));
        return;
      }
    }
  }

  // Warns of endpoints behind a gateway: the gateway is simulated as an endpoint of its own.
  void behind_gateways() {
    for (const AssignedLocality& group : assignment_.localities) {
      const auto gateway = std::find_if(group.endpoints.begin(), group.endpoints.end(), is_gateway);
      if (gateway != group.endpoints.end()) {
        of_mesh(behind_a_gateway, "spec.values.global.meshNetworks",
                gateway->address + ", the " + gateway->source + ", answers whatever it gets: the endpoints of " +
                    request_.service->hostname + " behind it get no load, and losing them fails no request");
        return;
      }
    }
  }

  void without_endpoints() {
    const ServicePort* const port = request_.service->port(request_.port);
    const auto& endpoints = request_.service->endpoints;
    const bool none =
        port != nullptr && std::none_of(endpoints.begin(), endpoints.end(),
                                        [&](const Endpoint& endpoint) { return endpoint.port_name == port->name; });
    if (none && assignment_.localities.empty()) {
      of_client(port_without_endpoints, "no endpoint of " + request_.service->hostname + " has a port named `" +
                                            port->name + "`, so that every request for its port " +
                                            std::to_string(request_.port) + " is answered with a 503");
    }
  }

  // Warns of hidden rules. Specificity counts only within a step: a wildcard of the client's namespace hides exact
  // rules of others.
  void hidden_rules() {
    if (request_.found.rule == nullptr || !is_wildcard(request_.found.rule->rule.host)) {
      return;
    }
    const DestinationRule& wins = request_.found.rule->rule;
    for (const DestinationRule& rule : request_.documents->destination_rules) {
      if (rule.meta.name_space != wins.meta.name_space && rule.meta.name_space == request_.service->name_space &&
          resolve_short_name(rule.host, rule.meta.name_space) == request_.service->hostname) {
        lints_.push_back({.number = 11,
                          .document = rule.meta.age,
                          .path = "spec.host",
                          .message = "is hidden from clients of namespace " + request_.proxy->name_space +
                                     " by the wildcard rule " + wins.meta.name_space + "/" + wins.meta.name});
      }
    }
  }

  const ViewLintRequest& request_;
  const LoadAssignment& assignment_;
  std::vector<Lint>& lints_;
  bool acts_ = false;  // priorities or weights by locality
};

}  // namespace

std::vector<Lint> lints_of_view(const ViewLintRequest& request) {
  std::vector<Lint> lints;
  if (request.cluster->assignment) {
    ViewLinter(request, lints).lint();
  }
  return lints;
}

std::vector<Lint> lints_of_hash(const RuleIndex::Found& found, const std::string& subset, bool weighted) {
  std::vector<Lint> lints;
  if (found.rule == nullptr) {
    return lints;
  }
  const DestinationRule& rule = found.rule->rule;
  for (const PolicySite& site : sites_of(rule)) {
    if (site.own->loadBalancer && site.own->loadBalancer->consistentHash &&
        (site.subset.empty() || site.subset == subset)) {
      lints = {
          {.number = 19,
           .document = rule.meta.age,
           .path = site.path + ".loadBalancer.consistentHash",
           .message = std::string(weighted ? "its route has several destinations" : "no VirtualService is for it") +
                      ": a retry leaves the host that the request hashes to"}};
    }
  }
  return lints;
}

}  // namespace spillway::istio
