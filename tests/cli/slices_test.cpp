// Rows of `spillway run` over time: `--every`, `--every-event`, and what is shown unasked.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/small_scenario_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

// Priority 0 fails half of its requests from 20 s to 40 s, and every host of it can be ejected.
const std::string failover =
    "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
    "services: [{ name: s, endpoints: [{ count: 3, zone: a, service_time: 5ms }, { count: 3, zone: b, priority: 1, "
    "service_time: 5ms }] }]\n"
    "clusters: [{ name: s, outlier_detection: { interval: 5s, base_ejection_time: 10s, max_ejection_percent: 100 } }]\n"
    "clients: [{ name: c, zone: a, count: 2, workload: { service: s, rate: 20rps } }]\n"
    "timeline: [{ at: 20s, zone: a, fails: 50% }, { at: 40s, zone: a, fails: 0% }]\n";

std::vector<std::string> rows_of(const std::string& output) {
  std::vector<std::string> rows;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (line.find(" - ") != std::string::npos && line.find(" s ") != std::string::npos) {
      rows.push_back(line);
    }
  }
  return rows;
}

std::uint64_t sum(const nlohmann::json& rows, const char* key) {
  std::uint64_t all = 0;
  for (const auto& row : rows) {
    all += row[key].get<std::uint64_t>();
  }
  return all;
}

}  // namespace

TEST_CASE("slices stand in JSON beside epochs, which they leave alone, and add up to them", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("failover.yaml", failover);
  const auto whole = nlohmann::json::parse(run_program({"run", file, "-o", "json"}).output);
  const auto cut = nlohmann::json::parse(run_program({"run", file, "-o", "json", "--every", "5s"}).output);
  for (const char* const key :
       {"epochs", "shares", "outcomes", "latency_s", "whole_latency_s", "endpoints", "happenings", "unseed"}) {
    INFO(key);
    CHECK(cut[key] == whole[key]);
  }
  // Unasked, from event to event.
  CHECK(whole["slices"].size() == 3);
  CHECK(cut["slices"].size() == 12);
  for (const char* const key : {"sent", "ok", "upstream_error"}) {
    CHECK(sum(cut["slice_outcomes"], key) == sum(whole["outcomes"], key));
  }
  CHECK(sum(cut["slice_cross_zone"], "requests") == sum(whole["cross_zone"], "requests"));
}

TEST_CASE("events begin rows of a table unasked, and alike ones are one", "[slices]") {
  const TemporaryFolder folder;
  // At 10 s nothing that is printed changes: a link that no request takes.
  const std::string file = folder.write(
      "failover.yaml",
      replaced(failover, "timeline: [",
               "links: [{ between: [a, b], latency: 1ms }]\ntimeline: [{ at: 10s, link: [a, b], latency: 2ms }, "));
  const auto unasked = rows_of(run_program({"run", file}).output);
  // Ejections begin and end between the events, so that rows of 5 s follow the first failure.
  REQUIRE(unasked.size() > 5);
  CHECK(unasked[0].find("0 - 20 s") != std::string::npos);
  CHECK(unasked[1].find("20 - 25 s") != std::string::npos);
  const std::string by_events =
      folder.write("events.yaml", replaced(contents(file),
                                           "clusters: [{ name: s, outlier_detection: { interval: 5s, "
                                           "base_ejection_time: 10s, max_ejection_percent: 100 } }]\n",
                                           ""));
  CHECK(rows_of(run_program({"run", by_events, "--every-event"}).output).size() == 4);
  // Nothing that is printed changes where nobody is ejected.
  CHECK(rows_of(run_program({"run", by_events}).output).size() == 1);
  CHECK(rows_of(run_program({"run", file, "--every-event"}).output).size() == 4);
  CHECK(rows_of(run_program({"run", file, "--every", "20s"}).output).size() == 3);
  CHECK(run_program({"run", file}).output ==
        run_program({"run", file, "--metrics", folder.path("metrics.txt")}).output);
}

