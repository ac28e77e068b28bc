// What is too much ends in words, with exit code 2, in seconds and within the memory that it may have.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string client = "clients: [{ name: c, zone: z1, workload: { service: s, rate: 10rps } }]\n";
const std::string services = "services: [{ name: s, endpoints: [{ count: 3, zone: z1 }] }]\n";

std::string scenario(const std::string& zones, const std::string& rest, const std::string& mode = "exact") {
  return "name: b\nduration: 10s\nmode: " + mode + "\nzones: [" + zones + "]\n" + rest;
}

// Refused before it starts, by a code, and not for a mistake of the program's.
void refused(const std::string& text, const std::string& code,
             const std::vector<std::string>& commands = {"run", "check", "share", "plan"}) {
  const TemporaryFolder folder;
  const std::string file = folder.write("bomb.yaml", text);
  for (const std::string& command : commands) {
    const Finished finished = run_program({command, file, "--limit-memory", "2GB"}, within_seconds(20));
    INFO(command << ": " << finished.error.substr(0, 500));
    CHECK(finished.code == 2);
    CHECK(finished.error.find(code) != std::string::npos);
    CHECK(finished.error.find("bug in spillway") == std::string::npos);
  }
}

}  // namespace

TEST_CASE("a scenario of more zones than pairs can be kept of is refused") {
  std::string zones = "{ name: z1 }";
  for (int zone = 2; zone <= 5'000; ++zone) {
    zones += ", { name: z" + std::to_string(zone) + " }";
  }
  refused(scenario(zones, services + client), "SP160");
}

TEST_CASE("a scenario of more nodes than the world can hold is refused", "[unsanitized]") {
  std::string zones;
  for (int zone = 1; zone <= 30; ++zone) {
    zones += (zone == 1 ? "" : ", ") + ("{ name: z" + std::to_string(zone)) + ", nodes: [{ name: n" +
             std::to_string(zone) + ", count: 10000 }] }";
  }
  refused(scenario(zones, services + client), "SP160");
}

TEST_CASE("rings are counted together") {
  std::string many = "services: [";
  std::string clusters = "clusters: [";
  std::string clients = "clients: [";
  for (int index = 1; index <= 20; ++index) {
    const std::string name = "s" + std::to_string(index);
    const std::string comma = index == 1 ? "" : ", ";
    many += comma + "{ name: " + name + ", endpoints: [{ count: 3, zone: z1 }] }";
    clusters +=
        comma + "{ name: " + name +
        ", lb_policy: RING_HASH, ring_hash_lb_config: { minimum_ring_size: 8388608, maximum_ring_size: 8388608 } }";
    clients +=
        comma + "{ name: c" + std::to_string(index) + ", zone: z1, workload: { service: " + name + ", rate: 1rps } }";
  }
  refused(scenario("{ name: z1 }", many + "]\n" + clusters + "]\n" + clients + "]\n"), "SP160");
}

TEST_CASE("subsets of lists are counted before they are made") {
  std::string metadata;
  std::string keys;
  for (int key = 0; key < 7; ++key) {
    const std::string comma = key == 0 ? "" : ", ";
    metadata += comma + "k" + std::to_string(key) + ": [a, b, c, d, e, f, g, h, i, j]";
    keys += comma + "k" + std::to_string(key);
  }
  refused(
      scenario("{ name: z1 }", "services: [{ name: s, endpoints: [{ id: e1, zone: z1, metadata: { " + metadata +
                                   " } }] }]\nclusters: [{ name: s, lb_subset_config: { fallback_policy: ANY_ENDPOINT, "
                                   "list_as_any: true, subset_selectors: [{ keys: [" +
                                   keys + "] }] } }]\n" + client),
      "SP160");
}

TEST_CASE("sweeps every nanosecond are refused where requests are simulated") {
  const std::string sweeps = "clusters: [{ name: s, outlier_detection: { interval: 0.000000001s } }]\n";
  refused(scenario("{ name: z1 }", services + sweeps + client, "requests"), "SP160", {"run", "check"});
}

