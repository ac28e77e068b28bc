#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const char* const two_hosts = R"({"clusters": [{"name": "backend", "type": "STATIC", "load_assignment": {
  "cluster_name": "backend", "endpoints": [
  {"locality": {"zone": "a"}, "lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]},
  {"locality": {"zone": "b"}, "lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.2", "port_value": 80}}}}]}]}}]})";

std::string reported(const std::string& first, const std::string& second) {
  const auto host = [](const std::string& address, const std::string& zone, const std::string& requests) {
    const std::string head = "backend::" + address + "::";
    return head + "rq_total::" + requests + "\n" + head + "health_flags::healthy\n" + head + "weight::1\n" + head +
           "region::\n" + head + "zone::" + zone + "\n" + head + "sub_zone::\n" + head + "priority::0\n";
  };
  return "backend::added_via_api::false\n" + host("10.0.0.1:80", "a", first) + host("10.0.0.2:80", "b", second);
}

}  // namespace

TEST_CASE("compare ends with 0 where counts fit and with 1 where they do not, in every format") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("cluster.json", two_hosts);
  const std::string before = folder.write("before.txt", reported("7", "7"));
  const std::string even = folder.write("even.txt", reported("1007", "1007"));
  const std::string uneven = folder.write("uneven.txt", reported("1807", "207"));
  for (const std::string format : {"table", "wide", "markdown", "csv", "json"}) {
    CHECK(run_program({"compare", documents, "--clusters", before, "--clusters", even, "-o", format}).code == 0);
    CHECK(run_program({"compare", documents, "--clusters", before, "--clusters", uneven, "-o", format}).code == 1);
  }
  const auto root = nlohmann::json::parse(
      run_program({"compare", documents, "--clusters", before, "--clusters", uneven, "-o", "json"}).output);
  CHECK(root["agrees"] == false);
  CHECK(root["clusters"][0]["verdict"] == "deviates");
  CHECK(root["clusters"][0]["requests"] == 2000);
  CHECK(root["clusters"][0]["hosts"][0]["predicted"] == 0.5);
  CHECK(root["clusters"][0]["hosts"][0]["observed"] == 0.9);
}

TEST_CASE("compare refuses what is no output of a proxy, with its place") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("cluster.json", two_hosts);
  const std::string wrong = folder.write("wrong.txt", "hello\n");
  const Finished finished = run_program({"compare", documents, "--clusters", wrong});
  CHECK(finished.code == 2);
  CHECK(finished.output.empty());
  CHECK(finished.error.find("error[SP790]: not a line of /clusters") != std::string::npos);
  CHECK(finished.error.find("wrong.txt:1:1") != std::string::npos);
}

TEST_CASE("an imported proxy can be run") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("cluster.json", two_hosts);
  const std::string scenario = folder.path("scenario.yaml");
  const Finished imported = run_program({"import", documents, "--rate", "50rps", "-o", scenario});
  CHECK(imported.code == 0);
  CHECK(imported.output.empty());
  const auto root = nlohmann::json::parse(run_program({"share", scenario, "-o", "json"}).output);
  REQUIRE(root["shares"].size() == 2);
  CHECK(root["shares"][0]["exact"] == 0.5);
  CHECK(run_program({"run", scenario, "--mode", "requests"}).code == 0);
}

TEST_CASE("counts by a cluster's alt_stat_name are compared and imported as that cluster's") {
  const TemporaryFolder folder;
  std::string text = two_hosts;
  text.insert(text.find("\"type\""), R"("alt_stat_name": "backend_of_shop", )");
  const std::string documents = folder.write("cluster.json", text);
  const auto counts = [](const std::string& first, const std::string& second) {
    const std::string head = R"(envoy_cluster_endpoint_rq_total{envoy_cluster_name="backend_of_shop",)";
    return head + R"(envoy_endpoint_address="10.0.0.1:80"} )" + first + "\n" + head +
           R"(envoy_endpoint_address="10.0.0.2:80"} )" + second + "\n";
  };
  CHECK(run_program({"compare", documents, "--stats", folder.write("even.txt", counts("1000", "1000"))}).code == 0);
  const std::string uneven = folder.write("uneven.txt", counts("1800", "200"));
  const auto root = nlohmann::json::parse(run_program({"compare", documents, "--stats", uneven, "-o", "json"}).output);
  REQUIRE(root["clusters"].size() == 1);
  CHECK(root["clusters"][0]["cluster"] == "backend");
  CHECK(root["clusters"][0]["requests"] == 2000);
  CHECK(root["clusters"][0]["verdict"] == "deviates");
  const std::string before = folder.write("before.txt", "cluster.backend_of_shop.upstream_rq_total: 1000\n");
  const std::string after = folder.write("after.txt", "cluster.backend_of_shop.upstream_rq_total: 7000\n");
  // 6,000 requests in a minute.
  CHECK(run_program({"import", documents, "--stats", before, "--stats", after, "--apart", "60s"})
            .output.find("rate: \"100rps\" } }  # as counted\n") != std::string::npos);
}
