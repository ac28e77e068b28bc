#include "reports/formats.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/shares/group_by.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/json_text.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

std::string json_by(const Dimensions& by) {
  const scenario::Scenario scenario = testing::small_scenario();
  const run::Results results = testing::small_results();
  return format({scenario, results, {}, {}, {}}, Format::json, by, Look{});
}

// Every line of a table as wide as it is.
int widest_line(const std::string& text) {
  int widest = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    widest = std::max(widest, display_width(text.substr(begin, text.find('\n', begin) - begin)));
  }
  return widest;
}

}  // namespace

TEST_CASE("JSON has the keys of the published form, in its order") {
  const auto document = nlohmann::ordered_json::parse(json_by(Dimensions::everything()));
  std::string keys;
  for (const auto& [key, value] : document.items()) {
    keys += key + " ";
  }
  CHECK(keys ==
        "schema_version scenario profile seed mode replications unseed epochs shares outcomes latency_s "
        "whole_latency_s endpoints "
        "cross_zone happenings tables ");
  keys.clear();
  for (const auto& [key, value] : document["shares"][0].items()) {
    keys += key + " ";
  }
  CHECK(keys ==
        "epoch client service cluster priority availability region zone sub_zone node subset via endpoint exact "
        "exact_basis simulated ci95 requests attempts ");
}

TEST_CASE("grouping shapes the JSON: dropped names are empty, a dropped priority is null") {
  const auto document = nlohmann::ordered_json::parse(json_by({Dimension::zone}));
  const auto& share = document["shares"][0];
  CHECK(share["zone"] == "zone-1");
  CHECK(share["priority"].is_null());
  CHECK(share["availability"] == "");
  CHECK(share["client"] == "");
  CHECK(document["epochs"][0]["client"] == "");
  CHECK(document["outcomes"][0]["client"] == "");
}

TEST_CASE("every row of the JSON stands on a line of its own") {
  CHECK(json_lines(R"({"a":[],"b":[{"c":[1,2]},{}],"d":{"e":"x,{[\"y"},"f":{}})") ==
        "{\n  \"a\": [],\n  \"b\": [\n    {\"c\": [1, 2]},\n    {}\n  ],\n  \"d\": {\"e\": \"x,{[\\\"y\"},\n  \"f\": "
        "{}\n}\n");
}

TEST_CASE("CSV fields are quoted as RFC 4180 says") {
  CHECK(csv_line({"plain", "with,comma", "with \"quotes\"", "two\nlines", ""}) ==
        "plain,\"with,comma\",\"with \"\"quotes\"\"\",\"two\nlines\",\n");
}

TEST_CASE("names cannot break out of a Markdown table") {
  CHECK(markdown_escaped("a|b*c_<d>\n") == "a\\|b\\*c\\_\\<d\\>\\\\x0a");
}

TEST_CASE("a table that does not fit is stacked, not wrapped") {
  const scenario::Scenario scenario = testing::small_scenario();
  const run::Results results = testing::small_results();
  const Report report{scenario, results, {}, {}, {}};
  const Dimensions by = default_dimensions(Format::table, scenario);
  for (int width = 45; width <= 120; ++width) {
    const std::string text = reports::format(report, Format::table, by, {width, false});
    CHECK(widest_line(text.substr(0, text.find("requests: "))) <= width);
  }
}

TEST_CASE("names that could drive a terminal are spelled out in every text format") {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.name = "evil\x1b[2J";
  scenario.clients.front().name = "evil\x1b[2J";
  const run::Results results = testing::small_results();
  const Report report{scenario, results, {}, {}, {}};
  for (const Format format : {Format::table, Format::wide, Format::markdown, Format::json}) {
    const std::string text = reports::format(report, format, default_dimensions(format, scenario), {});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("evil") != std::string::npos);
  }
}
