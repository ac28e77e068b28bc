#include <catch2/catch.hpp>
#include <string>

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
