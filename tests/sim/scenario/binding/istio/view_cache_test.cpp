// Views that outlive a reading: whoever asks with a cache gets what whoever asks without one gets.
#include "sim/scenario/binding/istio/view_cache.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/istio/trail.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {

namespace {

// A mesh of which every part may change, one at a time.
struct Mesh {
  std::vector<std::string> policies = {"outlierDetection: {}", "loadBalancer: { simple: RANDOM }",
                                       "outlierDetection: { minHealthPercent: 30 }"};
  std::vector<int> pods = {3, 2, 4};  // of each service
  std::string mesh_setting = "enabled: true";
  std::string selector;
  std::string wildcard;
  std::string head;  // lines before the first document, which move all places
  std::string label = "v1";

  [[nodiscard]] std::string text() const {
    std::ostringstream file;
    file << "duration: 4s\nmode: exact\n" << head << "resources:\n";
    file << "  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, metadata: { name: i }, spec: { "
            "meshConfig: { localityLbSetting: { "
         << mesh_setting << " } } } }\n";
    for (int zone = 1; zone <= 3; ++zone) {
      file << "  - { apiVersion: v1, kind: Node, metadata: { name: n" << zone
           << ", labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z" << zone << " } } }\n";
    }
    for (std::size_t service = 0; service < pods.size(); ++service) {
      write_service(file, service);
    }
    if (!wildcard.empty()) {
      file << "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: all, namespace: "
              "istio-system }, spec: { host: '*.local', trafficPolicy: { "
           << wildcard << " } } }\n";
    }
    file << "clients:\n";
    for (int zone = 1; zone <= 3; ++zone) {
      for (std::size_t service = 0; service < pods.size(); ++service) {
        file << "  - { name: c" << zone << service << ", node: n" << zone
             << ", tags: { app: " << (zone == 1 ? label : "other") << " }, workload: { service: s" << service
             << ", rate: 10rps } }\n";
      }
    }
    file << "timeline:\n  - { at: 1s, endpoints: [s0-0], healthy: 0 }\n";
    return file.str();
  }

