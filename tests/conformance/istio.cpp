#include "tests/conformance/istio.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/documents/documents.hpp"
#include "models/istio/messages/document.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/rule_index.hpp"
#include "models/istio/visibility.hpp"

namespace spillway::conformance {

namespace {

using documents::Node;

// The trees that documents point into.
struct Input {
  Sources sources;
  std::vector<std::unique_ptr<Node>> trees;
  istio::LocatedDocuments read;
  Diagnostics problems;
};

const Node& parsed(const std::string& name, std::string text, Input& input) {
  input.sources.push_back({name, std::move(text)});
  auto tree = documents::parse(input.sources, static_cast<std::uint32_t>(input.sources.size() - 1), input.problems);
  if (!tree) {
    throw std::invalid_argument("unreadable " + name + ": " + input.problems.back().message);
  }
  return *input.trees.emplace_back(std::make_unique<Node>(std::move(*tree)));
}

// Documents stand between lines of three hyphens.
std::vector<std::string> split_documents(const std::string& yaml) {
  std::vector<std::string> texts(1);
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    if (line == "---") {
      texts.emplace_back();
    } else {
      texts.back() += line + "\n";
    }
  }
  return texts;
}

void read_cluster(const std::string& yaml, const std::string& cluster, Input& input) {
  for (const std::string& text : split_documents(yaml)) {
    const Node& node = parsed("case.yaml", text, input);
    messages::IstioDocument document;
    if (messages::IstioDocumentShape{}.read(node, document, "a document", input.problems)) {
      istio::add_document(document, cluster, input.read);
    }
  }
}

void read_switches(const json& test_case, istio::Switches& switches) {
  const json env = test_case.value("env", json::object());
  for (const auto& [name, value] : env.items()) {
    const bool on = value == "true";
    if (name == "PILOT_AUTO_SEND_UNHEALTHY_ENDPOINTS") {
      switches.auto_send_unhealthy = on;
    } else if (name == "PILOT_SEND_UNHEALTHY_ENDPOINTS") {
      switches.send_unhealthy = on;
    } else {
      throw std::invalid_argument("unknown variable " + name);
    }
  }
}

// The trees must live as long as what is read from them.
void read_input(const json& test_case, Input& input) {
  read_cluster(test_case.at("config").get<std::string>(), istio::default_cluster, input);
  const json clusters = test_case.value("clusters", json::object());
  for (const auto& [name, yaml] : clusters.items()) {
    read_cluster(yaml.get<std::string>(), name, input);
  }
  if (test_case.contains("mesh")) {
    messages::MeshConfigShape{}.read(parsed("mesh.json", test_case.at("mesh").dump(), input), input.read.value.mesh,
                                     "mesh", input.problems);
  }
  if (test_case.contains("mesh_networks")) {
    messages::MeshNetworksShape{}.read(parsed("networks.json", test_case.at("mesh_networks").dump(), input),
                                       input.read.value.networks, "mesh_networks", input.problems);
  }
  read_switches(test_case, input.read.value.switches);
  if (has_errors(input.problems)) {
    throw std::invalid_argument(input.problems.front().message);
  }
}

istio::Proxy proxy_of(const json& written) {
  istio::Proxy proxy{.name_space = written.at("namespace").get<std::string>(),
                     .locality = istio::split_locality(written.value("locality", std::string())),
                     .labels = written.value("labels", istio::Labels{}),
                     .node = written.value("node", std::string()),
                     .network = written.value("network", std::string()),
                     .cluster = written.value("cluster", std::string(istio::default_cluster)),
                     .pod = written.value("pod", std::string()),
                     .router = written.value("type", std::string("sidecar")) == "router"};
  return proxy;
}

json locality_json(const config::Locality& locality) {
  json written = json::object();
  for (const auto& [name, part] : {std::pair("region", &locality.region), std::pair("zone", &locality.zone),
                                   std::pair("sub_zone", &locality.sub_zone)}) {
    if (!part->empty()) {
      written[name] = *part;
    }
  }
  return written;
}

// One entry a document: why it is refused, else what it is warned of first.
json validation_json(const istio::LocatedDocuments& read) {
  json written = json::array();
  for (const istio::Admitted& admitted : read.admitted) {
    const bool refused = istio::is_refused(admitted.findings);
    for (const istio::Finding& finding : admitted.findings) {
      if (finding.refused == refused) {
        written.push_back({{"verdict", refused ? "refused" : "warned"}, {"why", finding.reason}});
        break;
      }
    }
  }
  return written;
}

// Endpoints of a locality are a set.
json with_sorted_endpoints(json assignment) {
  if (!assignment.contains("endpoints")) {
    assignment["endpoints"] = json::array();
  }
  for (json& locality : assignment.at("endpoints")) {
    std::sort(locality.at("lb_endpoints").begin(), locality.at("lb_endpoints").end());
  }
  return assignment;
}

class Comparison {
 public:
  explicit Comparison(const json& expected) : expected_(expected) {}

  void same(const std::string& field, const json& actual, const json& otherwise) {
    const json wanted = expected_.contains(field) ? expected_.at(field) : otherwise;
    if (wanted != actual) {
      differences.push_back(field + ": expected " + wanted.dump() + ", got " + actual.dump());
    }
  }

