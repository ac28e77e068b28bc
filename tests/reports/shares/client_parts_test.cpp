// Which part of a client's requests each of the services gets that its routes split them between.
#include "reports/shares/client_parts.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/formats.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

std::string printed_split(reports::Format format, const reports::Dimensions& by, const std::string& clusters) {
  const std::string text =
      "duration: 5s\nzones: [{ name: z }]\nservices: [{ name: web, endpoints: [{ count: 1, zone: z }] }, { name: "
      "shadow, "
      "endpoints: [{ count: 1, zone: z }] }]\nroutes: [{ match: { prefix: / }, route: { " +
      clusters + " } }]\nclients: [{ name: c, zone: z, workload: { rate: 10rps } }]\n";
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const run::Results results = run::run(*reading.scenario, {scenario::Mode::exact, std::nullopt});
  const reports::Report report{*reading.scenario, results, {}, {}, {}, reports::Show::shares};
  return reports::format(report, format, by, {});
}

const std::string nine_to_one =
    "weighted_clusters: { clusters: [{ name: web, weight: 90 }, { name: shadow, weight: 10 }] }";

}  // namespace

TEST_CASE("the JSON says which part of a client's requests each of several services gets") {
  const auto json =
      nlohmann::json::parse(printed_split(reports::Format::json, reports::Dimensions::everything(), nine_to_one));
  REQUIRE(json["epochs"].size() == 2);
  CHECK(json["epochs"][0]["service"] == "web");
  CHECK(json["epochs"][0]["part_of_client"] == Approx(0.9));
  CHECK(json["epochs"][1]["service"] == "shadow");
  CHECK(json["epochs"][1]["part_of_client"] == Approx(0.1));
}

TEST_CASE("wide says below its rows which part of a client's requests each of several services gets") {
  const std::string wide = printed_split(reports::Format::wide, reports::Dimensions::everything(), nine_to_one);
  CHECK(wide.find("c -> web: 90 % of c's requests\nc -> shadow: 10 % of c's requests\n") != std::string::npos);
}

TEST_CASE("nothing is said of parts where a client asks for one service, or clients are one") {
  const std::string one = printed_split(reports::Format::json, reports::Dimensions::everything(), "cluster: web");
  CHECK(one.find("part_of_client") == std::string::npos);
  const std::string together =
      printed_split(reports::Format::wide, reports::Dimensions{reports::Dimension::endpoint}, nine_to_one);
  CHECK(together.find("of c's requests") == std::string::npos);
}
