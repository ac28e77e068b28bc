// What is printed of many endpoints takes time in proportion to them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "reports/envoy/export.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

// [s] of the processor, the least of several times.
double processor_time(const std::function<void()>& work) {
  double least = 1e9;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

// Four times as much: 4 times as long if it is linear, 16 times if it is quadratic.
constexpr double most_of_four_times = 9.0;

}  // namespace

TEST_CASE("the title of a table with many columns takes time in proportion to them") {
  const auto title_of = [](std::size_t columns) {
    const reports::TextTable table(std::vector<reports::TextTable::Column>(
        columns, reports::TextTable::Column{"a column", reports::Align::right}));
    return processor_time([&] { CHECK(table.title().size() > columns); });
  };
  CHECK(title_of(16000) < most_of_four_times * title_of(4000) + 0.01);
}

TEST_CASE("an export for Envoy takes time in proportion to endpoints", "[unsanitized]") {
  const auto export_of = [](const std::string& endpoints) {
    const scenario::Reading reading = scenario::read_scenario_text(
        "many.yaml", "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: " + endpoints +
                         ", zone: a }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n");
    REQUIRE(reading.scenario);
    return processor_time(
        [&] { CHECK_FALSE(reports::envoy_export::export_envoy(*reading.scenario, {}).files.empty()); });
  };
  CHECK(export_of("32000") < most_of_four_times * export_of("8000"));
}
