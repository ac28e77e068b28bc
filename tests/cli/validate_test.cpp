#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using namespace spillway::support;

TEST_CASE("validate takes endpoints from /clusters as share does, and warns where they are missing") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("cluster.yaml",
                                             "clusters:\n- name: web\n  type: EDS\n"
                                             "  eds_cluster_config: { eds_config: { ads: {} } }\n");
  const std::string host = "web::10.0.0.1:80::";
  const std::string reported = folder.write(
      "clusters.txt", host + "rq_total::5\n" + host + "health_flags::healthy\n" + host + "weight::1\n" + host +
                          "region::\n" + host + "zone::a\n" + host + "sub_zone::\n" + host + "priority::0\n");
  const Finished alone = run_program({"validate", documents});
  CHECK(alone.code == 0);
  CHECK(alone.error.find("warning[SP136]") != std::string::npos);
  CHECK(alone.error.find("error[") == std::string::npos);
  CHECK(alone.output.find("of 1 of them the endpoints are not in the documents") != std::string::npos);
  const Finished both = run_program({"validate", documents, reported});
  CHECK(both.code == 0);
  CHECK(both.error.find("SP136") == std::string::npos);
  CHECK(both.output.find("the endpoints are not in the documents") == std::string::npos);
  CHECK(run_program({"share", documents, reported}).code == 0);
}

TEST_CASE("what validate finds is on standard error, and in JSON on standard output") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("clusters.yaml",
                                             "clusters:\n- { name: good, type: STATIC }\n"
                                             "- { name: bad, type: STATIC, lb_policy: NO_SUCH_POLICY }\n");
  const Finished found = run_program({"validate", documents});
  CHECK(found.code == 2);
  CHECK(found.output.empty());
  CHECK(found.error.find("1 of 2 clusters") != std::string::npos);
  const Finished listed = run_program({"validate", documents, "-o", "json"});
  CHECK(listed.code == 2);
  CHECK(listed.output.starts_with("{"));
}

TEST_CASE("share of all clusters of which one cannot be read is not complete, and of which none can is refused") {
  const TemporaryFolder folder;
  const std::string host =
      "load_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { "
      "address: 10.0.0.1, port_value: 80 } } } }] }] } }\n";
  const std::string good = "- { name: good, type: STATIC, " + host;
  const std::string bad = "- { name: bad, type: STATIC, lb_policy: NO_SUCH_POLICY, " + host;
  const Finished part = run_program({"share", folder.write("part.yaml", "clusters:\n" + good + bad), "--all-clusters"});
  INFO(part.error);
  CHECK(part.code == 1);
  CHECK(part.output.find("cluster good") != std::string::npos);
  const Finished none = run_program({"share", folder.write("none.yaml", "clusters:\n" + bad), "--all-clusters"});
  CHECK(none.code == 2);
  CHECK(none.output.empty());
}

TEST_CASE("a name to resolve that nothing has is warned of, with the one that is meant") {
  const TemporaryFolder folder;
  const std::string documents = folder.write(
      "cluster.yaml",
      "name: db\ntype: STRICT_DNS\nload_assignment: { cluster_name: db, endpoints: [{ lb_endpoints: [{ endpoint: { "
      "address: { socket_address: { address: db.example, port_value: 80 } } } }] }] }\n");
  const Finished wrong = run_program({"share", documents, "--resolve", "bd.example=10.0.0.1"});
  CHECK(wrong.error.find("no endpoint has the address `bd.example`") != std::string::npos);
  CHECK(wrong.error.find("did you mean `db.example`?") != std::string::npos);
  const Finished right = run_program({"share", documents, "--resolve", "db.example=10.0.0.1,10.0.0.2"});
  CHECK(right.error.find("SP204") == std::string::npos);
  CHECK(right.output.find("10.0.0.2:80") != std::string::npos);
}

TEST_CASE("a scenario of a control plane is refused at its place") {
  const Finished finished =
      run_program({"share", std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/documented/kuma/cla-cache.yaml"});
  CHECK(finished.code == 2);
  CHECK(finished.error.find("error[SP738]") != std::string::npos);
  CHECK(finished.error.find("control_plane:") != std::string::npos);  // the line itself
}

TEST_CASE("options of Envoy's documents are warned of where a scenario is given") {
  const TemporaryFolder folder;
  const std::string scenario =
      folder.write("s.yaml",
                   "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
                   "clients: [{ name: c, zone: a, workload: { service: s, rate: 5rps } }]\n");
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--cluster", "s"},
                                                  {"--host", "shop.example"},
                                                  {"--resolve", "a.example=10.0.0.1"},
                                                  {"--without", "metadata"}}) {
    std::vector<std::string> arguments = {"share", scenario};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = run_program(arguments);
    INFO(options.front());
    CHECK(finished.code == 0);
    CHECK(finished.error.find("warning[SP905]") != std::string::npos);
  }
  CHECK(run_program({"share", scenario}).error.empty());
}
