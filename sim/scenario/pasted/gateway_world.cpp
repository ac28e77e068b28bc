#include "sim/scenario/pasted/gateway_world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/node_json.hpp"
#include "models/documents/problem.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/pasted/backend_traffic_policy.hpp"
#include "sim/scenario/pasted/gateway_api_routes.hpp"
#include "sim/scenario/pasted/gateway_matches.hpp"
#include "sim/scenario/pasted/gateway_policies.hpp"
#include "sim/scenario/pasted/gateway_rules.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr const char* local_cluster = "gateway proxies";
constexpr double rate_of_proxy = 100.0;  // of each proxy and rule

class GatewayWorld {
 public:
  GatewayWorld(const MeshInventory& inventory, const std::vector<AssumedZone>& zones, const Question& question,
               PastedDocuments& documents, World& world)
      : inventory_(inventory), zones_(zones), question_(question), documents_(documents), world_(world) {}

  void write() {
    GatewayRules found = gateway_rules(inventory_, zones_.size());
    rules_ = std::move(found.rules);
    world_.assumed.insert(world_.assumed.end(), found.assumed.begin(), found.assumed.end());
    choose_rules();
    if (!world_.problem.empty()) {
      return;
    }
    world_.text = text_of_world(true);
    world_.without_rules = text_of_world(false);
    if (has_errors(documents_.problems)) {
      world_.problem = "a BackendTrafficPolicy cannot be read";
      world_.help = "the errors above say where and why";
      return;
    }
    name_assumptions();
  }