 private:
  void write_service(std::ostringstream& file, std::size_t service) const {
    const std::string name = "s" + std::to_string(service);
    file << "  - { apiVersion: v1, kind: Service, metadata: { name: " << name
         << " }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }\n";
    std::string endpoints;
    for (int pod = 0; pod < pods[service]; ++pod) {
      const std::string ip = "10.1." + std::to_string(service) + "." + std::to_string(pod + 1);
      file << "  - { apiVersion: v1, kind: Pod, metadata: { name: " << name << "-" << pod << " }, spec: { nodeName: n"
           << pod % 3 + 1 << " }, status: { podIP: " << ip << " } }\n";
      endpoints += (endpoints.empty() ? "" : ", ") + std::string("{ addresses: [") + ip +
                   "], targetRef: { kind: Pod, name: " + name + "-" + std::to_string(pod) + " } }";
    }
    file << "  - { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: " << name
         << "-1, labels: { kubernetes.io/service-name: " << name
         << " } }, ports: [{ name: http, port: 8080 }], endpoints: [" << endpoints << "] }\n";
    if (!policies[service].empty()) {
      file << "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: " << name
           << " }, spec: { host: " << name << ", " << (service == 1 ? selector : "") << "trafficPolicy: { "
           << policies[service] << " } } }\n";
    }
  }
};

void change_one(Mesh& mesh, std::mt19937& draw) {
  const std::vector<std::string> policies = {
      "",
      "outlierDetection: {}",
      "outlierDetection: { maxEjectionPercent: 100 }, connectionPool: { http: { http2MaxRequests: 5 } }",
      "loadBalancer: { localityLbSetting: { distribute: [{ from: '*', to: { r1/z1/*: 70, r1/z2/*: 30 } }] } }",
      "loadBalancer: { localityLbSetting: { failoverPriority: [app] } }, outlierDetection: {}",
      "loadBalancer: { simple: ROUND_ROBIN }"};
  const auto pick = [&](std::size_t count) { return std::size_t{draw() % count}; };
  switch (pick(7)) {
    case 0:
      mesh.policies[pick(3)] = policies[pick(policies.size())];
      break;
    case 1:
      mesh.pods[pick(3)] = 1 + static_cast<int>(pick(5));
      break;
    case 2:
      mesh.mesh_setting = pick(2) == 0 ? "enabled: true" : "enabled: false";
      break;
    case 3:
      mesh.selector = pick(2) == 0 ? "" : "workloadSelector: { matchLabels: { app: v1 } }, ";
      break;
    case 4:
      mesh.wildcard = policies[pick(policies.size())];
      break;
    case 5:
      mesh.head = pick(2) == 0 ? "" : "# a line more\n";
      break;
    default:
      mesh.label = pick(2) == 0 ? "v1" : "v2";
      break;
  }
}

void write_place(std::ostringstream& into, const Span& place) {
  into << place.file << ':' << place.line << ':' << place.column << ' ';
}

void write_trail(std::ostringstream& into, const istio::IstioTrail& trail) {
  for (const istio::IstioTrail::Rule& rule : trail.rules) {
    into << rule.name << '@';
    write_place(into, rule.where);
  }
  if (trail.setting_at) {
    write_place(into, *trail.setting_at);
  }
  into << static_cast<int>(trail.step) << static_cast<int>(trail.setting.source) << trail.acts << trail.client.zone;
  for (const istio::Placement& group : trail.groups) {
    into << static_cast<int>(group.by) << '/' << group.rule << ' ';
  }
  for (const istio::LeftOut& one : trail.left_out) {
    into << one.address << static_cast<int>(one.by) << ' ';
  }
}

// Everything that depends on views, and what was said.
std::string text_of(const Reading& reading) {
  std::ostringstream text;
  text << documents::diagnostics_json(reading.diagnostics, reading.sources);
  if (!reading.scenario) {
    return text.str();
  }
  for (const Service& service : reading.scenario->services) {
    text << service.name << ' ' << (service.as_view ? service.as_view->of.value : 9999) << ' '
         << service.cluster.lb_policy.index() << ' ' << service.cluster.common_lb_config.healthy_panic_threshold.value
         << ' ' << service.cluster.common_lb_config.locality_config_specifier.index() << ' ';
    if (service.cluster.outlier_detection) {
      text << service.cluster.outlier_detection->max_ejection_percent;
    }
    for (const auto& thresholds : service.cluster.circuit_breakers.thresholds) {
      text << " max " << thresholds.max_requests.value_or(0);
    }
    for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
      text << "\n  P" << group.priority.value << ' ' << group.locality.zone << ' '
           << group.load_balancing_weight.value_or(0);
      for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
        text << ' ' << endpoint.address << ' ' << static_cast<int>(endpoint.health_status) << ' '
             << endpoint.load_balancing_weight;
      }
    }
    for (const Host& host : service.hosts) {
      text << ' ' << host.endpoint.value;
    }
    if (service.as_view && service.as_view->istio_trail) {
      write_trail(text, *service.as_view->istio_trail);
    }
    text << '\n';
  }
  for (const Route& route : reading.scenario->routes) {
    for (const config::ServiceIndex cluster : route.clusters) {
      text << cluster.value << ' ';
    }
  }
  for (const Change& change : reading.scenario->changes) {
    text << change.at.count() << '/' << change.effect.index() << ' ';
    if (const auto* const reported = std::get_if<EdsHealth>(&change.effect)) {
      text << reported->service.value << ':' << reported->hosts.size() << ' ';
    }
  }
  return text.str();
}

}  // namespace

TEST_CASE("views that outlive a reading are those that would be made anew", "[istio][unsanitized]") {
  const auto seed = GENERATE(1U, 2U, 3U);
  std::mt19937 draw(seed);
  const auto views = std::make_shared<istio_binding::ViewCache>();
  Mesh mesh;
  for (int change = 0; change < 60; ++change) {
    const std::string text = mesh.text();
    Sources sources = {{"mesh.yaml", text}};
    Diagnostics problems;
    auto root = documents::parse(sources, 0, problems);
    REQUIRE(root);
    const ScenarioTemplate with(*root, sources, views);
    const Reading without = read_scenario_text("mesh.yaml", text);
    INFO("seed " << seed << ", change " << change);
    CHECK(text_of(with.reading()) == text_of(without));
    change_one(mesh, draw);
  }
  CHECK(views->hits() > 100);
  CHECK(views->misses() > 100);
}

