// Meshes with what Kuma's own code configured for one outbound of one proxy: kuma-whole.json has the shares of a
// request, kuma-settings.json the configuration.
//
// A case is a scenario: its profile, resources and policies, and one client `web` in zone z1, read as any scenario is.
// Compared are the shares of the described request among those that reach an endpoint, the listener, the clusters and
// the load assignments; not the metadata of endpoints and listeners, which only selects transport sockets.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/kuma/proxy/outbound_listener.hpp"
#include "models/kuma/proxy/write_cluster.hpp"
#include "models/kuma/proxy/write_listener.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "tests/conformance/kuma_kinds.hpp"

namespace spillway::conformance {

namespace {

using scenario::Reading;
using scenario::Scenario;

json scenario_of(const json& test_case) {
  json workload = {{"service", test_case.at("service")}, {"rate", "100rps"}};
  if (test_case.contains("request")) {
    const json& request = test_case.at("request");
    workload["path"] = request.at("path");
    json headers = request.value("headers", json::object());
    headers[":method"] = request.value("method", "GET");
    workload["headers"] = headers;
  }
  return {{"duration", "1s"},
          {"mode", "exact"},
          {"profile", {{"kuma", test_case.at("profile")}}},
          {"zones", json::array({{{"name", "z1"}}})},
          {"resources", test_case.at("resources")},
          {"policies", test_case.at("policies")},
          {"clients", json::array({{{"name", test_case.at("dataplane")}, {"zone", "z1"}, {"workload", workload}}})}};
}

std::string address_of(const Scenario& scenario, const std::string& endpoint) {
  for (const scenario::Service& service : scenario.services) {
    std::size_t host = 0;
    for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
      for (const config::LbEndpoint& one : group.lb_endpoints) {
        if (scenario.endpoints[service.hosts[host++].endpoint.value].id == endpoint) {
          return one.address.substr(0, one.address.rfind(':'));
        }
      }
    }
  }
  return endpoint;
}

// Returns the shares among the requests that reach an endpoint; null if the proxy answers all of them.
json shares_of(const Scenario& scenario) {
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  std::map<config::ServiceIndex, double> requests;
  for (const run::Epoch& epoch : results.epochs) {
    requests[epoch.service] = epoch.expected_requests;
  }
  std::map<std::string, double> shares;
  double reached = 0.0;
  for (const run::Share& row : results.shares) {
    const double share = row.exact.value_or(0.0) * requests[row.service];
    if (!row.endpoint.empty() && share > 0.0) {
      shares[address_of(scenario, row.endpoint)] += share;
      reached += share;
    }
  }
  json result = json::object();
  for (const auto& [address, share] : shares) {
    result[address] = share / reached;
  }
  return result;
}

bool answers_all(const Scenario& scenario) {
  const auto& kinds = scenario.clients.front().workload.requests;
  return !kinds.empty() && scenario.routes[kinds.front().route].clusters.size() == 1 &&
         scenario.services[scenario.routes[kinds.front().route].clusters.front().value].missing != nullptr;
}

void compare_shares(const json& test_case, const Scenario& scenario, std::vector<std::string>& differences) {
  const json& expected = test_case.at("shares_by_address");
  if (expected.is_null()) {
    if (!answers_all(scenario)) {
      differences.push_back("shares: expected that the proxy answers, got " + shares_of(scenario).dump());
    }
    return;
  }
  constexpr double printed = 1e-9;
  const json actual = shares_of(scenario);
  bool equal = actual.size() == expected.size();
  for (const auto& [address, share] : expected.items()) {
    equal =
        equal && actual.contains(address) && std::abs(actual[address].get<double>() - share.get<double>()) < printed;
  }
  if (!equal) {
    differences.push_back("shares: expected " + expected.dump() + ", got " + actual.dump());
  }
}

std::string snake_case(const std::string& name) {
  std::string result;
  for (const char letter : name) {
    if (std::isupper(static_cast<unsigned char>(letter)) != 0) {
      result += '_';
    }
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  // protobuf's names with digits
  return result == "consecutive5xx"             ? "consecutive_5xx"
         : result == "enforcing_consecutive5xx" ? "enforcing_consecutive_5xx"
                                                : result;
}

// Returns Kuma's recorded message with Envoy's field names, without the metadata of endpoints.
json with_field_names(const json& recorded, bool names_are_data = false) {
  if (recorded.is_array()) {
    json list = json::array();
    for (const json& item : recorded) {
      list.push_back(with_field_names(item));
    }
    return list;
  }
  if (!recorded.is_object()) {
    return recorded;
  }
  json object = json::object();
  for (const auto& [name, value] : recorded.items()) {
    const bool is_map = name == "typedExtensionProtocolOptions" || name == "filterMetadata";
    const bool is_tags = name == "envoy.lb" || name == "io.kuma.tags";
    if (name == "metadata" && recorded.contains("endpoint")) {
      continue;
    }
    object[names_are_data || name.find('.') != std::string::npos ? name : snake_case(name)] =
        with_field_names(value, is_map || is_tags);
  }
  return object;
}

void compare(const std::string& what, const json& recorded, const json& actual, std::vector<std::string>& differences) {
  const json expected = with_field_names(recorded);
  if (expected == actual) {
    return;
  }
  for (const json& step : json::diff(expected, actual)) {
    differences.push_back(what + ": " + step.dump());
  }
}

json by_name(json list, const char* field) {
  std::sort(list.begin(), list.end(),
            [&](const json& left, const json& right) { return left.at(field) < right.at(field); });
  return list;
}

void compare_configuration(const json& test_case, const Scenario& scenario, std::vector<std::string>& differences) {
  const json& kuma = test_case.at("kuma");
  const auto& outbounds = scenario.clients.front().outbounds;
  if (outbounds.size() != 1) {
    differences.push_back("expected one outbound in use, got " + std::to_string(outbounds.size()));
    return;
  }
  const kuma::OutboundListener& listener = *outbounds.front().listener;
  compare("listener", kuma.at("listener"), json(kuma::listener_json(listener)), differences);
  std::map<std::string, config::ServiceIndex> views;
  for (const kuma::OutboundCluster& cluster : listener.clusters) {
    views.emplace(cluster.name, cluster.view);
  }
  for (const kuma::OutboundRoute& route : listener.routes) {
    for (const kuma::OutboundCluster& cluster : route.clusters) {
      views.emplace(cluster.name, cluster.view);
    }
  }
  json clusters = json::array();
  json assignments = json::array();
  for (const auto& [name, view] : views) {
    const scenario::Service& service = scenario.services[view.value];
    clusters.push_back(json(kuma::cluster_json(name, *service.as_view->kuma_source, listener.client_tags)));
    assignments.push_back(json(kuma::load_assignment_json(name, service.load_assignment)));
  }
  compare("clusters", by_name(kuma.at("clusters"), "name"), clusters, differences);
  compare("load_assignments", by_name(kuma.at("load_assignments"), "clusterName"), assignments, differences);
}

// Returns why the scenario is refused; Kuma's words for a policy are the label of the diagnostic.
std::string refusal_of(const Reading& reading) {
  for (const Diagnostic& problem : reading.diagnostics) {
    if (problem.severity == Severity::error) {
      return problem.code + " " + problem.message + ": " + problem.label;
    }
  }
  return "";
}

}  // namespace

bool is_kuma_proxy_case(const json& test_case) {
  return test_case.contains("resources") && test_case.contains("outbound_port") &&
         (test_case.contains("kuma") || test_case.contains("refused"));
}

std::vector<std::string> replay_kuma_proxy(const json& test_case) {
  const Reading reading = scenario::read_scenario_text("case.json", scenario_of(test_case).dump());
  const std::string refusal = refusal_of(reading);
  if (test_case.contains("refused")) {
    // "{'error': 'doc 5: spec.to[0].default.http: at least one ...'}", or the same as an object
    const json& refused = test_case.at("refused");
    auto words = (refused.is_object() ? refused.at("error") : refused).get<std::string>();
    words = words.substr(0, words.find_last_not_of("'\"}") + 1);
    const std::string message = words.substr(words.rfind(": ") + 2);
    return refusal.find("SP601") == 0 && refusal.find(message) != std::string::npos
               ? std::vector<std::string>{}
               : std::vector<std::string>{"expected `" + words + "`, got `" + refusal + "`"};
  }
  if (!reading.scenario) {
    return {"refused: " + refusal};
  }
  std::vector<std::string> differences;
  if (test_case.contains("shares_by_address")) {
    compare_shares(test_case, *reading.scenario, differences);
  }
  compare_configuration(test_case, *reading.scenario, differences);
  return differences;
}

}  // namespace spillway::conformance
