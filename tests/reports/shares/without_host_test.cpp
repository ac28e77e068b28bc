// Requests without a host in the formats for programs: shares and what is missing add up to one.
#include "reports/shares/without_host.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "reports/formats.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

std::string written(const std::string& text, scenario::Mode mode, reports::Format format,
                    const reports::Dimensions& by) {
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  INFO((reading.diagnostics.empty() ? "" : reading.diagnostics.front().label));
  REQUIRE(reading.scenario);
  const run::Results results = run::run(*reading.scenario, {mode, std::nullopt});
  return reports::format({*reading.scenario, results, {}, {}, {}}, format, by, {});
}

// A service whose load assignment drops this part of all requests.
std::string dropping(int percent) {
  return "duration: 5s\nzones: [{ name: z }]\nservices: [{ name: web, endpoints: [{ count: 2, zone: z }] }]\n"
         "load_assignments: [{ cluster_name: web, policy: { drop_overloads: [{ category: x, drop_percentage: { "
         "numerator: " +
         std::to_string(percent) +
         " } }] } }]\nclients: [{ name: c, zone: z, workload: { service: web, rate: 100rps } }]\n";
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) {
      rows.back().push_back(cell);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("CSV has a row for the requests that reach no host, and JSON their part of the epoch") {
  const auto all = reports::Dimensions::everything();
  const auto rows = rows_of(written(dropping(25), scenario::Mode::exact, reports::Format::csv, all));
  REQUIRE(rows.size() == 4);
  CHECK(rows[3][7] == "none");
  CHECK(rows[3][6].empty());
  CHECK(std::stod(rows[1][15]) + std::stod(rows[2][15]) + std::stod(rows[3][15]) == Approx(1.0));
  CHECK(std::stod(rows[3][15]) == Approx(0.25));
  const auto json = nlohmann::json::parse(written(dropping(25), scenario::Mode::exact, reports::Format::json, all));
  CHECK(json["epochs"][0]["no_host"] == Approx(0.25));
  CHECK(json["shares"].size() == 2);
}

TEST_CASE("counted requests without a host are those that no row has") {
  const reports::Dimensions by = {reports::Dimension::zone};
  const auto rows = rows_of(written(dropping(25), scenario::Mode::requests, reports::Format::csv, by));
  REQUIRE(rows.size() == 3);
  const double requests = std::stod(rows[1][19]) + std::stod(rows[2][19]);
  CHECK(std::stod(rows[2][17]) == Approx(std::stod(rows[2][19]) / requests));
  CHECK(std::stod(rows[2][17]) == Approx(0.25).margin(0.1));
}

TEST_CASE("where every request reaches a host no row says otherwise") {
  const auto all = reports::Dimensions::everything();
  CHECK(rows_of(written(dropping(0), scenario::Mode::exact, reports::Format::csv, all)).size() == 3);
  const auto json = nlohmann::json::parse(written(dropping(0), scenario::Mode::exact, reports::Format::json, all));
  CHECK_FALSE(json["epochs"][0].contains("no_host"));
}
