// What messages show of files that a scenario names: a scenario may be a stranger's, and the file somebody's secret.
#include "sim/scenario/files_beside.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

const std::string secret = "password hunter2\n";

std::string naming_scenario(const std::string& resources, const std::string& workload = "") {
  return "duration: 1s\nzones: [{ name: z1 }]\nservices: [{ name: s, endpoints: [{ zone: z1 }] }]\nresources: [" +
         resources + "]\nclients: [{ name: c, zone: z1, workload: { service: s" + workload + " } }]\n";
}

// All that is said of a scenario, in words and as JSON.
std::string said_of_file(const std::string& file) {
  const Reading reading = read_scenario_file(file);
  CHECK_FALSE(reading.scenario);
  return documents::render_diagnostics(reading.diagnostics, reading.sources, {}) +
         documents::diagnostics_json(reading.diagnostics, reading.sources);
}

bool says_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Of a file outside the scenario's folder messages say codes and places alone", "[files]") {
  const spillway::support::TemporaryFolder folder;
  folder.write("secret.yaml", secret);
  for (const std::string& name :
       {std::string("../secret.yaml"), folder.path("secret.yaml"), std::string("link.yaml")}) {
    INFO(name);
    const std::string file = folder.write("scenarios/s.yaml", naming_scenario(name));
    if (name == "link.yaml") {
      std::filesystem::create_symlink(folder.path("secret.yaml"), folder.path("scenarios/link.yaml"));
    }
    const std::string said = said_of_file(file);
    CHECK(says_part(said, "secret.yaml:") != says_part(said, "link.yaml:"));
    CHECK(says_part(said, "outside of the scenario's folder"));
    CHECK_FALSE(says_part(said, "hunter2"));
    CHECK_FALSE(says_part(said, "password"));
  }
}

TEST_CASE("Of a file below the scenario's folder messages quote the line", "[files]") {
  const spillway::support::TemporaryFolder folder;
  folder.write("scenarios/documents/mesh.yaml", secret);
  CHECK(says_part(said_of_file(folder.write("scenarios/s.yaml", naming_scenario("documents/mesh.yaml"))), "password"));
}

TEST_CASE("Lines of what is no trace are never quoted", "[files]") {
  const spillway::support::TemporaryFolder folder;
  folder.write("arrivals.csv", "time\nroot:x:0:0\n");
  const std::string said = said_of_file(folder.write("s.yaml", naming_scenario("", ", trace: arrivals.csv")));
  CHECK(says_part(said, "SP144"));
  CHECK(says_part(said, "expected a time in seconds"));
  CHECK_FALSE(says_part(said, "root:x"));
}
