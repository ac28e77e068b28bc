// Region, zone and sub_zone together are a locality: what names zones of several regions, and documents that are hardly
// there.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;
using nlohmann::json;

namespace {

const TemporaryFolder& localities_folder() {
  static const TemporaryFolder folder;
  return folder;
}

Finished share_of(const std::string& text, const std::vector<std::string>& options = {"-o", "json"}) {
  std::vector<std::string> arguments{"share", localities_folder().write("input.yaml", text)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_program(arguments);
}

// By the position of the rows: the exact share.
std::vector<double> exact_shares(const json& document) {
  std::vector<double> shares;
  for (const json& row : document["shares"]) {
    shares.push_back(row["exact"].get<double>());
  }
  return shares;
}

std::string group_in(const std::string& locality, int last_number) {
  return "{ locality: " + locality + ", lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0." +
         std::to_string(last_number) + ", port_value: 80 } } } }] }";
}

std::string cluster_in(const std::vector<std::string>& localities) {
  std::string groups;
  int number = 0;
  for (const std::string& locality : localities) {
    groups += (groups.empty() ? "" : ", ") + group_in(locality, ++number);
  }
  return "name: c\nload_assignment: { cluster_name: c, endpoints: [" + groups + "] }\n";
}

const std::string two_regions = R"(duration: 10s
mode: exact
zones: [{ name: a, region: east }, { name: a, region: west }, { name: b, region: west }]
links: [{ between: [east/a, west/a], latency: 5ms }]
services: [{ name: s, endpoints: [{ count: 3, zone: east/a }, { count: 1, zone: west/a, priority: 1 }] }]
clients: [{ name: c, zone: west/b, workload: { service: s, rate: 10rps } }]
)";

}  // namespace

TEST_CASE("An Envoy document may name regions, zones and sub_zones as it likes") {
  const std::vector<std::vector<std::string>> cases{
      {"{ region: us-east-1 }"},
      {"{ region: r }", "{ region: s }"},
      {"{ region: s, zone: a }", "{ region: r, zone: a }"},
      {"{ region: a/b, zone: c }", "{ region: a, zone: b/c }"},
      {"{ zone: a }", "{ region: r, zone: a }", "{ region: r }"},
      {"{ region: r, zone: a, sub_zone: s }", "{ region: r, zone: a, sub_zone: t }", "{ region: r/a, zone: s }"},
      {"{ region: east, zone: a }", "{ region: west, zone: a }", "{ zone: east/a }"},
      {"{ sub_zone: s }", "{}", "{ zone: '' }"}};
  for (const auto& localities : cases) {
    const Finished finished = share_of(cluster_in(localities));
    INFO(cluster_in(localities) << finished.error);
    REQUIRE(finished.code == 0);
    const json document = json::parse(finished.output);
    // Round robin over as many equal hosts as there are localities.
    const std::vector<double> shares = exact_shares(document);
    REQUIRE(shares.size() == localities.size());
    for (const double share : shares) {
      CHECK(share == Approx(1.0 / static_cast<double>(localities.size())).epsilon(1e-12));
    }
    CHECK(share_of(cluster_in(localities), {"--by", "zone", "-o", "csv"}).code == 0);
    CHECK(run_program({"explain", localities_folder().path("input.yaml")}).code == 0);
  }
}

TEST_CASE("Zones of one name in two regions are shown with their regions") {
  const Finished finished = share_of(cluster_in({"{ region: s, zone: a }", "{ region: r, zone: a }", "{ zone: b }"}),
                                     {"--by", "zone", "-o", "json"});
  REQUIRE(finished.code == 0);
  std::vector<std::string> zones;
  const json document = json::parse(finished.output);
  for (const json& row : document["shares"]) {
    zones.push_back(row["region"].get<std::string>() + " " + row["zone"].get<std::string>());
  }
  CHECK(zones == std::vector<std::string>{"s s/a", "r r/a", " b"});
  const Finished table = share_of(cluster_in({"{ region: s, zone: a }", "{ region: r, zone: a }"}), {"--by", "zone"});
  CHECK(table.output.find("s/a") != std::string::npos);
  CHECK(table.output.find("r/a") != std::string::npos);
}

TEST_CASE("Localities with a region alone have weights of their own") {
  const Finished finished = share_of(
      "name: c\ncommon_lb_config: { locality_weighted_lb_config: {} }\n"
      "load_assignment: { cluster_name: c, endpoints: [" +
          group_in("{ region: backend/0 }, load_balancing_weight: 99", 1) + ", " +
          group_in("{ region: backend/1 }, load_balancing_weight: 1", 2) + "] }\n",
      {"--by", "zone", "-o", "json"});
  INFO(finished.error);
  REQUIRE(finished.code == 0);
  const json document = json::parse(finished.output);
  CHECK(exact_shares(document).at(0) == Approx(0.99).epsilon(1e-12));
  CHECK(exact_shares(document).at(1) == Approx(0.01).epsilon(1e-12));
  CHECK(document["shares"][0]["zone"] == "backend/0");
}

