// Rules are those of the OpenMetrics specification 1.0: families stand together, counters end in _total, the text in
// "# EOF".
#include "reports/requests/openmetrics.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

std::string openmetrics_of(const scenario::Scenario& scenario, const run::Results& results) {
  std::string text;
  write_openmetrics(scenario, results, nullptr, [&](std::string_view piece) { text += piece; });
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("every line of OpenMetrics is of its grammar, each family once, with its type first") {
  const std::string text = openmetrics_of(testing::small_scenario(), testing::small_results());
  CHECK(text.ends_with("\n# EOF\n"));
  const std::regex sample(
      R"re(([a-z_]+)(\{[a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*\})? [-+.e0-9]+)re");
  std::set<std::string> families;
  std::set<std::string> samples;
  std::string family;
  std::string type;
  std::vector<std::string> lines = lines_of(text);
  lines.pop_back();
  for (const std::string& line : lines) {
    CAPTURE(line);
    if (line.starts_with("# TYPE ")) {
      std::istringstream words(line.substr(7));
      words >> family >> type;
      CHECK(families.insert(family).second);
    } else if (line.starts_with("# UNIT ")) {
      CHECK(line.starts_with("# UNIT " + family + " "));
      CHECK(family.ends_with("_" + line.substr(line.rfind(' ') + 1)));
    } else if (line.starts_with("# HELP ")) {
      CHECK(line.starts_with("# HELP " + family + " "));
    } else {
      std::smatch match;
      REQUIRE(std::regex_match(line, match, sample));
      const bool is_count = type == "summary" && match[1].str().ends_with("_count");
      CHECK(match[1] == family + (type == "counter" ? "_total" : type == "info" ? "_info" : is_count ? "_count" : ""));
      CHECK(samples.insert(line.substr(0, line.rfind(' '))).second);
    }
  }
  CHECK(families.contains("spillway_share_exact_ratio"));
  CHECK(families.contains("spillway_requests"));
}

TEST_CASE("OpenMetrics has the figures of the results") {
  const std::string text = openmetrics_of(testing::small_scenario(), testing::small_results());
  const std::string whose = "scenario=\"two of three zones\",client=\"frontend\",service=\"backend\",epoch=\"1\"";
  CHECK(has_line(text, "spillway_epoch_start_seconds{" + whose + "} 10"));
  // 70 % to the two endpoints of zone-1.
  CHECK(
      has_line(text, "spillway_share_exact_ratio{" + whose +
                         ",cluster=\"backend\",priority=\"0\",availability=\"healthy\",zone=\"zone-1\",node=\"node-1\","
                         "endpoint=\"backend-1\"} 0.7"));
}

TEST_CASE("in mode exact there are no counters of requests") {
  const std::string text = openmetrics_of(testing::small_scenario(), testing::small_exact_results());
  CHECK(text.find("spillway_requests") == std::string::npos);
  CHECK(text.find("spillway_share_simulated_ratio") == std::string::npos);
  CHECK(text.find("spillway_share_exact_ratio") != std::string::npos);
}

TEST_CASE("labels escape what would end them") {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.name = "a\"b\\c\nd";
  const std::string text = openmetrics_of(scenario, testing::small_exact_results());
  CHECK(text.find("scenario=\"a\\\"b\\\\c\\nd\"") != std::string::npos);
}
