#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/sim/plan/mesh_of_pods.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string examples = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/";

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("plan ends with 0 where every objective holds and with 1 where one fails", "[unsanitized]") {
  const Finished well = run_program({"plan", examples + "three-zones.yaml", "--color", "never"});
  CHECK(well.code == 0);
  CHECK(tells(well.output, "headroom          2,880 rps (+6.7 %)"));
  const Finished more = run_program({"plan", examples + "three-zones.yaml", "--growth", "1.1x"});
  CHECK(more.code == 1);
  CHECK(tells(more.output, "utilisation of backend-1 (zone-1) 82.5 %, at most 80 %"));
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--rate", "2880rps"}).code == 0);
}

TEST_CASE("plan writes JUnit beside its results", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("plan.xml");
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--growth", "1.1x", "--junit", file}).code == 1);
  CHECK(tells(contents(file), "tests=\"7\" failures=\"2\""));
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--junit", folder.path("no/such/plan.xml")}).code == 2);
}

TEST_CASE("plan refuses what it cannot plan for, with a code") {
  const TemporaryFolder folder;
  const std::string file = examples + "three-zones.yaml";
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& code) {
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CHECK(tells(finished.error, "error[" + code + "]"));
  };
  refused({"plan"}, "SP903");
  refused({"plan", file, "--growth", "twice"}, "SP904");
  refused({"plan", file, "--growth", "0x"}, "SP904");
  refused({"plan", file, "--rate", "fast"}, "SP904");
  refused({"plan", file, "--rate", "1rps", "--growth", "2x"}, "SP905");
  refused({"plan", file, "--at", "20s"}, "SP904");
  refused({"plan", file, file}, "SP905");
  refused({"plan", folder.write("users.yaml",
                                "duration: 10s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a }] "
                                "}]\nclients: [{ name: c, zone: a, workload: { service: s, users: 2 } }]\n")},
          "SP703");
}

namespace {

std::string three_of_100(const std::string& more = "") {
  return "duration: 10s\nzones: [{ name: z1 }, { name: z2 }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: z1, "
         "capacity: 100rps }] }]\nclients: [{ name: c, zone: z1, workload: { service: s, rate: 10rps } }]\n" +
         more;
}

}  // namespace

// Nearly a billion requests a second of which endpoints may have 80 each: 12.5 million endpoints.
TEST_CASE("a plan of a rate that no search can serve is answered at once, or refused in words") {
  const TemporaryFolder folder;
  const std::string shares = folder.write("shares.yaml", three_of_100());
  const Finished more = run_program({"plan", shares, "--rate", "999999999rps"});
  CHECK(more.code == 1);
  CHECK(tells(more.output,
              "fewest endpoints  not searched: the load needs at least 12,500,000 endpoints even while "
              "nothing is lost"));
  CHECK(run_program({"plan", shares, "--growth", "1000000x"}).code == 1);
  const std::string measured = folder.write("measured.yaml", three_of_100("objectives: [{ p99: 1s }]\n"));
  const Finished refused = run_program({"plan", measured, "--rate", "999999999rps"});
  CHECK(refused.code == 2);
  CHECK(refused.output.empty());
  CHECK(tells(refused.error, "error[SP706]"));
}

// M/M/1 at half its capacity: times are exponential with a mean of 20 ms, so that the p90 is 20 ms * ln 10 = 46 ms.
TEST_CASE("verdicts of counted objectives in JSON are those of their intervals", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "three.yaml",
      "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a, cores: 1, "
      "service_time: { mean: 10ms, distribution: exponential } }] }]\nclusters: [{ name: s, lb_policy: RANDOM }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\n"
      "objectives: [{ p50: 1s, p90: 46ms, p99: 20ms }]\nfailures: []\n");
  const Finished planned = run_program({"plan", file, "-o", "json"});
  REQUIRE(planned.code == 1);
  const auto plan = nlohmann::json::parse(planned.output);
  std::set<std::string> verdicts;
  for (const auto& estimate : plan.at("failures").at(0).at("estimates")) {
    const double allowed = estimate.at("missed_allowed").get<double>();
    const std::string expected = estimate.at("missed_low").get<double>() > allowed     ? "fails"
                                 : estimate.at("missed_high").get<double>() <= allowed ? "holds"
                                                                                       : "undecided";
    CHECK(estimate.at("verdict") == expected);
    verdicts.insert(expected);
  }
  CHECK(verdicts == std::set<std::string>{"fails", "holds", "undecided"});
}

// Services with two endpoints of 100 requests per second in each of two zones. While a zone is lost, the other one
// needs ceil(rate / 80) endpoints.
TEST_CASE("a plan of hundreds of services that share nothing takes seconds", "[unsanitized]") {
  std::string of_services =
      "duration: 10s\nmode: exact\nzones: [{ name: a }, { name: b }, { name: proxies }]\nservices:\n";
  std::string clients = "clients:\n";
  int needed = 0;
  for (int index = 0; index < 400; ++index) {
    const int rate = 1 + index * 37 % 300;
    needed += 2 * ((rate + 79) / 80);
    const std::string name = "s" + std::to_string(index);
    of_services +=
        "  - { name: " + name +
        ", endpoints: [{ count: 2, zone: a, capacity: 100rps }, { count: 2, zone: b, capacity: 100rps }] }\n";
    clients += "  - { name: to-" + name + ", zone: proxies, workload: { service: " + name +
               ", rate: " + std::to_string(rate) + "rps } }\n";
  }
  const TemporaryFolder folder;
  const std::string file = folder.write("many.yaml", of_services + clients + "failures: [{ each: zone }]\n");
  const Finished planned = run_program({"plan", file, "-o", "json"}, within_seconds(20));
  REQUIRE(planned.code == 1);
  const auto plan = nlohmann::json::parse(planned.output);
  CHECK(plan.at("fewest").at("endpoints") == needed);
  CHECK(plan.at("fewest").at("proved") == true);
}

