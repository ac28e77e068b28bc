// --width is kept by every table of every command.
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>

#include "reports/text/text_table.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string scenarios = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/";

std::set<std::string> distinct_words(const std::string& text) {
  constexpr std::size_t longest = 24;  // longer ones may be broken
  std::istringstream stream(text);
  std::set<std::string> words;
  for (std::string word; stream >> word;) {
    if (word.size() <= longest) {
      words.insert(word);
    }
  }
  return words;
}

// `left_out`: a word that may be missing, the name of the first column, which stands above its cells where rows have a
// line for each of them.
void check_width(const std::vector<std::string>& arguments, bool keeps_words, const std::string& left_out = "") {
  const Finished free = run_program(arguments);
  REQUIRE(free.code <= 1);
  for (const int width : {60, 80, 120}) {
    std::vector<std::string> bound = arguments;
    bound.insert(bound.end(), {"--width", std::to_string(width)});
    const Finished finished = run_program(bound);
    CAPTURE(arguments, width, finished.output);
    CHECK(finished.code == free.code);
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
      CHECK(spillway::reports::display_width(line) <= width);
    }
    const std::set<std::string> words = distinct_words(finished.output);
    for (const std::string& word : keeps_words ? distinct_words(free.output) : std::set<std::string>{}) {
      CAPTURE(word);
      CHECK((word == left_out || words.contains(word)));
    }
  }
}

}  // namespace

TEST_CASE("every table keeps the width that was asked for, and folded ones lose no word", "[unsanitized]") {
  const std::string plan = scenarios + "examples/three-zones.yaml";
  check_width({"plan", plan}, true);
  check_width({"check", scenarios + "examples/kuma"}, true);
  check_width({"diff", scenarios + "examples/kuma/failover-at-seventy-percent.yaml",
               scenarios + "examples/kuma/failover-at-fifty-percent.yaml"},
              true);
  check_width({"run", plan, "--show", "endpoints", "--mode", "exact"}, true, "time");
  check_width({"run", scenarios + "examples/cross-zone-traffic.yaml", "--show", "cross_zone"}, true, "time");
  check_width({"run", scenarios + "examples/cross-zone-traffic.yaml", "--show", "requests"}, true, "time");
  check_width({"subsets", scenarios + "documented/subset-example.yaml"}, true);
  const std::string two_zone_failover = scenarios + "examples/two-zone-failover.yaml";
  check_width({"find", two_zone_failover, "--maximise", "clients[shop].workload.rate=200..210", "--such-that",
               "failed < 100 %", "--replications", "2"},
              true);
  // These have other words where they are narrow: a block an epoch or a row.
  check_width({"run", plan}, false);
  check_width({"tables", scenarios + "documented/priority-three-levels.yaml"}, false);
  check_width({"explain", plan, "--client", "web-1"}, false);
}