TEST_CASE("A scenario may have one zone name in two regions, and refers to each by its region") {
  const Finished finished = share_of(two_regions, {"--by", "zone", "-o", "json"});
  INFO(finished.error);
  REQUIRE(finished.code == 0);
  const json document = json::parse(finished.output);
  REQUIRE(document["shares"].size() == 1);
  CHECK(document["shares"][0]["zone"] == "east/a");
  CHECK(document["shares"][0]["region"] == "east");
  // `west/b` means the zone b too, and so it does in expectations.
  const Finished checked =
      share_of(two_regions + "expect:\n  - table: t\n    columns: [east/a, zone west/a]\n    rows: [[100%, 0%]]\n", {});
  INFO(checked.error);
  CHECK(checked.code == 0);
  CHECK(run_program({"check", localities_folder().path("input.yaml")}).code == 0);
  CHECK(run_program({"plan", localities_folder().path("input.yaml")}).code != 3);
  CHECK(run_program({"run", localities_folder().path("input.yaml")}).code == 0);
}

TEST_CASE("A zone name that several regions have is refused with the ways to write it") {
  for (const std::string& wrong :
       {std::string("timeline: [{ at: 1s, service: s, zone: a, healthy: 0 }]\n"),
        std::string("load_assignments: [{ cluster_name: s, endpoints: [{ locality: { zone: a }, "
                    "load_balancing_weight: 1 }] }]\n"),
        std::string("expect: [{ share: { at: 1s, zone: a, equals: 100% } }]\n"),
        std::string("expect: [{ table: t, columns: [a], rows: [[100%]] }]\n"),
        std::string("expect: [{ table: t, columns: [zone a], rows: [[100%]] }]\n")}) {
    const Finished finished = share_of(two_regions + wrong);
    INFO(wrong << finished.error);
    CHECK(finished.code == 2);
    CHECK(finished.error.find("error[SP170]: ambiguous zone `a`") != std::string::npos);
    CHECK(finished.error.find("`east/a` or `west/a`") != std::string::npos);
  }
}

TEST_CASE("Two zones of one name and region are a mistake, and so is a zone that is called like one with its region") {
  CHECK(share_of("duration: 1s\nzones: [{ name: a }, { name: a }]\n").error.find("SP101]: duplicate zone `a`") !=
        std::string::npos);
  CHECK(share_of("duration: 1s\nzones: [{ name: a, region: r }, { name: a, region: s }, { name: r/a }]\n")
            .error.find("SP101]: duplicate zone `r/a`") != std::string::npos);
}

TEST_CASE("An aggregate whose clusters are all missing answers nothing, with a warning for each") {
  const std::string aggregate =
      "name: a\nlb_policy: CLUSTER_PROVIDED\ncluster_type: { name: envoy.clusters.aggregate, typed_config: { '@type': "
      "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [b, d] } }\n";
  for (const std::string& command : std::vector<std::string>{"share", "explain", "diff"}) {
    const std::string file = localities_folder().write("missing.yaml", aggregate);
    const Finished finished = run_program(command == "diff" ? std::vector<std::string>{command, file, file}
                                                            : std::vector<std::string>{command, file});
    INFO(command << finished.output << finished.error);
    CHECK(finished.code == 0);
    if (command != "diff") {
      CHECK(finished.error.find("no cluster is called `d`") != std::string::npos);
    }
  }
}

TEST_CASE("Zones that cannot be read are refused where they stand, beside policies too") {
  const std::string rest =
      "services: [{ name: s, endpoints: [{ id: a, zone: z1 }] }]\n"
      "policies: [{ type: MeshLoadBalancingStrategy, name: m, mesh: default, spec: { targetRef: { kind: Mesh }, to: "
      "[{ targetRef: { kind: MeshService, name: s }, default: { localityAwareness: { disabled: true } } }] } }]\n"
      "clients: [{ name: c, zone: z1, workload: { service: s, rate: 1rps } }]\n";
  for (const std::string& zones :
       std::vector<std::string>{"[z1, z2]", "[1, 2]", "[{}, {}]", "[z1]", "[]", "{}", "3", "[{ nodes: [{}] }, 1]"}) {
    for (const std::string& mesh : {rest, rest.substr(0, rest.find("policies")), std::string()}) {
      const Finished finished = share_of("duration: 1s\nzones: " + zones + "\n" + mesh);
      INFO(zones << "\n" << mesh << finished.error);
      CHECK(finished.code == 2);
      CHECK(finished.error.find("input.yaml:2:") != std::string::npos);
      CHECK(finished.error.find("duplicate") == std::string::npos);
    }
  }
}
