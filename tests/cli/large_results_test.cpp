// Runs of many clients, endpoints and epochs: how much memory they take, and what is refused before it is played.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <sys/resource.h>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

// Endpoints over two zones; each client sends at a rate of its own, and each second another number of endpoints is
// healthy.
std::string large_scenario(int clients, int endpoints, int epochs) {
  std::string text = "name: large\nduration: " + std::to_string(epochs) + "s\nzones: [{ name: a }, { name: b }]\n" +
                     "services:\n  - name: backend\n    endpoints:\n";
  for (const char* zone : {"a", "b"}) {
    text += "      - { count: " + std::to_string(endpoints / 2) + ", zone: " + zone + ", service_time: 5ms }\n";
  }
  text += "clients:\n";
  for (int client = 0; client < clients; ++client) {
    text += "  - { name: c" + std::to_string(client) + ", zone: " + (client % 2 == 0 ? "a" : "b") +
            ", workload: { service: backend, rate: " + std::to_string(client + 1) + "rps } }\n";
  }
  text += "timeline:\n";
  for (int epoch = 1; epoch < epochs; ++epoch) {
    text += "  - { at: " + std::to_string(epoch) +
            "s, service: backend, healthy: " + std::to_string(endpoints - epoch % 10) + " }\n";
  }
  return text;
}

// Megabytes, of the largest program that this test has started.
long most_memory() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss / 1024;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("memory grows with clients x epochs, not with clients x epochs x endpoints", "[unsanitized]") {
  // 1,000 x 50 x 400 = 20 million shares, 25 GB if each stood for itself.
  const TemporaryFolder folder;
  const std::string file = folder.write("large.yaml", large_scenario(1000, 400, 50));
  for (const char* format : {"csv", "json", "table"}) {
    CAPTURE(format);
    const Finished by_zone = run_program({"run", file, "--mode", "exact", "--by", "zone", "-o", format});
    CHECK(by_zone.code == 0);
    CHECK(by_zone.output.size() > 1000);
  }
  const Finished by_client = run_program({"run", file, "--mode", "exact", "--by", "client,zone", "-o", "csv"});
  CHECK(by_client.code == 0);
  CHECK(lines_of(by_client.output) == 1 + 1000 * 50 * 2);
  // In the first second all are healthy: half of the requests to each zone.
  CHECK(by_client.output.find("\n0,0,1,c0,backend,,,,,a,,,,,,0.5,,,,,\n") != std::string::npos);
  CHECK(most_memory() < 400);
}

TEST_CASE("records of requests are given back at the end of each epoch", "[unsanitized]") {
  // 300 x 1,000 pairs in 40 epochs: 288 MB if each epoch kept 24 bytes a pair.
  const TemporaryFolder folder;
  const std::string file = folder.write("long.yaml", large_scenario(300, 1000, 40));
  const Finished simulated = run_program({"run", file, "--mode", "requests", "--by", "zone", "-o", "csv"});
  CHECK(simulated.code == 0);
  CHECK(lines_of(simulated.output) == 1 + 40 * 2);
  CHECK(most_memory() < 400);
}

TEST_CASE("every table that would be too long is refused before anything is played") {
  const TemporaryFolder folder;
  const std::string file = folder.write("large.yaml", large_scenario(600, 1000, 100));
  const Finished report = run_program(
      {"run", folder.write("many.yaml", large_scenario(1100, 10, 100)), "--report", folder.path("report.html")});
  CHECK(report.code == 2);
  CHECK(report.error.find("error[SP928]") != std::string::npos);
  CHECK(report.error.find("220,000 shares") != std::string::npos);
  const Finished samples = run_program({"run", file, "--show", "samples", "--sample", "1ms", "-o", "csv"});
  CHECK(samples.code == 2);
  CHECK(samples.error.find("100,000,000 rows of samples") != std::string::npos);
  const Finished picture = run_program({"plot", file, "--kind", "share", "-o", "-"});
  CHECK(picture.code == 2);
  CHECK(picture.error.find("600 panels") != std::string::npos);
  const Finished topology = run_program({"plot", file, "--kind", "topology", "-o", "-"});
  CHECK(topology.code == 2);
  CHECK(topology.error.find("--client NAME") != std::string::npos);
}

TEST_CASE("more than 50 million shares are refused before anything is played, with what to ask for instead",
          "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("large.yaml", large_scenario(600, 1000, 100));
  for (const char* command : {"run", "share"}) {
    CAPTURE(command);
    const Finished refused = run_program({command, file, "-o", "json"});
    CHECK(refused.code == 2);
    CHECK(refused.output.empty());
    CHECK(refused.error.find("error[SP925]: `-o json` would print up to 60,000,000 shares") != std::string::npos);
    CHECK(refused.error.find("--by client,cluster,priority,availability,zone,") != std::string::npos);
    CHECK(run_program({command, file, "-o", "csv", "--by", "client,endpoint"}).code == 2);
  }
  CHECK(run_program({"run", file, "--metrics", folder.path("metrics")}).code == 2);
  const Finished by_zone = run_program({"share", file, "-o", "csv", "--by", "zone"});
  CHECK(by_zone.code == 0);
  CHECK(lines_of(by_zone.output) == 1 + 100 * 2);
}