TEST_CASE("the number of a Deployment's pods is set, swept and searched by its name", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("pods.yaml", mesh_of_pods({{"cart", {8, 8}}}, 200.0, "failures: [{ each: zone }]\n"));
  const Finished now = run_program({"plan", file, "--color", "never"});
  CHECK(now.code == 0);
  CHECK(tells(now.output, "10 instead of 16: Deployment cart in a 5, Deployment cart in b 5"));
  CHECK(run_program({"plan", file, "--replicas", "cart=10"}).code == 0);
  CHECK(run_program({"plan", file, "--replicas", "cart.shop=9"}).code == 1);
  CHECK(run_program({"plan", file, "--set", "replicas.cart.a=4"}).code == 1);
  const Finished unknown = run_program({"plan", file, "--replicas", "card=9"});
  CHECK(unknown.code == 2);
  CHECK(tells(unknown.error, "error[SP762]"));
  // Each zone has half of an even total.
  const Finished found = run_program({"find", file, "--minimise", "endpoints=2..20", "--such-that",
                                      "utilisation < 81 %", "--under", "failures", "-o", "json"});
  CHECK(found.code == 0);
  CHECK(nlohmann::json::parse(found.output).at("answer").at("number") == 10.0);
  CHECK(run_program({"sweep", file, "--over", "replicas.cart=2..6/2", "-o", folder.path("pods.sqlite")}).code == 0);
}

// Documents whose rule keeps each zone's requests in it: with a zone lost, its clients' requests have no host.
TEST_CASE("replicas that a rule does not let requests go to are no spare ones", "[unsanitized]") {
  const TemporaryFolder folder;
  std::string documents;
  for (const char* const zone : {"a", "b"}) {
    documents += fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{ name: n-{0}, labels: {{ topology.kubernetes.io/region: eu, "
        "topology.kubernetes.io/zone: {0} }} }}\n---\n",
        zone);
    for (int pod = 0; pod < 4; ++pod) {
      documents += fmt::format(
          "apiVersion: v1\nkind: Pod\nmetadata: {{ name: cart-{0}{1}, namespace: shop, labels: {{ app: cart }} "
          "}}\nspec: "
          "{{ nodeName: n-{0} }}\nstatus: {{ podIP: 10.0.{2}.{1}, phase: Running, conditions: [{{ type: Ready, status: "
          "\"True\" }}] }}\n---\n",
          zone, pod + 1, zone[0] - 'a');
    }
  }
  documents +=
      "apiVersion: v1\nkind: Service\nmetadata: { name: cart, namespace: shop }\nspec: { selector: { app: cart }, "
      "ports: "
      "[{ name: http, port: 80 }] }\n";
  const std::string rule =
      "---\napiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: cart, namespace: shop "
      "}\nspec: "
      "{ host: cart, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: eu/a/*, to: { eu/a/*: "
      "100 "
      "} }, { from: eu/b/*, to: { eu/b/*: 100 } }] } } } }\n";
  const auto asked = [&](const std::string& text, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"plan", folder.write("cart.yaml", text), "--replicas", "--quiet", "-o",
                                          "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  const auto row = [&](const Finished& finished) {
    INFO(finished.output << finished.error);
    REQUIRE(finished.code == 0);
    return nlohmann::json::parse(finished.output).at("replicas").at(0);
  };
  const std::vector<std::string> rates = {"--rate", "cart=60rps", "--capacity", "cart=60rps"};
  // 60 of 6 pods, or of 3 while a zone is lost: 33 %.
  CHECK(row(asked(documents, rates)).at("verdict") == "yes");
  const auto held = row(asked(documents + rule, rates));
  CHECK(held.at("failing_fewer") == 0.0);
  CHECK(held.at("failing_fewer_and_lost") == 0.5);
  CHECK(held.at("verdict") == "no: 50 % of its requests fail while any zone is lost");
  // Every name of a service is one; others are refused.
  CHECK(row(asked(documents, {"--rate", "cart.shop=60rps", "--capacity", "cart.shop.svc.cluster.local=60rps"})) ==
        row(asked(documents, rates)));
  for (const char* const option : {"--rate", "--capacity"}) {
    const Finished unknown = asked(documents, {option, "card=60rps"});
    CHECK(unknown.code == 2);
    CHECK(tells(unknown.error, "no service `card` is in the documents"));
  }
}

TEST_CASE("a pod's capacity is known in Kuma's documents, too", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("kuma.yaml",
                   "type: Mesh\nname: default\n---\ntype: MeshService\nname: orders\nmesh: default\nspec: { selector: "
                   "{ dataplaneTags: "
                   "{ app: orders } }, ports: [{ port: 80, targetPort: 80, appProtocol: http }] }\n");
  const Finished asked = run_program({"plan", file, "--replicas", "--quiet", "--zones", "a:4,b:4", "--rate", "120rps",
                                      "--capacity", "orders=60rps", "-o", "json"});
  INFO(asked.output << asked.error);
  REQUIRE(asked.code == 0);
  CHECK(nlohmann::json::parse(asked.output).at("replicas").at(0).at("capacity_rps") == Approx(60.0));
  CHECK(run_program({"plan", file, "--replicas", "--capacity", "order=60rps"}).code == 2);
}
