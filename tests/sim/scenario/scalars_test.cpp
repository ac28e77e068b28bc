// Units: exact values, and readers that agree with the regular expressions which the schema publishes.
#include "models/documents/grammar/scalars.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <regex>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/health_steps.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace spillway::grammar;
using namespace std::chrono_literals;

namespace {

template <class Accepts>
void check_agreement(const std::string& pattern, const std::string& alphabet, Accepts accepts,
                     const std::vector<std::string>& seeds) {
  const std::regex expression("^" + pattern + "$");
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t edits = below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      switch (below(3)) {
        case 0:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        case 1:
          text.erase(std::min(at, text.size()), 1);
          break;
        default:
          if (at < text.size()) {
            text[at] = alphabet[below(alphabet.size())];
          }
      }
    }
    INFO(text);
    const bool expected = std::regex_match(text, expression);
    accepted += expected ? 1 : 0;
    REQUIRE(accepts(text) == expected);
  }
  CHECK(accepted > 2'000);
}

}  // namespace

TEST_CASE("Durations are whole nanoseconds without rounding", "[scalars]") {
  CHECK(read_duration("1.5s") == 1'500'000'000ns);
  CHECK(read_duration("20ms") == 20'000'000ns);
  CHECK(read_duration("3us") == 3'000ns);
  CHECK(read_duration("10ns") == 10ns);
  CHECK(read_duration("2m") == 120s);
  CHECK(read_duration("1h") == 3600s);
  CHECK(read_duration("0.1s") == 100'000'000ns);
  CHECK(read_duration("0.3us") == 300ns);
  CHECK(read_duration("1.234567891s") == 1'234'567'891ns);
  CHECK(read_duration("0.000000001m") == 60ns);
  CHECK(read_duration("0.000000001h") == 3'600ns);
  CHECK(read_duration("999999999.999999999s") == 999'999'999'999'999'999ns);
  CHECK(read_duration("0s") == 0ns);
}

TEST_CASE("Durations that are no whole number of nanoseconds, or too long, are refused", "[scalars]") {
  for (const char* text : {"",     "s",      "1",    "1 s",         "-1s",
                           "+1s",  "1.s",    ".5s",  "1.5ns",       "1.2345us",
                           "1e3s", "1sec",   "1S",   "1000000000s", "1234567890123456789ns",
                           "0x1s", "1.5.5s", "1,5s", "1s ",         "nan",
                           "inf"}) {
    INFO(text);
    CHECK_FALSE(read_duration(text).has_value());
  }
}

TEST_CASE("Durations of protobuf are in seconds", "[scalars]") {
  CHECK(read_proto_duration("0.25s") == 250ms);
  CHECK(read_proto_duration("3s") == 3s);
  for (const char* text : {"20ms", "3us", "1m", "10ns", "-1s"}) {
    CHECK_FALSE(read_proto_duration(text).has_value());
  }
}

TEST_CASE("Percentages are exact fractions from 0 to 100", "[scalars]") {
  CHECK(read_percent("70%")->billionths == 70'000'000'000);
  CHECK(read_percent("99.4%")->billionths == 99'400'000'000);
  CHECK(read_percent("100.0%")->billionths == 100'000'000'000);
  CHECK(read_percent("0%")->billionths == 0);
  for (const char* text : {"", "%", "70", "100.1%", "101%", "-1%", "1.%", "070%", "70 %"}) {
    INFO(text);
    CHECK_FALSE(read_percent(text).has_value());
  }
}

TEST_CASE("Rates are requests a second", "[scalars]") {
  CHECK(read_rate("200rps") == 200.0);
  CHECK(read_rate("0.5rps") == 0.5);
  for (const char* text : {"", "rps", "200", "-1rps", "200 rps", "1234567890rps", "1e3rps"}) {
    CHECK_FALSE(read_rate(text).has_value());
  }
}

TEST_CASE("Bandwidths are bits a second", "[scalars]") {
  CHECK(read_bandwidth("1Gbps") == 1e9);
  CHECK(read_bandwidth("0.5Mbps") == 5e5);
  CHECK(read_bandwidth("64kbps") == 64e3);
  CHECK(read_bandwidth("100bps") == 100.0);
  for (const char* text : {"", "bps", "1", "1Gb", "1GBps", "1gbps", "-1bps", "1 Gbps"}) {
    CHECK_FALSE(read_bandwidth(text).has_value());
  }
}

TEST_CASE("Every scalar accepts exactly what its regular expression accepts", "[scalars]") {
  check_agreement(duration_pattern(), "0123456789.numsh ",
                  [](const std::string& t) { return read_duration(t).has_value(); },
                  {"1.5s", "20ms", "3us", "10ns", "2m", "1h", "999999999.123456789s", "123456789012345678ns"});
  check_agreement(proto_duration_pattern(), "0123456789.numsh ",
                  [](const std::string& t) { return read_proto_duration(t).has_value(); }, {"1.5s", "0s", "12s", "2m"});
  check_agreement(percent_pattern(), "0123456789.% ", [](const std::string& t) { return read_percent(t).has_value(); },
                  {"70%", "100%", "99.4%", "100.000000000%", "1.123456789%"});
  check_agreement(rate_pattern(), "0123456789.rps ", [](const std::string& t) { return read_rate(t).has_value(); },
                  {"200rps", "0.5rps", "123456789.123456789rps"});
  check_agreement(bandwidth_pattern(), "0123456789.kMGTbps ",
                  [](const std::string& t) { return read_bandwidth(t).has_value(); },
                  {"1Gbps", "0.5Mbps", "64kbps", "100bps", "2Tbps", "123456789.123456789Gbps"});
}

TEST_CASE("Health timelines accept exactly what their regular expression accepts", "[scalars]") {
  Definitions definitions;
  std::string pattern = messages::HealthSteps{}.schema(definitions).any_of.at(1).pattern;
  pattern = pattern.substr(1, pattern.size() - 2);
  const auto accepts = [](const std::string& text) {
    documents::Node node;
    node.kind = documents::Kind::string;
    node.text = text;
    std::vector<messages::HealthStep> steps;
    Diagnostics problems;
    return messages::HealthSteps{}.read(node, steps, "healthy", problems);
  };
  check_agreement(pattern, "0159%.ms, ", accepts, {"100% 10s, 80% 10s, 0%", "5 10s, 4", "60%", "100%  1.5s,50% 2m,1"});
}