TEST_CASE("texts that aliases repeat are counted") {
  std::string aliases = "*x";
  for (int alias = 1; alias < 5'000; ++alias) {
    aliases += ", *x";
  }
  refused("a: &x \"" + std::string(100'000, 'A') + "\"\nb: [" + aliases + "]\n", "SP009");
}

TEST_CASE("memory over the limit is told as that", "[unsanitized]") {
  const TemporaryFolder folder;
  std::string steps = "timeline: [";
  for (int step = 1; step <= 1'000; ++step) {
    steps += (step == 1 ? "{ at: " : ", { at: ") + std::to_string(step) +
             "ms, healthy: " + std::to_string(step % 4 * 10) + " }";
  }
  const std::string file = folder.write(
      "cells.yaml", scenario("{ name: z1 }", "services: [{ name: s, endpoints: [{ count: 10000, zone: z1 }] }]\n" +
                                                 client + steps + "]\n"));
  for (const char* const command : {"run", "check"}) {
    const Finished finished = run_program({command, file, "--limit-memory", "300MB"});
    INFO(finished.error.substr(0, 500));
    CHECK(finished.code == 2);
    CHECK(finished.error.find("error[SP941]: out of memory") != std::string::npos);
  }
}

TEST_CASE("more requests in flight than platform mode has memory for are refused in words", "[unsanitized]") {
  // 4,000 requests a second for an endpoint that serves one: 12,000 stacks of 160 KiB after three seconds.
  const TemporaryFolder folder;
  const std::string file =
      folder.write("overload.yaml",
                   "duration: 3s\nmode: platform\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, "
                   "capacity: 1rps }] "
                   "}]\nclients: [{ name: c, zone: a, count: 40, workload: { service: s, rate: 100rps } }]\n");
  const Finished refused = run_program({"run", file, "--limit-memory", "1GB"});
  INFO(refused.error.substr(0, 500));
  CHECK(refused.code == 2);
  CHECK(refused.output.empty());
  CHECK(refused.error.find("error[SP941]: out of memory: ") != std::string::npos);
  CHECK(refused.error.find("requests in flight in platform mode") != std::string::npos);
  CHECK(run_program({"run", file}).code == 0);
}

TEST_CASE("the limit of time ends a run in words and says how far it got") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("long.yaml", "name: long\nduration: 100000s\nmode: requests\nzones: [{ name: z1 }]\n" + services +
                                    "clients: [{ name: c, zone: z1, workload: { service: s, rate: 50000rps } }]\n");
  const std::string trace = folder.path("trace.csv");
  const Finished finished = run_program({"run", file, "--limit-time", "3s", "--trace", trace});
  INFO(finished.error);
  CHECK(finished.code == 2);
  CHECK(finished.error.find("error[SP942]") != std::string::npos);
  CHECK(finished.error.find("simulated") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(trace));
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(trace).parent_path())) {
    left += entry.path() == file ? 0 : 1;
  }
  CHECK(left == 0);  // nothing unfinished
}

TEST_CASE("check and replications print what was complete when the time was over") {
  const TemporaryFolder folder;
  folder.write("a.yaml", scenario("{ name: z1 }", services + client));
  folder.write("b.yaml", "name: long\nduration: 100000s\nmode: requests\nzones: [{ name: z1 }]\n" + services +
                             "clients: [{ name: c, zone: z1, workload: { service: s, rate: 50000rps } }]\n");
  const Finished checked =
      run_program({"check", std::filesystem::path(folder.path("a.yaml")).parent_path().string(), "--limit-time", "2s"});
  INFO(checked.output << checked.error);
  CHECK(checked.code == 1);  // undecided: with 2 nothing is on standard output
  CHECK(checked.output.find("nothing expected") != std::string::npos);
  CHECK(checked.output.find("not run: the time of --limit-time is over") != std::string::npos);
  CHECK(checked.error.find("partial: 1 of 2 scenarios were checked") != std::string::npos);

  const std::string some =
      folder.write("some.yaml", "name: some\nduration: 1000s\nmode: requests\nzones: [{ name: z1 }]\n" + services +
                                    "clients: [{ name: c, zone: z1, workload: { service: s, rate: 500rps } }]\n");
  const Finished simulated = run_program({"run", some, "--replications", "10000", "--limit-time", "3s"});
  INFO(simulated.output << simulated.error);
  CHECK(simulated.code == 1);
  CHECK(simulated.error.find("partial: ") != std::string::npos);
  CHECK(simulated.output.find("partial: ") != std::string::npos);
}

