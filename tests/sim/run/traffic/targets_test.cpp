// The targets of every service of the Kuma scenarios, against their definition: the endpoints behind a host that is a
// zone proxy, then the zone proxy itself.
#include "sim/run/traffic/targets.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

using namespace spillway;

namespace {

struct Listed {
  std::vector<config::EndpointIndex> way;  // zone proxies, then the endpoint
  bool ends_at_zone_proxy = false;
  bool operator==(const Listed&) const = default;
};

std::vector<Listed> behind_host(const scenario::Scenario& scenario, const scenario::Host& host);

std::vector<Listed> listed(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::vector<Listed> all;
  for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
    for (const scenario::Host& host : scenario.services[member.value].hosts) {
      const std::vector<Listed> of_host = behind_host(scenario, host);
      all.insert(all.end(), of_host.begin(), of_host.end());
    }
  }
  return all;
}

std::vector<Listed> behind_host(const scenario::Scenario& scenario, const scenario::Host& host) {
  std::vector<Listed> all;
  if (host.forwards_to) {
    all = listed(scenario, *host.forwards_to);
    for (Listed& further : all) {
      further.way.insert(further.way.begin(), host.endpoint);
    }
  }
  all.push_back({{host.endpoint}, host.forwards_to.has_value()});
  return all;
}

}  // namespace

TEST_CASE("the targets behind zone proxies are those of the proxies, with the way there") {
  std::size_t by_two_proxies = 0;
  for (const auto& file : std::filesystem::directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios/documented/kuma")) {
    INFO(file.path());
    const scenario::Reading reading = scenario::read_scenario_file(file.path().string());
    for (std::uint32_t service = 0; reading.scenario && service < reading.scenario->services.size(); ++service) {
      const scenario::Scenario& scenario = *reading.scenario;
      const run::Targets targets(scenario, {service});
      const std::vector<Listed> expected = listed(scenario, {service});
      REQUIRE(targets.size() == expected.size());
      std::uint32_t first = 0;
      for (std::uint32_t index = 0; index < targets.size(); ++index) {
        const run::Target& target = targets.at(index);
        std::vector<config::EndpointIndex> way = target.via;
        way.push_back(target.endpoint);
        CHECK(Listed{way, target.ends_at_zone_proxy} == expected[index]);
        first = target.first_of_host ? index : first;
        CHECK(targets.index_of(target.child, target.host) == first);
        by_two_proxies += target.via.size() == 2 ? 1 : 0;
      }
    }
  }
  CHECK(by_two_proxies > 0);
}
