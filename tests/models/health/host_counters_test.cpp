#include "models/health/host_counters.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "models/health/outlier_detection.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::health::HostCounters;
using spillway::health::OutlierCounters;
using spillway::health::OutlierDetector;
using spillway::health::OutlierEvent;

namespace {

using Counters = HostCounters<OutlierCounters>;

std::vector<std::pair<std::uint32_t, std::uint32_t>> totals(const Counters& counters) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  counters.for_each([&](std::uint32_t host, const OutlierCounters& of) { all.emplace_back(host, of.total); });
  return all;
}

}  // namespace

TEST_CASE("counters of all hosts and of those counted say the same") {
  constexpr std::uint32_t hosts = 5000;
  Counters all(hosts, Counters::Memory::of_all_hosts);
  Counters counted(hosts, Counters::Memory::of_counted_hosts);
  std::mt19937 draw(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  for (int interval = 0; interval < 5; ++interval) {
    for (int answer = 0; answer < 700; ++answer) {
      const HostIndex host{static_cast<std::uint32_t>(draw() % hosts)};
      const std::uint32_t status = draw() % 2 == 0 ? 200 : 500;
      (void)all[host].report_status({}, status);
      (void)counted[host].report_status({}, status);
    }
    CHECK(totals(all) == totals(counted));
    all.begin_interval();
    counted.begin_interval();
    CHECK(totals(counted).empty());
    for (std::uint32_t host = 0; host < hosts; ++host) {
      REQUIRE(all[HostIndex{host}].consecutive_5xx == counted[HostIndex{host}].consecutive_5xx);
    }
  }
}

TEST_CASE("an outlier detector decides the same whether it counts all hosts or those that were sent requests") {
  constexpr std::uint32_t hosts = 300;
  const spillway::config::OutlierDetection config{.interval = 1s,
                                                  .base_ejection_time = 2s,
                                                  .max_ejection_percent = 20,
                                                  .success_rate_minimum_hosts = 3,
                                                  .success_rate_request_volume = 4,
                                                  .enforcing_success_rate = 80};
  OutlierDetector all(config, hosts);
  OutlierDetector counted(config, hosts, spillway::config::EnvoyProfile::current, true);
  std::mt19937 draw(11);      // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  std::mt19937_64 of_all(3);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  std::mt19937_64 of_counted = of_all;
  std::size_t events = 0;
  for (int second = 1; second < 30; ++second) {
    const std::chrono::nanoseconds now = std::chrono::seconds(second);
    for (int answer = 0; answer < 400; ++answer) {
      const HostIndex host{static_cast<std::uint32_t>(draw() % 60)};
      const std::uint32_t status = draw() % (host.value < 5 ? 2 : 40) == 0 ? 500 : 200;
      const auto fired = all.report(host, status);
      const auto same = counted.report(host, status);
      REQUIRE(std::equal(fired.begin(), fired.end(), same.begin(), same.end()));
      for (const auto run : fired) {
        const auto event = all.decide(host, run, now, of_all);
        CHECK(event == counted.decide(host, run, now, of_counted));
        events += event ? 1 : 0;
      }
    }
    const HostIndex moving{static_cast<std::uint32_t>(second)};
    all.leave(moving);
    counted.leave(moving);
    const std::vector<OutlierEvent> swept = all.sweep(now, of_all);
    CHECK(swept == counted.sweep(now, of_counted));
    events += swept.size();
    all.join(moving);
    counted.join(moving);
    CHECK(all.ejected_hosts() == counted.ejected_hosts());
  }
  CHECK(events > 20);
}
