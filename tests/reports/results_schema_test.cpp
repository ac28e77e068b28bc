// The published schema of results, and the JSON that it describes.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "reports/formats.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/records/event_log.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;
using Json = nlohmann::json;

namespace {

class ResultsSchema {
 public:
  ResultsSchema() {
    const Json text = Json::parse(results_schema());
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }
  bool accepts(const Json& document) {
    return valijson::Validator(valijson::Validator::kStrongTypes)
        .validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  }

 private:
  valijson::Schema schema_;
};

Json json_of(const run::Results& results, bool each_event = false) {
  const scenario::Scenario scenario = reports::testing::small_scenario();
  Report report{scenario, results, {}, {}, {}};
  report.each_event = each_event;
  return Json::parse(format(report, Format::json, Dimensions::everything(), {}));
}

run::Results results_with_everything() {
  run::Results results = reports::testing::small_results();
  results.endpoints = results.samples = {
      {.end = std::chrono::seconds(30), .utilisation = 0.5, .queue_mean = 0.25, .queue_max = 3, .requests = 3000}};
  results.ejections = {{.at = std::chrono::seconds(1)}};
  results.checked = {{.at = std::chrono::seconds(2)}};
  run::EventRecord record;
  record.kind = run::EventKind::panic_began;
  results.logged_events.each = {record};
  results.logged_events.groups = {{.first = record, .times = 2, .proxies = 3}};
  results.cross_zone.add({.rows = std::make_shared<const run::CrossZoneRows>(
                              run::CrossZoneRows{{.to = config::ZoneIndex{1}, .exact = 0.5, .requests = 1.0}})});
  return results;
}

std::string committed(const std::string& file) {
  std::ifstream in(SPILLWAY_SOURCE_DIR "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("The committed schema of results is the printed one", "[schema]") {
  // After a change of a record: spillway schema --results > scenarios/schema/results.json
  CHECK(committed("scenarios/schema/results.json") == results_schema());
}

TEST_CASE("The schema of results accepts those of a control plane", "[schema]") {
  ResultsSchema schema;
  Json printed = Json::parse(committed("tests/reports/golden/control-plane.json"));
  CHECK(schema.accepts(printed));
  printed.erase("control_plane");
  CHECK_FALSE(schema.accepts(printed));
}

TEST_CASE("Results of every kind conform to their schema", "[schema]") {
  ResultsSchema schema;
  run::Results results = results_with_everything();
  CHECK(schema.accepts(json_of(results)));
  CHECK(schema.accepts(json_of(results, true)));
  CHECK(schema.accepts(json_of(reports::testing::small_exact_results())));
  results.at_rest = true;
  CHECK(json_of(results)["shares"][0].contains("at_rest"));
  CHECK(schema.accepts(json_of(results)));
}

TEST_CASE("The schema of results accepts null for what has no closed form", "[schema]") {
  ResultsSchema schema;
  run::Results results = results_with_everything();
  results.mode = scenario::Mode::exact;
  results.endpoints.front().expected.reset();
  results.cross_zone.blocks().front().requests = std::nan("");
  const Json printed = json_of(results);
  CHECK(printed["endpoints"][0]["requests"].is_null());
  CHECK(printed["cross_zone"][0]["requests"].is_null());
  CHECK(schema.accepts(printed));
}

TEST_CASE("The schema of results rejects a field that is missing or has another type", "[schema]") {
  ResultsSchema schema;
  const Json printed = json_of(results_with_everything());
  for (const char* const rows : {"epochs", "shares", "outcomes", "latency_s", "whole_latency_s", "endpoints", "samples",
                                 "host_events", "cross_zone", "happenings"}) {
    REQUIRE_FALSE(printed[rows].empty());
    for (const auto& [key, value] : printed[rows][0].items()) {
      INFO(rows << " " << key);
      Json wrong = printed;
      wrong[rows][0][key] = Json::array();
      CHECK_FALSE(schema.accepts(wrong));
      wrong[rows][0].erase(key);
      CHECK_FALSE(schema.accepts(wrong));
    }
  }
}
