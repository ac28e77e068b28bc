#include "sim/observed/server.hpp"

#include <catch2/catch.hpp>

#include "sim/observed/prometheus_range.hpp"
#include "tests/sim/observed/recorded.hpp"

using namespace spillway;

TEST_CASE("/server_info of a real Envoy tells its version, workers and node") {
  Sources sources = {{"server_info.json", test_observed::recorded("server_info.json")}};
  Diagnostics problems;
  const auto info = observed::read_server_info(sources, 0, problems);
  REQUIRE(info.has_value());
  CHECK(info->version == "1.40.0");
  CHECK(info->concurrency == 1);
  CHECK(info->node_id == "envoy-1");
  CHECK(info->locality == config::Locality{"region-1", "zone-1", ""});
  CHECK(info->uptime == std::chrono::seconds{3});
}

TEST_CASE("/runtime of a real Envoy tells final values") {
  Sources sources = {{"runtime.json", test_observed::recorded("runtime.json")}};
  Diagnostics problems;
  const auto values = observed::read_runtime_values(sources, 0, problems);
  REQUIRE(values.has_value());
  CHECK(*values == observed::RuntimeValues{{"upstream.healthy_panic_threshold", "40"}});
}

TEST_CASE("a range query's counters grow over restarts") {
  // The form is that of Prometheus' HTTP API.
  Sources sources = {{"range.json", R"({"status": "success", "data": {"resultType": "matrix", "result": [
    {"metric": {"__name__": "envoy_cluster_endpoint_rq_total", "envoy_cluster_name": "a"},
     "values": [[1435781430.781, "10"], [1435781445.781, "30"], [1435781460.781, "5"]]}]}})"}};
  Diagnostics problems;
  const auto answer = observed::read_range_answer(sources, 0, problems);
  REQUIRE(answer.has_value());
  REQUIRE(answer->series.size() == 1);
  CHECK(observed::increase_of(answer->series.front()) == 25.0);
  CHECK(observed::resets_of(answer->series.front()) == 1);
  CHECK(answer->series.front().labels.at("envoy_cluster_name") == "a");
}

TEST_CASE("other documents are no answers of a proxy or of Prometheus") {
  const std::string text =
      GENERATE(as<std::string>{}, "{}", "[]", "{\"status\": \"error\", \"error\": \"bad_data\"}",
               "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": []}}");
  Sources sources = {{"x.json", text}};
  Diagnostics problems;
  CHECK_FALSE(observed::read_server_info(sources, 0, problems).has_value());
  CHECK_FALSE(observed::read_runtime_values(sources, 0, problems).has_value());
  CHECK_FALSE(observed::read_range_answer(sources, 0, problems).has_value());
  REQUIRE(problems.size() == 3);
  CHECK(problems.front().code == "SP790");
}