 private:
  // Refuses rates of routes and capacities of backends that the documents do not have.
  void check_names() {
    std::vector<std::string> routes;
    std::vector<std::string> backends;
    for (const GatewayRule& rule : rules_) {
      routes.push_back(rule.name);
      for (const GatewayBackend& backend : rule.backends) {
        backends.push_back(backend.name);
      }
    }
    const auto check = [&](const std::map<std::string, double>& rates, const std::vector<std::string>& names,
                           const char* what) {
      for (const auto& [name, rate] : rates) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
          world_.problem = fmt::format("no {} `{}` is in the documents", what, name);
          world_.help = fmt::format("the {}s are {}", what, grammar::listed(names, "and"));
        }
      }
    };
    check(question_.rates, routes, "route");
    check(question_.capacities, backends, "backend");
  }

  void choose_rules() {
    check_names();
    const std::string& to = question_.to;
    if (!to.empty()) {
      std::vector<std::string> names;
      std::erase_if(rules_, [&](const GatewayRule& rule) {
        names.push_back(rule.name);
        const bool of_backend = std::any_of(rule.backends.begin(), rule.backends.end(),
                                            [&](const GatewayBackend& backend) { return backend.name == to; });
        return rule.name != to && rule.route != to && !of_backend &&
               std::find(rule.hosts.begin(), rule.hosts.end(), to) == rule.hosts.end();
      });
      if (rules_.empty()) {
        world_.problem = "no route, host or backend is called `" + to + "`";
        world_.help = "the routes are " + grammar::listed(names, "and");
        return;
      }
    }
    if (rules_.empty()) {
      world_.problem = "no route of a gateway has backends";
      world_.help = "give an HTTPRoute with `backendRefs`, or the policy alone";
    }
    const auto is_place = [&](const AssumedZone& zone) { return zone.name == question_.from; };
    if (!question_.from.empty() && std::none_of(zones_.begin(), zones_.end(), is_place)) {
      world_.problem = "no zone is called `" + question_.from + "`";
      world_.help = "--from takes the zone of a gateway's proxy: requests to a gateway are its own";
    }
    if (question_.one_client && rules_.size() > 1) {
      rules_.resize(1);
      world_.assumed.push_back("asked of `" + rules_.front().name + "`: `--to` names another route, host or backend");
    }
  }

  std::string text_of_world(bool with_policies) {
    services_ = Json::array();
    clusters_ = Json::array();
    assignments_ = Json::array();
    places_.clear();
    ids_.clear();
    std::vector<std::pair<MatchRank, Json>> routes;
    bool by_zone = false;
    for (const GatewayRule& rule : rules_) {
      add_rule(rule, with_policies, by_zone, routes);
    }
    numeric::stable_sort(routes, [](const auto& one, const auto& other) { return other.first < one.first; });
    std::string text = fmt::format("duration: {}\n", question_.counts_requests ? "60s"
                                                     : question_.plans         ? "2s"
                                                                               : "10s");
    text += question_.counts_requests ? "" : "mode: exact\n";
    text += "zones:\n" + zones_text();
    callers_ = callers_.empty() ? callers_of(by_zone) : callers_;  // the same without policies
    if (by_zone) {
      Json proxies = Json::array();
      std::set<std::string> zones;
      for (const AssumedZone& zone : zones_) {
        if (zones.insert(zone.name).second) {
          proxies.push_back({{"id", "gateway-" + zone.name}, {"zone", zone.name}});
        }
      }
      services_.push_back({{"name", local_cluster}, {"endpoints", proxies}});
      text += fmt::format("local_cluster: {}\n", quoted_text(local_cluster));
    }
    text += list_text("services", services_) + list_text("clusters", clusters_) +
            list_text("load_assignments", assignments_);
    Json sorted = Json::array();
    for (auto& [rank, route] : routes) {
      sorted.push_back(std::move(route));
    }
    text += list_text("routes", sorted) + list_text("clients", clients());
    return text + (question_.plans ? "failures: [{ each: zone }]\n" : "");
  }

  static std::string list_text(const char* key, const Json& items) {
    std::string text = items.empty() ? std::string() : fmt::format("{}:\n", key);
    for (const Json& item : items) {
      text += "  - " + item.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    return text;
  }

  void add_rule(const GatewayRule& rule, bool with_policies, bool& by_zone,
                std::vector<std::pair<MatchRank, Json>>& routes) {
    const auto policy = with_policies ? effective_policy(inventory_, *rule.document, *rule.rule) : std::nullopt;
    std::uint64_t of_service = 0;
    for (const GatewayBackend& backend : rule.backends) {
      of_service = std::max(of_service, backend.zone_preference);
    }
    Diagnostics problems;
    GatewaySettings settings = gateway_settings(policy ? &*policy : nullptr, of_service, problems);
    if (with_policies) {
      for (Diagnostic& problem : problems) {
        const bool known = std::any_of(documents_.problems.begin(), documents_.problems.end(), [&](const auto& one) {
          return one.code == problem.code && one.where.line == problem.where.line &&
                 one.where.column == problem.where.column;
        });
        if (!known) {
          documents_.problems.push_back(std::move(problem));
        }
      }
      for (const std::string& line : settings.left_out) {
        world_.assumed.push_back(line);
      }
    }
    by_zone = by_zone || settings.by_zone();
    for (const std::string& line : unsimulated_parts(*rule.rule, "`" + rule.name + "`")) {
      if (with_policies) {
        world_.assumed.push_back(line);
      }
    }
    Json action = settings.action;
    const bool divided = settings.by_zone() || std::any_of(rule.backends.begin(), rule.backends.end(), [&](auto& one) {
                           return one.has_filters || one.has_names != rule.backends.front().has_names;
                         });
    if (divided && rule.backends.size() > 1) {
      Json& weighted = action["weighted_clusters"];
      for (const GatewayBackend& backend : rule.backends) {
        const std::string name = rule.name + " " + backend.name;
        add_cluster(name, {backend}, settings);
        weighted["clusters"].push_back({{"name", name}, {"weight", backend.weight}});
      }
      if (settings.hashes) {
        weighted["use_hash_policy"] = true;
      }
    } else {
      add_cluster(rule.name, rule.backends, settings);
      action["cluster"] = rule.name;
    }
    add_route_timeouts(*rule.rule, action);
    for (const GatewayMatch& match : rule.matches) {
      for (const std::string& host : rule.hosts.empty() ? std::vector<std::string>{""} : rule.hosts) {
        Json route{{"match", match.of_envoy(host)}, {"route", action}};
        if (!settings.delay.is_null()) {
          route["typed_per_filter_config"]["envoy.filters.http.fault"] = {
              {"@type", "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault"},
              {"delay", settings.delay}};
        }
        routes.emplace_back(match.rank(host), std::move(route));
      }
    }
  }

  // The route's own timeout and retries, which a policy's replace.
  void add_route_timeouts(const Json& rule, Json& action) {
    const std::string timeout = text_of(child(rule, "timeouts"), "request");
    if (!timeout.empty() && !action.contains("timeout")) {
      action["timeout"] = seconds_text(timeout);
    }
    const Json& attempts = child(child(rule, "retry"), "attempts");
    if (attempts.is_number() && !action.contains("retry_policy")) {
      action["retry_policy"] = {{"num_retries", attempts}, {"retry_on", "retriable-status-codes"}};
      action["retry_policy"]["retriable_status_codes"] = child(child(rule, "retry"), "codes");
      avoid_previous_hosts(action["retry_policy"]);
    }
  }

  void add_cluster(const std::string& name, const std::vector<GatewayBackend>& backends,
                   const GatewaySettings& settings) {
    // With one backendRef per priority there is one locality, whose weight says nothing: zones can be shown.
    std::set<std::uint64_t> priorities;
    bool by_backend = false;
    for (const GatewayBackend& backend : backends) {
      by_backend = by_backend || !priorities.insert(backend.priority).second || !backend.is_service;
    }
    by_backend = by_backend && !settings.by_zone();
    Json endpoints = Json::array();
    Json localities = Json::array();
    std::map<std::string, std::uint64_t> zones;
    for (const GatewayBackend& backend : backends) {
      std::size_t turn = 0;
      for (Json endpoint : backend.endpoints) {
        place(endpoint, backend.name, by_backend, turn++);
        std::string id = text_of(endpoint, "id");
        if (!ids_.insert(id).second) {
          id = fmt::format("{} ({})", id, name);
          for (int number = 2; !ids_.insert(id).second; ++number) {
            id = fmt::format("{} ({} {})", text_of(endpoint, "id"), name, number);
          }
        }
        endpoint["id"] = id;
        if (backend.priority > 0) {
          endpoint["priority"] = backend.priority;
        }
        if (const auto own = question_.capacities.find(backend.name); own != question_.capacities.end()) {
          endpoint["capacity"] = number_text(own->second) + "rps";
        }
        zones[zone_of(endpoint)] = 1;
        endpoints.push_back(std::move(endpoint));
      }
      if (by_backend) {
        localities.push_back({{"locality", {{"zone", backend.name}}},
                              {"priority", backend.priority},
                              {"load_balancing_weight", backend.weight}});
      }
    }
    for (const auto& [zone, unused] : settings.zone_weights.empty() ? decltype(zones){} : zones) {
      const auto weight = settings.zone_weights.find(zone);
      localities.push_back({{"locality", {{"zone", zone}}},
                            {"load_balancing_weight", weight == settings.zone_weights.end() ? 1 : weight->second}});
    }
    services_.push_back({{"name", name}, {"endpoints", std::move(endpoints)}});
    Json cluster{{"name", name}};
    cluster.update(settings.cluster);
    if (!by_backend && !settings.by_zone()) {
      cluster["load_balancing_policy"]["policies"][0]["typed_extension_config"]["typed_config"].erase(
          "locality_lb_config");
    }
    clusters_.push_back(std::move(cluster));
    if (!localities.empty()) {
      assignments_.push_back({{"cluster_name", name}, {"endpoints", std::move(localities)}});
    }
    if (std::find(world_.services.begin(), world_.services.end(), name) == world_.services.end()) {
      world_.services.push_back(name);
    }
  }

  // Puts an endpoint where Envoy sees it: in its zone, or in a place named like its backendRef, which is its locality.
  void place(Json& endpoint, const std::string& backend, bool by_backend, std::size_t turn) {
    if (by_backend) {
      endpoint.erase("node");
      endpoint["zone"] = backend;
      places_.insert(backend);
    } else if (endpoint.contains("zone")) {
      const std::string zone = text_of(endpoint, "zone");
      const auto is_it = [&](const AssumedZone& one) { return one.name == zone; };
      if (std::none_of(zones_.begin(), zones_.end(), is_it)) {
        places_.insert(zone);
      }
    } else if (!endpoint.contains("node")) {
      endpoint["zone"] = zones_[turn % zones_.size()].name;
    }
  }

  [[nodiscard]] std::string zone_of(const Json& endpoint) const {
    const std::string node = text_of(endpoint, "node");
    for (const AssumedZone& zone : zones_) {
      if (std::find(zone.nodes.begin(), zone.nodes.end(), node) != zone.nodes.end()) {
        return zone.name;
      }
    }
    return text_of(endpoint, "zone");
  }

  [[nodiscard]] std::string zones_text() const {
    std::map<std::pair<std::string, std::string>, Json> nodes;
    std::vector<std::pair<std::string, std::string>> order;
    for (const AssumedZone& zone : zones_) {
      Json& list = nodes[{zone.region, zone.name}];
      if (list.is_null()) {
        list = Json::array();
        order.emplace_back(zone.region, zone.name);
      }
      for (const std::string& node : zone.nodes) {
        Json made{{"name", node}};
        if (!zone.sub_zone.empty()) {
          made["sub_zone"] = zone.sub_zone;
        }
        list.push_back(std::move(made));
      }
    }
    std::string text;
    for (const auto& key : order) {
      Json zone{{"name", key.second}};
      if (!key.first.empty()) {
        zone["region"] = key.first;
      }
      zone["nodes"] = nodes.at(key);
      text += "  - " + zone.dump() + "\n";
    }
    for (const std::string& place : places_) {
      text += "  - " + Json{{"name", place}}.dump() + "\n";
    }
    return text;
  }

  // The zones of the gateway's proxies: one is enough if no cluster looks at zones.
  [[nodiscard]] std::vector<std::string> callers_of(bool by_zone) const {
    std::vector<std::string> callers;
    for (const AssumedZone& zone : zones_) {
      const bool wanted = question_.from.empty() || zone.name == question_.from;
      const bool more = by_zone || question_.plans || callers.empty();
      if (wanted && more && std::find(callers.begin(), callers.end(), zone.name) == callers.end()) {
        callers.push_back(zone.name);
      }
    }
    if (question_.one_client) {
      callers.resize(1);
    }
    return callers;
  }

  [[nodiscard]] Json clients() const {
    Json made = Json::array();
    for (const GatewayRule& rule : rules_) {
      for (const std::string& zone : callers_) {
        std::string name = callers_.size() > 1 ? "gateway-" + zone : "gateway";
        name += rules_.size() > 1 ? " to " + rule.name : "";
        double rate = rate_of_proxy;
        const auto proxies = static_cast<double>(callers_.size());
        if (const auto own = question_.rates.find(rule.name); own != question_.rates.end()) {
          rate = own->second / proxies;
        } else if (question_.rate) {
          rate = *question_.rate / proxies / static_cast<double>(rules_.size());
        }
        Json workload = rule.matches.front().request(rule.hosts.empty() ? "" : rule.hosts.front());
        workload["rate"] = number_text(rate) + "rps";
        made.push_back({{"name", name}, {"zone", zone}, {"workload", std::move(workload)}});
      }
    }
    return made;
  }

  void name_assumptions() {
    world_.assumed.emplace_back("clusters and routes are those that Envoy Gateway 1.9 writes");
    if (!places_.empty()) {
      world_.assumed.push_back("each backendRef is a locality with its weight (" +
                               grammar::listed({places_.begin(), places_.end()}, "and") +
                               "): such clusters of Envoy Gateway have no zones");
    }
    if (!question_.rate && question_.rates.empty()) {
      world_.assumed.push_back(
          fmt::format("{} requests per second of each gateway proxy and rule: `--rate` says how many", rate_of_proxy));
    }
    if (std::any_of(rules_.begin(), rules_.end(), [](const GatewayRule& rule) {
          return std::any_of(rule.matches.begin(), rule.matches.end(), [](auto& match) { return match.has_query; });
        })) {
      world_.assumed.emplace_back("a header `x-query-NAME` stands for each query parameter that a match names");
    }
    for (const std::string& line : unattached_policies(inventory_)) {
      world_.assumed.push_back(line);
    }
  }

  const MeshInventory& inventory_;
  const std::vector<AssumedZone>& zones_;
  const Question& question_;
  PastedDocuments& documents_;
  World& world_;
  std::vector<GatewayRule> rules_;
  std::set<std::string> places_;  // localities that are no zones
  std::set<std::string> ids_;
  std::vector<std::string> callers_;  // zones of the proxies that send requests
  Json services_;
  Json clusters_;
  Json assignments_;
};

}  // namespace