TEST_CASE("a plan prints its rows when the time is over before requests were counted") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "plan.yaml",
      "duration: 100s\nzones: [{ name: z1 }, { name: z2 }]\nservices: [{ name: s, endpoints: [{ count: 30, zone: z1, "
      "capacity: 20000rps }, { count: 30, zone: z2, capacity: 20000rps }] }]\nclients: [{ name: c, zone: z1, workload: "
      "{ service: s, rate: 400000rps } }]\nobjectives: [{ utilisation: 80%, p99: 100ms }]\n");
  const Finished planned = run_program({"plan", file, "--limit-time", "2s", "-o", "csv"});
  INFO(planned.output << planned.error);
  CHECK(planned.code == 1);
  CHECK(planned.error.find("partial: 4 rows, the time of --limit-time is over") != std::string::npos);
  // 400,000 over 60 endpoints of 20,000 are a third, and 40 million requests take longer; the p99 is unknown, so that
  // nothing is OK.
  CHECK(planned.output.find("0.3333333333333333") != std::string::npos);
  CHECK(planned.output.find(",holds,0.") == std::string::npos);
  CHECK(planned.output.find(",undecided,") != std::string::npos);
}

TEST_CASE("an interrupt ends a run, and a check with what was complete") {
  const TemporaryFolder folder;
  folder.write("a.yaml", scenario("{ name: z1 }", services + client));
  const std::string file =
      folder.write("b.yaml", "name: long\nduration: 100000s\nmode: requests\nzones: [{ name: z1 }]\n" + services +
                                 "clients: [{ name: c, zone: z1, workload: { service: s, rate: 50000rps } }]\n");
  const std::string below = std::filesystem::path(file).parent_path().string();
  CHECK(run_program({"run", file}, "timeout -s INT 1 {}").code == 124);
  const Finished checked = run_program({"check", below}, "timeout -s INT 2 {}");
  INFO(checked.output << checked.error);
  CHECK(checked.output.find("not run: interrupted") != std::string::npos);
  CHECK(checked.error.find("partial: 1 of 2") != std::string::npos);
}

TEST_CASE("traces are read from below the scenario's folder, others where that is allowed") {
  const TemporaryFolder folder;
  folder.write("arrivals.csv", "time\n1\n2\n");
  const std::string file =
      folder.write("below/s.yaml",
                   scenario("{ name: z1 }", services + "clients: [{ name: c, zone: z1, workload: { service: s, trace: "
                                                       "../arrivals.csv } }]\n"));
  const Finished refused_one = run_program({"validate", file});
  CHECK(refused_one.code == 2);
  CHECK(refused_one.error.find("error[SP153]") != std::string::npos);
  CHECK(run_program({"validate", file, "--allow-files"}).code == 0);
  // A file that is not there is no file of another folder, whatever the path of the scenario.
  const std::string missing = folder.write(
      "m.yaml", scenario("{ name: z1 }", services + "clients: [{ name: c, zone: z1, workload: { service: s, trace: "
                                                    "nope.csv } }]\n"));
  const std::string in_folder = "cd " + std::filesystem::path(missing).parent_path().string() + " && {}";
  const Finished refused_missing = run_program({"validate", "m.yaml"}, in_folder);
  CHECK(refused_missing.code == 2);
  CHECK(refused_missing.error.find("error[SP001]") != std::string::npos);
}

TEST_CASE("limits that make no sense are refused") {
  CHECK(run_program({"run", "x.yaml", "--limit-memory", "2"}).error.find("error[SP904]") != std::string::npos);
  CHECK(run_program({"run", "x.yaml", "--limit-memory", "1MB"}).error.find("error[SP904]") != std::string::npos);
  CHECK(run_program({"run", "x.yaml", "--limit-time", "0s"}).error.find("error[SP904]") != std::string::npos);
  CHECK(run_program({"run", "x.yaml", "--replications", "1000000000"}).error.find("error[SP904]") != std::string::npos);
}
