#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/g_test.hpp"
#include "tests/support/program.hpp"

using nlohmann::json;
using spillway::support::Finished;
using spillway::support::g_test;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

json bootstrap_of(const json& input) {
  json bootstrap{{"static_resources", {{"clusters", input.at("clusters")}}}};
  if (!input.at("node").is_null()) {
    bootstrap["node"] = input.at("node");
  }
  if (!input.at("local_cluster").is_null()) {
    bootstrap["cluster_manager"] = {{"local_cluster_name", input.at("local_cluster")}};
  }
  if (!input.at("runtime").is_null()) {
    bootstrap["layered_runtime"]["layers"] = json::array({{{"name", "static"}, {"static_layer", input.at("runtime")}}});
  }
  return bootstrap;
}

double fit(const json& expect, const json& shares) {
  std::map<std::string, double> exact;
  double no_host = 1.0;
  for (const json& share : shares) {
    const std::string endpoint = share.at("endpoint");
    exact[endpoint.substr(0, endpoint.rfind(':'))] += share.at("exact").get<double>();
    no_host -= share.at("exact").get<double>();
  }
  std::vector<std::uint64_t> counts{expect.value("no_host", std::uint64_t{0})};
  std::vector<double> expected{no_host < 1e-9 ? 0.0 : no_host};
  for (const auto& [address, count] : expect.at("hosts").items()) {
    counts.push_back(count);
    expected.push_back(exact.contains(address) ? exact.at(address) : 0.0);
    exact.erase(address);
  }
  for (const auto& [address, share] : exact) {
    counts.push_back(0);
    expected.push_back(share);
  }
  return g_test(counts, expected);
}

}  // namespace

TEST_CASE("what a real Envoy did with a bootstrap fits the shares that the program gives for it") {
  std::ifstream file(std::string(SPILLWAY_SOURCE_DIR) + "/tests/conformance/cases/envoy-live.json");
  const json cases = json::parse(file).at("cases");
  const TemporaryFolder folder;
  std::size_t judged = 0;
  for (const json& one : cases) {
    const json& input = one.at("input");
    INFO(one.at("name").get<std::string>());
    const std::string bootstrap = folder.write("bootstrap.json", bootstrap_of(input).dump());
    const Finished finished = run_program({"share", bootstrap, "--cluster", input.at("route_cluster"), "-o", "json"});
    REQUIRE(finished.code == 0);
    CHECK(fit(one.at("expect"), json::parse(finished.output).at("shares")) > 1e-6 / static_cast<double>(cases.size()));
    ++judged;
  }
  CHECK(judged == 60);
}