std::vector<Json> complete_gateway_routes(MeshInventory& inventory, std::vector<std::string>& assumed) {
  if (inventory.gateway_routes.empty()) {
    for (const documents::Node& policy : inventory.traffic_policies) {
      const Json document = documents::json_of(policy);
      for (const Json& target : targets_of(document)) {
        const bool of_gateway = text_of(target, "kind") == "Gateway";
        const std::string named = text_of(target, "name").empty() ? "example" : text_of(target, "name");
        const std::string name = of_gateway ? "example" : named;
        inventory.gateway_routes.push_back(
            {{"apiVersion", "gateway.networking.k8s.io/v1"},
             {"kind", text_of(target, "kind") == "GRPCRoute" ? "GRPCRoute" : "HTTPRoute"},
             {"metadata", {{"name", name}, {"namespace", namespace_of(document)}}},
             {"spec",
              {{"parentRefs", {{{"name", of_gateway ? named : "gateway"}}}},
               {"rules", {{{"backendRefs", {{{"name", name}, {"port", 80}}}}}}}}}});
        assumed.push_back(fmt::format("an HTTPRoute `{}` to a Service of that name: {}", name,
                                      "a policy's target is not among the documents"));
      }
    }
  }
  std::vector<Json> copies = inventory.gateway_routes;
  for (Json& route : copies) {
    if (!child(child(route, "spec"), "rules").is_array()) {
      continue;
    }
    for (Json& rule : route["spec"]["rules"]) {
      Json services = Json::array();
      for (const Json& reference : child(rule, "backendRefs")) {
        if (text_of(reference, "kind") != "Backend") {
          services.push_back(reference);
        }
      }
      rule["backendRefs"] = std::move(services);
    }
  }
  return copies;
}

void write_gateway_world(const MeshInventory& inventory, const std::vector<AssumedZone>& zones,
                         const Question& question, PastedDocuments& documents, World& world) {
  GatewayWorld(inventory, zones, question, documents, world).write();
}

}  // namespace spillway::scenario::pasted