TEST_CASE("what became of requests is shown by row, with - where nothing was answered", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "silent.yaml", replaced(failover, "fails: 50% }",
                              "fails: 100% }, { at: 50s, zone: b, fails: 100% }, { at: 50s, zone: a, fails: 100% }"));
  const std::string csv = run_program({"run", file, "--show", "requests", "--every", "10s", "-o", "csv"}).output;
  CHECK(csv.starts_with(
      "row,start_s,end_s,client,service,sent,ok,no_healthy_upstream,upstream_error,timeout,overflow,"
      "queue_full,connect_failure,unfinished,drop_overload,fault,retries,attempts,p50_s,p90_s,p95_s,p99_s,max_s,"
      "utilisation\n"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 7);
  const auto rows = rows_of(run_program({"run", file, "--show", "requests", "--every", "10s"}).output);
  REQUIRE(rows.size() == 6);
  CHECK(rows[5].find(" - ") != rows[5].rfind(" - "));
}

TEST_CASE("metrics of slices have the time at which they end, and counters that never fall", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("failover.yaml", failover);
  REQUIRE(run_program({"run", file, "--every", "20s", "--metrics", folder.path("metrics.txt")}).code == 0);
  std::istringstream in(contents(folder.path("metrics.txt")));
  std::vector<std::pair<double, double>> ok;  // value, time
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("spillway_over_time_requests_total{") && line.find("outcome=\"ok\"") != std::string::npos) {
      std::istringstream numbers(line.substr(line.find("} ") + 2));
      auto& sample = ok.emplace_back();
      numbers >> sample.first >> sample.second;
    }
  }
  REQUIRE(ok.size() == 3);
  CHECK(ok[0].second == 20.0);
  CHECK(ok[1].second == 40.0);
  CHECK(ok[2].second == 60.0);
  CHECK((ok[0].first < ok[1].first && ok[1].first < ok[2].first));
}

TEST_CASE("rows that make no sense are refused", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("failover.yaml", failover);
  const std::vector<std::vector<std::string>> wrong{
      {"--every", "0s"}, {"--every", "1ns"}, {"--every", "5s", "--every-event"}};
  for (const std::vector<std::string>& options : wrong) {
    std::vector<std::string> words{"run", file};
    words.insert(words.end(), options.begin(), options.end());
    CHECK(run_program(words).code == 2);
  }
}

TEST_CASE("an explanation of what was played names what the proxy had ejected", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("failover.yaml", replaced(failover, "fails: 50%", "fails: 100%"));
  const std::string reported = run_program({"explain", file, "--at", "30s"}).output;
  const std::string simulated = run_program({"explain", file, "--at", "30s", "--instance", "1"}).output;
  // Where proxies find out by themselves only a run can tell: without a number it is the first one's.
  CHECK(reported.find("c[0] ejects s-1") != std::string::npos);
  CHECK(reported.find("--instance N asks for another one") != std::string::npos);
  CHECK(run_program({"explain", file, "--at", "30s", "--at-rest"}).output.find("ejects") == std::string::npos);
  // Five failures in a row come within a second: at 30 s all three are out, and priority 1 has everything.
  for (const char* const host : {"c[1] ejects s-1", "c[1] ejects s-2", "c[1] ejects s-3"}) {
    CHECK(simulated.find(host) != std::string::npos);
  }
  CHECK(reported != simulated);
  CHECK(run_program({"explain", file, "--instance", "2"}).code == 2);
}

TEST_CASE("a table says which part of its client's requests it is about, where there are several", "[slices]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "canary.yaml",
      "duration: 60s\nzones: [{ name: a }]\n"
      "services: [{ name: web, endpoints: [{ count: 3, zone: a }] }, { name: canary, endpoints: [{ zone: a }] }]\n"
      "routes: [{ match: { prefix: / }, route: { weighted_clusters: { clusters: [{ name: web, weight: 90 }, { name: "
      "canary, weight: 10 }] } } }]\n"
      "clients: [{ name: gw, zone: a, workload: { rate: 100rps, requests: [{ path: / }] } }]\n");
  const std::string exact = run_program({"run", file, "--mode", "exact", "--width", "200"}).output;
  CHECK(exact.find("exact, 90 % of gw's requests") != std::string::npos);
  CHECK(exact.find("exact, 10 % of gw's requests") != std::string::npos);
  CHECK(run_program({"run", file, "--width", "200"}).output.find("(10 % of gw's, counted ") != std::string::npos);
}
