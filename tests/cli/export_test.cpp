// A bootstrap that is exported says what the scenario says: read back, it gives the same shares.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/small_scenario_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

json file_json(const fs::path& path) {
  return json::parse(contents(path.string()));
}

// Those with clients: a control plane answers nobody.
std::vector<std::string> scenario_files(const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/" + folder)) {
    if (entry.path().extension() == ".yaml" &&
        contents(entry.path().string()).find("\ncontrol_plane:") == std::string::npos) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// By cluster, priority and endpoint.
using Shares = std::map<std::string, double>;

void add_share(Shares& shares, const json& row, const std::string& endpoint) {
  shares[row.at("cluster").get<std::string>() + " P" + row.at("priority").dump() + " " + endpoint] +=
      row.at("exact").get<double>();
}

Shares shares_of_export(const fs::path& folder, const std::string& service) {
  std::vector<std::string> arguments{"share", (folder / "bootstrap.json").string(), "--cluster", service, "-o", "json"};
  if (fs::exists(folder / "eds")) {
    for (const auto& entry : fs::directory_iterator(folder / "eds")) {
      arguments.push_back(entry.path().string());
    }
  }
  const Finished finished = run_program(arguments);
  INFO(finished.error);
  REQUIRE(finished.code == 0);
  const json endpoints = file_json(folder / "endpoints.json");
  const json result = json::parse(finished.output);
  Shares shares;
  for (const json& row : result.at("shares")) {
    add_share(shares, row, endpoints.at(row.at("endpoint").get<std::string>()).at("endpoint"));
  }
  return shares;
}

void check_alike(const Shares& left, const Shares& right) {
  REQUIRE(left.size() == right.size());
  for (const auto& [place, share] : left) {
    INFO(place);
    REQUIRE(right.contains(place));
    CHECK(right.at(place) == Approx(share).margin(1e-12));
  }
}

// Every row of the scenario's shares, against an export of that client and moment; how many there were.
int check_every_row(const std::string& scenario) {
  const Finished finished = run_program({"share", scenario, "-o", "json"});
  INFO(scenario << "\n" << finished.error);
  REQUIRE(finished.code == 0);
  const json result = json::parse(finished.output);
  int rows = 0;
  for (const json& epoch : result.at("epochs")) {
    const std::string client = epoch.at("client");
    const TemporaryFolder folder;
    const Finished exported = run_program({"export", "envoy", scenario, "--client", client, "--at",
                                           epoch.at("start_s").dump() + "s", "-o", folder.path("out")});
    INFO(exported.error);
    REQUIRE(exported.code == 0);
    const json requests = file_json(folder.path("out/requests.json"));
    if (!requests.at("requests").at(0).at("headers").empty()) {
      continue;  // what routes make of requests, a share of one cluster does not show
    }
    Shares expected;
    bool all_exact = true;
    for (const json& row : result.at("shares")) {
      if (row.at("epoch") == epoch.at("index") && row.at("client") == client &&
          row.at("service") == epoch.at("service")) {
        all_exact = all_exact && row.at("exact").is_number();
        if (all_exact) {
          add_share(expected, row, row.at("endpoint"));
        }
      }
    }
    if (!all_exact) {
      continue;  // queues and failures, on which these shares depend, are no part of a bootstrap
    }
    check_alike(expected, shares_of_export(folder.path("out"), epoch.at("service")));
    ++rows;
  }
  return rows;
}

}  // namespace

TEST_CASE("an exported bootstrap has the shares of the scenario at every moment of every documented table",
          "[unsanitized]") {
  int rows = 0;
  for (const std::string& file : scenario_files("documented")) {
    if (contents(file).find("envoy: seed") == std::string::npos) {
      rows += check_every_row(file);
    }
  }
  for (const std::string& file : scenario_files("examples")) {
    rows += check_every_row(file);
  }
  CHECK(rows > 60);
}

TEST_CASE("the profile of an old Envoy cannot be exported") {
  const TemporaryFolder folder;
  const Finished finished = run_program(
      {"export", "envoy", std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/documented/priority-three-levels-seed.yaml",
       "-o", folder.path("out")});
  CHECK(finished.code == 2);
  CHECK(finished.error.find("error[SP401]: a part that a real Envoy cannot have") != std::string::npos);
  CHECK(finished.error.find("priority-three-levels-seed.yaml:5:") != std::string::npos);  // the line of `profile`
  CHECK_FALSE(fs::exists(folder.path("out")));
}

TEST_CASE("export says what is missing on its command line") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("small.yaml", small_scenario);
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "export");
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    return finished.error;
  };
  CHECK(error({}).starts_with("error[SP903]: `spillway export` needs a KIND"));
  CHECK(error({"nginx"}).starts_with("error[SP904]: `nginx` is not a valid value for KIND"));
  CHECK(error({"envoy"}).starts_with("error[SP903]: `spillway export` needs a SCENARIO"));
  CHECK(error({"envoy", scenario}).starts_with("error[SP903]: `spillway export` needs a folder"));
  const std::string out = folder.path("out");
  CHECK(error({"envoy", scenario, "more", "-o", out}).starts_with("error[SP905]"));
  CHECK(error({"envoy", scenario, "-o", out, "--client", "fronted"}).find("did you mean `frontend`?") !=
        std::string::npos);
  CHECK(error({"envoy", scenario, "-o", out, "--at", "20s"}).starts_with("error[SP904]: --at is not within"));
  CHECK(error({"envoy", scenario, "-o", out, "--at", "soon"}).starts_with("error[SP904]: `soon`"));
  CHECK(error({"envoy", scenario, "-o", out, "--port", "65533"}).starts_with("error[SP904]: `65533`"));
  CHECK(error({"envoy", scenario, "-o", "/dev/null/out"}).starts_with("error[SP908]: cannot write"));
}

TEST_CASE("hosts that the timeline changes come from a file that can be replaced") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("small.yaml", small_scenario);
  REQUIRE(run_program({"export", "envoy", scenario, "--at", "10s", "--port", "20000", "-o", folder.path("out")}).code ==
          0);
  const json bootstrap = file_json(folder.path("out/bootstrap.json"));
  const json& cluster = bootstrap.at("static_resources").at("clusters").at(0);
  CHECK(cluster.at("type") == "EDS");
  CHECK(cluster.at("eds_cluster_config").at("eds_config").at("path_config_source").at("path") == "eds/backend.json");
  const json assignment = file_json(folder.path("out/eds/backend.json")).at("resources").at(0);
  int unhealthy = 0;
  std::set<std::string> addresses;
  for (const json& group : assignment.at("endpoints")) {
    for (const json& endpoint : group.at("lb_endpoints")) {
      unhealthy += endpoint.at("health_status") == "UNHEALTHY" ? 1 : 0;
      const json& address = endpoint.at("endpoint").at("address").at("socket_address");
      CHECK(address.at("port_value") == 20002);
      addresses.insert(address.at("address"));
    }
  }
  CHECK(unhealthy == 5);
  CHECK(addresses.size() == 20);
  CHECK(file_json(folder.path("out/endpoints.json")).at("127.1.0.1:20002").at("endpoint") == "backend-1");
}