  void clusters(const std::vector<istio::Cluster>& made) {
    json clusters = json::array();
    json assignments = json::array();
    json wanted = json::array();
    for (const json& cluster : expected_.at("clusters")) {
      wanted.push_back(cluster);
      if (cluster.contains("load_assignment")) {
        wanted.back()["load_assignment"] = with_sorted_endpoints(cluster.at("load_assignment"));
      }
    }
    for (const istio::Cluster& cluster : made) {
      clusters.push_back(istio_cluster_json(cluster));
      if (cluster.assignment) {
        const json assignment = with_sorted_endpoints(istio_assignment_json(cluster));
        if (cluster.type == istio::DiscoveryType::eds) {
          assignments.push_back(assignment);
        } else {
          clusters.back()["load_assignment"] = assignment;
        }
      }
    }
    if (clusters != wanted) {
      differences.push_back("clusters: expected " + wanted.dump() + ", got " + clusters.dump());
    }
    json wanted_assignments = json::array();
    for (const json& assignment : expected_.value("load_assignments", json::array())) {
      wanted_assignments.push_back(with_sorted_endpoints(assignment));
    }
    if (assignments != wanted_assignments) {
      differences.push_back("load_assignments: expected " + wanted_assignments.dump() + ", got " + assignments.dump());
    }
  }

  std::vector<std::string> differences;

 private:
  const json& expected_;
};

void compare_routes(const istio::Service& service, std::uint32_t port, const istio::Routes& made,
                    Comparison& comparison) {
  json routes = json::array();
  // A port whose protocol the proxy finds out has a listener of its own, which cases do not list.
  if (!made.http.empty() && istio::is_http(service.port(port)->protocol)) {
    json list = json::array();
    for (const istio::Route& route : made.http) {
      list.push_back(istio_route_json(route));
    }
    routes.push_back({{"route_config", std::to_string(port)},
                      {"virtual_host", service.hostname + ":" + std::to_string(port)},
                      {"routes", list}});
  }
  comparison.same("routes", routes, json::array());
  json tcp = json::array();
  if (made.tcp) {
    tcp.push_back(istio_tcp_json(*made.tcp));
  }
  comparison.same("tcp", tcp, json::array());
}

void compare_shares(const json& wanted, const std::vector<istio::Cluster>& clusters, Comparison& comparison) {
  const auto cluster = std::find_if(clusters.begin(), clusters.end(), [&](const istio::Cluster& made) {
    return made.subset == wanted.at("subset").get<std::string>();
  });
  if (cluster == clusters.end()) {
    comparison.differences.push_back("shares: no cluster of subset " + wanted.at("subset").dump());
    return;
  }
  const json shares = istio_shares(*cluster, wanted.at("unhealthy").get<std::vector<std::string>>());
  for (const json& side : {shares, wanted.at("percent")}) {
    for (const auto& [host, unused] : side.items()) {
      const double got = shares.value(host, 0.0);
      const double expected = wanted.at("percent").value(host, 0.0);
      if (std::abs(got - expected) > 1e-6) {
        comparison.differences.push_back("shares of " + wanted.dump() + ": got " + shares.dump());
        return;
      }
    }
  }
}

std::vector<istio::Cluster> requested(std::vector<istio::Cluster> clusters, const json& destination) {
  if (destination.contains("subset")) {
    std::erase_if(clusters, [&](const istio::Cluster& cluster) {
      return cluster.subset != destination.at("subset").get<std::string>();
    });
  }
  return clusters;
}

std::vector<std::string> compare(const json& test_case, const istio::LocatedDocuments& read) {
  const json& expected = test_case.at("expected");
  Comparison comparison(expected);
  comparison.same("validation", validation_json(read), json::array());
  const istio::Documents& input = read.value;
  const istio::Proxy proxy = istio::known(proxy_of(test_case.at("proxy")), input);
  if (expected.contains("proxy")) {
    const json known = {{"locality", locality_json(proxy.locality)}, {"labels", proxy.labels}};
    comparison.same("proxy", known, known);
  }
  const istio::Registry registry = istio::make_registry(input);
  const istio::RuleIndex rules(input.destination_rules, input.mesh);
  const json& destination = test_case.at("destination");
  const auto port = destination.at("port").get<std::uint32_t>();
  const istio::Service* const service =
      istio::visible_service(input, registry, proxy, destination.at("host").get<std::string>());
  std::vector<istio::Cluster> clusters;
  istio::Routes routes;
  if (service != nullptr && service->port(port) != nullptr) {
    const auto rule = rules.find(proxy, service->hostname, service->name_space);
    clusters = requested(istio::clusters_of({.documents = &input,
                                             .proxy = &proxy,
                                             .service = service,
                                             .port = port,
                                             .rule = rule.rule == nullptr ? nullptr : &rule.rule->rule}),
                         destination);
    routes = istio::routes_of({.documents = &input,
                               .registry = &registry,
                               .rules = &rules,
                               .proxy = &proxy,
                               .service = service,
                               .port = port});
    compare_routes(*service, port, routes, comparison);
  } else {
    comparison.same("routes", json::array(), json::array());
  }
  comparison.clusters(clusters);
  for (const json& shares : test_case.value("shares", json::array())) {
    compare_shares(shares, clusters, comparison);
  }
  return comparison.differences;
}

}  // namespace

bool is_istio_case(const json& test_case) {
  return test_case.contains("config") && test_case.contains("proxy");
}

std::vector<std::string> replay_istio(const json& test_case) {
  Input input;
  read_input(test_case, input);
  const bool fails = test_case.at("expected").contains("error");
  try {
    std::vector<std::string> differences = compare(test_case, input.read);
    if (fails) {
      differences.emplace_back("istiod fails, the models do not");
    }
    return differences;
  } catch (const istio::IstiodPanics& error) {
    return fails ? std::vector<std::string>{} : std::vector<std::string>{error.what()};
  }
}

}  // namespace spillway::conformance
