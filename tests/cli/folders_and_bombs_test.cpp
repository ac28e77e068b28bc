// Inputs that never end, or are larger than they look.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string one_cluster_dump =
    R"({"static_resources": {"clusters": [{"name": "one", "type": "STATIC", "load_assignment": {"cluster_name": "one",)"
    R"( "endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.1",)"
    R"( "port_value": 80}}}}]}]}}]}})";

}  // namespace

TEST_CASE("a pipe in a folder is not read by any command that takes one") {
  const TemporaryFolder folder;
  folder.write("mesh/proxy.json", one_cluster_dump);
  REQUIRE(mkfifo(folder.path("mesh/pipe.json").c_str(), 0600) == 0);
  const std::string mesh = folder.path("mesh");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"import", "--mesh", mesh},
                                                  {"import", mesh},
                                                  {"share", mesh, "--cluster", "one"},
                                                  {"explain", mesh, "--cluster", "one"},
                                                  {"validate", mesh},
                                                  {"subsets", mesh, "--cluster", "one"},
                                                  {"check", mesh}}) {
    INFO(command.front() << ' ' << command[1]);
    const Finished finished = run_program(command, within_seconds(20));
    CHECK(finished.code <= 2);
  }
}

TEST_CASE("a scenario that names a pipe is refused where it does") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo(folder.path("pipe.yaml").c_str(), 0600) == 0);
  const std::string file =
      folder.write("a.yaml",
                   "name: a\nduration: 1s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ zone: z }] }]\n"
                   "clients: [{ name: c, zone: z, workload: { service: s, rate: 1rps } }]\npolicies: [pipe.yaml]\n");
  const Finished finished = run_program({"validate", file}, within_seconds(20));
  INFO(finished.error);
  CHECK(finished.code == 2);
  CHECK(finished.error.find("a.yaml:6:") != std::string::npos);
  CHECK(finished.error.find("must be a regular file") != std::string::npos);
}

TEST_CASE("the whole file system is no folder of documents") {
  const std::string root = "/";
  for (const std::vector<std::string>& command : {std::vector<std::string>{"share", root},
                                                  {"explain", root},
                                                  {"validate", root},
                                                  {"subsets", root},
                                                  {"import", root},
                                                  {"import", "--mesh", root},
                                                  {"check", root}}) {
    INFO(command.front());
    const Finished finished = run_program(command, within_seconds(20));
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CHECK(finished.error.find("error[SP") != std::string::npos);
  }
}

TEST_CASE("a folder of more than ten thousand files is refused before one is read") {
  const TemporaryFolder folder;
  for (int file = 0; file <= 10'000; ++file) {
    folder.write("many/" + std::to_string(file) + ".json", "{}");
  }
  for (const char* command : {"validate", "check"}) {
    const Finished finished = run_program({command, folder.path("many")}, within_seconds(20));
    INFO(finished.error.substr(0, 300));
    CHECK(finished.code == 2);
    CHECK(finished.error.find("more than 10,000 files") != std::string::npos);
  }
}

TEST_CASE("an archive is refused by the size that its headers promise, not after it is unpacked") {
  const TemporaryFolder folder;
  const std::string archive = folder.path("bomb.tar.gz");
  const std::string make = "truncate -s 400M " + folder.path("a.json") + " && tar -C " + folder.path("") + " -czf " +
                           archive + " a.json && rm " + folder.path("a.json");
  REQUIRE(std::system(make.c_str()) == 0);
  for (const char* command : {"validate", "share", "import"}) {
    const Finished finished = run_program({command, archive, "--limit-memory", "300MB"}, within_seconds(20));
    INFO(command << ": " << finished.error.substr(0, 300));
    CHECK(finished.code == 2);
    CHECK(finished.error.find("it has a file of 400 MiB") != std::string::npos);
  }
}

TEST_CASE("an archive of more than ten thousand files is refused as a folder of them is") {
  const TemporaryFolder folder;
  const std::string archive = folder.path("many.tar.gz");
  const std::string make =
      "cd " + folder.path("") +
      " && mkdir many && cd many && for f in $(seq 20000); do echo \"{}\" > $f.json; done && cd .. && "
      "tar -czf " +
      archive + " many && rm -r many";
  REQUIRE(std::system(make.c_str()) == 0);
  for (const char* command : {"validate", "share", "import"}) {
    const Finished finished = run_program({command, archive, "--limit-memory", "300MB"}, within_seconds(20));
    INFO(command << ": " << finished.error.substr(0, 300));
    CHECK(finished.code == 2);
    CHECK(finished.error.find("it has more than 10,000 files to read") != std::string::npos);
  }
}

TEST_CASE("a file of 900,000 equal keys is refused in no time") {
  const TemporaryFolder folder;
  std::string text = "{\"k\":1";
  for (int key = 1; key < 900'000; ++key) {
    text += ",\"k\":1";
  }
  const std::string file = folder.write("keys.json", text + "}");
  const Finished finished = run_program({"validate", file, "--limit-memory", "400MB"}, within_seconds(5));
  CHECK(finished.code == 2);
  CHECK(finished.error.find("error[SP010]: duplicate key `k`") != std::string::npos);
  CHECK(finished.error.find("SP941") == std::string::npos);
}
