#include "sim/observed/rate_phases.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>

using namespace spillway;
using namespace std::chrono_literals;
using observed::RatePhase;

namespace {

double requests_of(const std::vector<RatePhase>& phases) {
  return std::accumulate(phases.begin(), phases.end(), 0.0, [](double sum, const RatePhase& phase) {
    return sum + phase.rate * std::chrono::duration<double>(phase.length).count();
  });
}

}  // namespace

TEST_CASE("counters over time are rates from point to point, of all hosts of a cluster together", "[phases]") {
  const observed::RangeAnswer answer{
      {{{{"envoy_cluster_name", "a"}, {"envoy_endpoint_address", "1"}}, {{1000, 10}, {1030, 310}, {1060, 310}}},
       {{{"envoy_cluster_name", "a"}, {"envoy_endpoint_address", "2"}}, {{1000, 0}, {1030, 600}, {1060, 900}}},
       // Began anew, and after the others.
       {{{"envoy_cluster_name", "b"}, {"envoy_endpoint_address", "3"}}, {{1030, 50}, {1060, 30}}}}};
  const observed::RatePhases phases = observed::phases_of(answer);
  CHECK(phases.length == 60s);
  REQUIRE(phases.of.size() == 2);
  REQUIRE(phases.of.at("a").size() == 2);
  CHECK(phases.of.at("a")[0].rate == 30.0);
  CHECK(phases.of.at("a")[0].length == 30s);
  CHECK(phases.of.at("a")[1].rate == 10.0);
  REQUIRE(phases.of.at("b").size() == 2);
  CHECK(phases.of.at("b")[0].rate == 0.0);
  CHECK(phases.of.at("b")[1].rate == 1.0);
}

TEST_CASE("equal rates are one phase, and more than sixty are put together", "[phases]") {
  observed::RangeSeries series{{{"cluster_name", "a"}}, {}};
  for (int point = 0; point <= 600; ++point) {
    series.points.push_back({point * 10.0, point * 5.0});
  }
  CHECK(observed::phases_of(observed::RangeAnswer{{series}}).of.at("a").size() == 1);
  for (std::size_t point = 0; point < series.points.size(); ++point) {
    series.points[point].value = static_cast<double>(point * point);
  }
  const auto phases = observed::phases_of(observed::RangeAnswer{{series}});
  CHECK(phases.of.at("a").size() == observed::most_phases);
  CHECK(requests_of(phases.of.at("a")) == Approx(360000.0));
}

TEST_CASE("a log's requests are rates by their starts, by cluster or by an address of one cluster alone", "[phases]") {
  observed::AccessLog log;
  const auto add = [&](std::chrono::nanoseconds at, const std::string& host, const std::string& cluster) {
    observed::LoggedRequest request;
    request.upstream_host = host;
    request.upstream_cluster = cluster;
    request.start = 1000s + at;
    log.requests.push_back(request);
  };
  // 10 a second for 10 s, then 30 a second for 10 s.
  for (int request = 0; request < 100; ++request) {
    add(request * 100ms, "1", "");
  }
  for (int request = 0; request < 300; ++request) {
    add(10s + request * 33333us, "1", "");
  }
  add(15s, "2", "b");
  add(16s, "3", "");  // of two clusters: not known
  const auto phases = observed::phases_of(log, {{"1", {"a"}}, {"3", {"a", "c"}}});
  REQUIRE(phases.of.size() == 2);
  CHECK(requests_of(phases.of.at("a")) == Approx(400.0));
  CHECK(requests_of(phases.of.at("b")) == Approx(1.0));
  CHECK(phases.of.at("a").front().rate == Approx(10.0).epsilon(0.1));
  CHECK(phases.of.at("a").back().rate == Approx(30.0).epsilon(0.1));
  CHECK(static_cast<double>(phases.length.count()) == Approx(20.05e9).epsilon(0.01));
}

TEST_CASE("what holds no two times makes no phases", "[phases]") {
  CHECK(observed::phases_of(observed::RangeAnswer{}).of.empty());
  CHECK(observed::phases_of(observed::RangeAnswer{{{{{"cluster_name", "a"}}, {{5, 1}}}}}).of.empty());
  CHECK(observed::phases_of(observed::AccessLog{}, {}).of.empty());
}
