// `spillway run` of services that have nothing to do with each other: in processes side by side.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

std::string several_services(const std::string& duration) {
  std::string text = "duration: " + duration + "\nzones: [{ name: z }]\nservices:\n";
  std::string clusters = "clusters:\n";
  std::string clients = "clients:\n";
  for (const std::string name : {"s", "t", "u", "v"}) {
    text += "  - { name: " + name + ", endpoints: [{ count: 10, zone: z, cores: 2, service_time: 2ms }] }\n";
    clusters += "  - { name: " + name + ", lb_policy: LEAST_REQUEST }\n";
    clients += "  - { name: of-" + name + ", zone: z, count: 10, workload: { service: " + name + ", rate: 500rps } }\n";
  }
  return text + clusters + clients + "timeline: [{ at: 5s, service: t, fails: 1% }]\n";
}

}  // namespace

TEST_CASE("run prints the same bytes whatever the number of processes that simulate its parts") {
  const TemporaryFolder folder;
  const std::string file = folder.write("services.yaml", several_services("18s"));
  const Finished one = run_program({"run", file, "-o", "json", "--jobs", "1"});
  REQUIRE(one.code == 0);
  for (const std::string jobs : {"2", "3", "16"}) {
    CHECK(run_program({"run", file, "-o", "json", "--jobs", jobs}).output == one.output);
  }
  CHECK(run_program({"run", file, "-o", "json"}).output == one.output);
  CHECK(run_program({"run", file, "-o", "json", "--trace", folder.path("trace.csv")}).output == one.output);
}

TEST_CASE("a limit of time says how far the parts of a run got") {
  const TemporaryFolder folder;
  const std::string file = folder.write("services.yaml", several_services("100000s"));
  const Finished ended = run_program({"run", file, "--jobs", "2", "--limit-time", "1s"});
  CHECK(ended.code == 2);
  CHECK(ended.error.find("SP942") != std::string::npos);
  CHECK(ended.error.find("reached: simulated ") != std::string::npos);
  CHECK(ended.error.find("of 100000 s") != std::string::npos);
}