TEST_CASE("a change of one rule makes the views of its service anew, and no others", "[istio]") {
  const auto views = std::make_shared<istio_binding::ViewCache>();
  Mesh mesh;
  const auto read = [&] {
    Sources sources = {{"mesh.yaml", mesh.text()}};
    Diagnostics problems;
    return ScenarioTemplate(*documents::parse(sources, 0, problems), sources, views).reading().scenario.has_value();
  };
  REQUIRE(read());
  CHECK(views->misses() == 9);
  mesh.policies[1] = "loadBalancer: { simple: ROUND_ROBIN }";
  REQUIRE(read());
  CHECK(views->misses() == 12);
  CHECK(views->hits() == 6);
}

TEST_CASE("changed rules in the place of others read as the whole file does", "[istio]") {
  const auto seed = GENERATE(4U, 5U, 6U);
  std::mt19937 draw(seed);
  int taken = 0;
  for (int round = 0; round < 30; ++round) {
    Mesh mesh;
    for (int change = 0; change < 4; ++change) {
      change_one(mesh, draw);
    }
    const auto root_of = [](const std::string& text, Sources& sources) {
      sources = {{"mesh.yaml", text}};
      Diagnostics problems;
      return *documents::parse(sources, 0, problems);
    };
    Sources sources;
    const documents::Node first = root_of(mesh.text(), sources);
    const ScenarioTemplate before(first, sources);
    const std::vector<std::string> policies = mesh.policies;
    for (int change = 0; mesh.policies == policies && change < 100; ++change) {
      Mesh other = mesh;
      change_one(other, draw);
      mesh.policies = other.policies;
    }
    std::vector<documents::Node> rules;
    documents::Node root = root_of(mesh.text(), sources);
    for (std::size_t service = 0; service < policies.size(); ++service) {
      for (const documents::Node& node : root.find("resources")->value.items) {
        const bool is_rule = node.find("kind")->value.text == "DestinationRule" &&
                             node.find("metadata")->value.find("name")->value.text == "s" + std::to_string(service);
        if (is_rule && mesh.policies[service] != policies[service]) {
          rules.push_back(node);
        }
      }
    }
    const auto changed = before.with_rules(rules, sources, [&] { return root; });
    INFO("seed " << seed << ", round " << round);
    if (!changed || rules.empty()) {
      continue;
    }
    ++taken;
    CHECK(text_of(changed->reading()) == text_of(read_scenario_text("mesh.yaml", mesh.text())));
    CHECK(changed->vary({})->services.size() == changed->reading().scenario->services.size());
  }
  CHECK(taken > 10);
}

TEST_CASE("a rule for another host, of another name or that istiod refuses is not put in the place of one", "[istio]") {
  Sources sources = {{"mesh.yaml", Mesh{}.text()}};
  Diagnostics problems;
  const ScenarioTemplate before(*documents::parse(sources, 0, problems), sources);
  const auto with = [&](const std::string& name, const std::string& spec) {
    Sources files = {{"rule.yaml", "{ apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: " +
                                       name + " }, spec: { " + spec + " } }"}};
    return before.with_rules({*documents::parse(files, 0, problems)}, sources, [] { return documents::Node{}; });
  };
  CHECK(with("s1", "host: s1, trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN } }"));
  CHECK_FALSE(with("s1", "host: s2, trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN } }"));
  CHECK_FALSE(with("other", "host: s1, trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN } }"));
  CHECK_FALSE(with("s1", "host: s1, exportTo: [.], trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN } }"));
  CHECK_FALSE(with("s1", "host: s1, trafficPolicy: {}"));
  CHECK_FALSE(with("s1", "host: s1, trafficPolicy: { loadBalancer: { simple: SLOWEST } }"));
  CHECK_FALSE(with("s1",
                   "host: s1, trafficPolicy: { outlierDetection: {}, loadBalancer: { localityLbSetting: { "
                   "failoverPriority: [app] } } }"));  // asks proxies for another label
}

TEST_CASE("a variation of a scenario takes its views from the scenario", "[istio]") {
  const auto views = std::make_shared<istio_binding::ViewCache>();
  Sources sources = {{"mesh.yaml", Mesh{}.text()}};
  Diagnostics problems;
  const ScenarioTemplate base(*documents::parse(sources, 0, problems), sources, views);
  REQUIRE(base.reading().scenario);
  const auto varied = base.vary({});
  REQUIRE(varied);
  CHECK(views->hits() == 9);
  CHECK(varied->services.size() == base.reading().scenario->services.size());
}

}  // namespace spillway::scenario
