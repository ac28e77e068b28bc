// Services that share nothing. Expected numbers are arithmetic: while one of two zones is lost, the endpoints of the
// other serve all requests, 100 per second fill one, and 80 % is allowed.
#include "sim/plan/independent.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <variant>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"

using namespace spillway;

namespace {

// Services s0, s1, ... with these numbers of endpoints in both zones, and these rates.
std::string separate_services(const std::vector<std::uint32_t>& counts, const std::vector<int>& rates) {
  std::string services;
  std::string clients;
  for (std::size_t index = 0; index < rates.size(); ++index) {
    services += fmt::format(
        "  - {{ name: s{0}, endpoints: [{{ count: {1}, zone: a, capacity: 100rps, price: {2}/h }}, {{ count: {1}, "
        "zone: b, "
        "capacity: 100rps, price: 0.5/h }}] }}\n",
        index, counts[index], index + 1);
    clients += fmt::format("  - {{ name: c{0}, zone: a, workload: {{ service: s{0}, rate: {1}rps }} }}\n", index,
                           rates[index]);
  }
  return "duration: 10s\nmode: exact\nzones: [{ name: a }, { name: b }]\nservices:\n" + services + "clients:\n" +
         clients + "failures: [{ each: zone }]\n";
}

plan::Plan plan_of_separate(const std::string& text) {
  const scenario::ScenarioTemplate base("separate.yaml", text);
  INFO(text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

std::uint32_t needed_in_a_zone(int rate) {
  return static_cast<std::uint32_t>((rate + 79) / 80);
}

}  // namespace

TEST_CASE("each of many services gets its own fewest endpoints", "[plan][independent][unsanitized]") {
  std::vector<std::uint32_t> counts;
  std::vector<int> rates;
  std::uint32_t needed = 0;
  for (int index = 0; index < 30; ++index) {
    counts.push_back(static_cast<std::uint32_t>(1 + index * 7 % 11));
    rates.push_back(1 + index * 173 % 900);
    needed += 2 * needed_in_a_zone(rates.back());
  }
  const plan::Plan plan = plan_of_separate(separate_services(counts, rates));
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->proved);
  CHECK(plan.fewest->endpoints == needed);
  REQUIRE(plan.fewest->parts.size() == 60);
  double price = 0.0;
  for (std::size_t index = 0; index < rates.size(); ++index) {
    const std::uint32_t own = needed_in_a_zone(rates[index]);
    for (const std::size_t zone : {2 * index, 2 * index + 1}) {
      CHECK(plan.fewest->parts[zone].group.place.service == index);
      CHECK(plan.fewest->parts[zone].count == own);
    }
    price += own * (static_cast<double>(index) + 1.5);
  }
  REQUIRE(plan.cheapest);
  REQUIRE(plan.cheapest->price);
  CHECK_THAT(*plan.cheapest->price, Catch::Matchers::WithinRel(price, 1e-9));
  // The purchase is the sum of those of the single services.
  REQUIRE(plan.purchase);
  std::uint32_t with_purchase = 0;
  for (std::size_t index = 0; index < rates.size(); ++index) {
    with_purchase += 2 * std::max(counts[index], needed_in_a_zone(rates[index]));
  }
  CHECK(plan.purchase->endpoints == with_purchase);
}

TEST_CASE("services that share an endpoint's node or a client are planned together", "[plan][independent]") {
  const auto parts_of_text = [](const std::string& text) {
    const scenario::ScenarioTemplate base("parts.yaml", text);
    REQUIRE(base.reading().scenario);
    return plan::independent_parts(*base.reading().scenario);
  };
  const std::string separate = separate_services({1, 1}, {10, 10});
  CHECK(parts_of_text(separate).size() == 2);
  std::string shared = separate;
  shared.replace(shared.find("zones: [{ name: a }"), 19, "zones: [{ name: a, nodes: [{ name: n, cores: 4 }] }");
  for (std::size_t at = shared.find("capacity: 100rps"); at != std::string::npos;
       at = shared.find("capacity: 100rps")) {
    shared.replace(at, 16, "service_time: 10ms");
  }
  CHECK(parts_of_text(shared).size() == 1);
}

TEST_CASE("a part of a template is the scenario of its services and clients", "[template][independent]") {
  const scenario::ScenarioTemplate base("parts.yaml", separate_services({3, 2, 4}, {10, 20, 30}));
  const auto parts = plan::independent_parts(*base.reading().scenario);
  REQUIRE(parts.size() == 3);
  const auto part = base.part(parts[1]);
  REQUIRE(part);
  const scenario::Scenario& own = *part->reading().scenario;
  REQUIRE(own.services.size() == 1);
  CHECK(own.services[0].name == "s1");
  CHECK(own.endpoints.size() == 4);
  CHECK(own.clients.size() == 1);
  const auto larger = part->vary({.counts = {{part->groups()[0].place, 7}}});
  REQUIRE(larger);
  CHECK(larger->endpoints.size() == 9);
}

TEST_CASE("a scenario whose events or failures name services has no parts", "[template][independent]") {
  const std::string text = separate_services({3, 2}, {10, 20});
  for (const std::string& rest : {std::string("timeline: [{ at: 5s, service: s0, zone: a, healthy: 0 }]\n"),
                                  std::string("failures: [{ each: zone, service: s0 }]\n")}) {
    std::string own = text;
    if (rest.starts_with("failures")) {
      own.erase(own.find("failures:"));
    }
    const scenario::ScenarioTemplate base("parts.yaml", own + rest);
    REQUIRE(base.reading().scenario);
    CHECK_FALSE(base.part(plan::independent_parts(*base.reading().scenario).front()));
  }
}

TEST_CASE("each of many services has its own onset of spill", "[plan][independent]") {
  // 140 % of k of n healthy are below 100 % where more than 2 n / 7 are lost.
  std::string services;
  std::string clients;
  for (std::uint32_t count = 1; count <= 9; ++count) {
    services += fmt::format(
        "  - {{ name: s{0}, endpoints: [{{ count: {0}, zone: a, capacity: 100rps }}, {{ count: 4, zone: b, priority: "
        "1, "
        "capacity: 100rps }}] }}\n",
        count);
    clients += fmt::format("  - {{ name: c{0}, zone: a, workload: {{ service: s{0}, rate: 10rps }} }}\n", count);
  }
  const plan::Plan plan =
      plan_of_separate("duration: 10s\nmode: exact\nzones: [{ name: a }, { name: b }]\nservices:\n" + services +
                       "clients:\n" + clients + "failures: [{ each: zone }]\n");
  REQUIRE(plan.onsets.size() == 9);
  for (std::uint32_t index = 0; index < 9; ++index) {
    const plan::Onset& onset = plan.onsets[index];
    CHECK(onset.service.value == index);
    CHECK(onset.zone.value == 0);
    CHECK(onset.endpoints == index + 1);
    CHECK(onset.leaves_zone_at == 2 * (index + 1) / 7 + 1);
  }
}
