// Conclusions that plans draw from their rows. Expected values are arithmetic, or of the queueing formulas named beside
// them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

using namespace spillway;

namespace {

plan::Plan plan_made_of(const std::string& text, const plan::Request& request = {}) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  return std::get<plan::Plan>(plan::make_plan(base, request));
}

std::vector<std::uint32_t> counts_of(const std::optional<plan::Fewest>& layout) {
  std::vector<std::uint32_t> counts;
  for (const plan::Part& part : layout ? layout->parts : std::vector<plan::Part>{}) {
    counts.push_back(part.count);
  }
  return counts;
}

std::string balanced(const std::string& policy, const std::string& rate) {
  return fmt::format(
      "duration: 60s\nzones: [{{ name: a }}, {{ name: b }}, {{ name: c }}]\nservices:\n  - name: s\n    endpoints:\n"
      "      - {{ count: 4, zone: a, cores: 4, service_time: {{ mean: 10ms, distribution: exponential }} }}\n"
      "      - {{ count: 4, zone: b, cores: 4, service_time: {{ mean: 10ms, distribution: exponential }} }}\n"
      "      - {{ count: 4, zone: c, cores: 4, service_time: {{ mean: 10ms, distribution: exponential }} }}\n"
      "clusters: [{{ name: s, lb_policy: {} }}]\n"
      "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: {} }} }}]\n"
      "objectives: [{{ utilisation: 80% }}]\nfailures: [{{ each: zone }}]\n",
      policy, rate);
}

}  // namespace

TEST_CASE("the cheapest layout is beside the one with the fewest endpoints", "[plan]") {
  // 400 of 100 each at 80 %: five must be left, so six in all; one at 1.00 and five at 0.10 an hour cost 1.50.
  const plan::Plan plan = plan_made_of(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 8, zone: a, "
      "capacity: 100, price: 1.00/h }, { count: 8, zone: b, capacity: 100, price: 0.10/h }] }]\nclients: [{ name: c, "
      "zone: a, workload: { service: s, rate: 400 } }]\nobjectives: [{ utilisation: 80% }]\nfailures: [{ any: 1, of: "
      "endpoints }]\n");
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 6);
  // The fewest endpoints are the cheapest one of all layouts with six, too.
  CHECK(counts_of(plan.fewest) == std::vector<std::uint32_t>{1, 5});
  REQUIRE(plan.cheapest);
  CHECK(counts_of(plan.cheapest) == std::vector<std::uint32_t>{1, 5});
  CHECK(plan.cheapest->price.value() == Approx(1.5));
  CHECK(plan.price_now.value() == Approx(8.8));
}

TEST_CASE("the fewest endpoints are the cheapest of their number where more would be cheaper still", "[plan]") {
  // 500 rps over capacities of 100, 300 and 100: round robin fills an endpoint of 100 with 6.25 of its kind, so seven
  // in all, whatever their zone. Seven with one in b and in c each cost 5 x 0.3 + 0.9 + 0.2; a and b with one each and
  // c with five are the cheapest.
  const plan::Plan plan = plan_made_of(
      "duration: 60s\nzones: [{ name: a }, { name: b }, { name: c }]\nservices: [{ name: s, endpoints: [{ count: 8, "
      "zone: a, capacity: 100, price: 0.30/h }, { count: 8, zone: b, capacity: 300, price: 0.90/h }, { count: 8, zone: "
      "c, capacity: 100, price: 0.20/h }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 500 } }]\n"
      "objectives: [{ utilisation: 80% }]\nfailures: []\n");
  CHECK(counts_of(plan.fewest) == std::vector<std::uint32_t>{1, 1, 5});
  CHECK(plan.fewest->price.value() == Approx(2.2));
  CHECK(counts_of(plan.cheapest) == std::vector<std::uint32_t>{1, 1, 5});
}

TEST_CASE("an objective on costs that no layout keeps is told from the load", "[plan]") {
  // While a zone is lost, the other needs 400 / 40 = 10 endpoints: 20 in all, 4.00 an hour, 2,920 a month.
  const std::string text =
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 8, zone: a, "
      "capacity: 50, price: 0.2/h }, { count: 8, zone: b, capacity: 50, price: 0.2/h }] }]\nclients: [{ name: c, zone: "
      "a, workload: { service: s, rate: 400 } }]\nfailures: [{ each: zone }]\n";
  const plan::Plan dear = plan_made_of(text + "objectives: [{ utilisation: 80%, machine_cost: 2500/month }]\n");
  CHECK_FALSE(dear.fewest);
  CHECK(counts_of(dear.too_dear) == std::vector<std::uint32_t>{10, 10});
  CHECK(dear.too_dear->price.value() == Approx(4.0));
  const plan::Plan enough = plan_made_of(text + "objectives: [{ utilisation: 80%, machine_cost: 3000/month }]\n");
  CHECK(counts_of(enough.fewest) == std::vector<std::uint32_t>{10, 10});
  CHECK_FALSE(enough.too_dear);
}

TEST_CASE("a month is billed at the scenario's own rates", "[plan]") {
  // 50 rps for 54 s and 400 rps for 6 s are 85 rps; half of them carry 100 kB each to the other zone at 0.02 a GB:
  // 85 x 0.5 x 1e5 x 2,628,000 s / 1e9 x 0.02 = 223.38.
  const plan::Plan plan = plan_made_of(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a, "
      "capacity: 100, response_bytes: 100000 }, { count: 4, zone: b, capacity: 100, response_bytes: 100000 }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, phases: \"50rps 54s, 400rps 6s\" } }]\n"
      "links: [{ between: [a, b], price: 0.02/GB }]\n"
      "objectives: [{ cross_zone_cost: 600/month, utilisation: 80% }]\nfailures: []\n");
  CHECK(plan.rows.front().cost.value() == Approx(223.38));
  CHECK(plan.holds());
  // Five endpoints carry 400 rps at 80 %; of these layouts, 4 + 1 sends least to the other zone.
  CHECK(counts_of(plan.fewest) == std::vector<std::uint32_t>{4, 1});
}

TEST_CASE("balanced zones get headroom from one more endpoint in each of two, and from no single one", "[plan]") {
  // Two zones of four serve 8 x 400 x 0.8 = 2,560. Five in one zone change nothing: that zone may be the lost one.
  const std::string policy = GENERATE(as<std::string>{}, "ROUND_ROBIN", "LEAST_REQUEST");
  CAPTURE(policy);
  const plan::Plan plan = plan_made_of(balanced(policy, "1200rps"));
  CHECK(plan.holds());
  CHECK(plan.headroom.growth * 1200.0 == Approx(2560.0));
  CHECK(std::all_of(plan.additions.begin(), plan.additions.end(), [&](const plan::Addition& addition) {
    return addition.headroom.growth <= plan.headroom.growth * (1.0 + 1e-9);
  }));
  // With five in two zones, losing one of these leaves 4 + 5 = 9 and losing the third 10: 9 x 320 = 2,880.
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->parts.size() == 2);
  CHECK(plan.next_step->growth * 1200.0 == Approx(2880.0));
  CHECK(counts_of(plan.fewest) == std::vector<std::uint32_t>{2, 2, 2});
}

TEST_CASE("a measured headroom is measured again with one more endpoint", "[plan][unsanitized]") {
  // Proxies find a dead endpoint themselves: four of five serve 800, five of six 1,000.
  const plan::Plan plan = plan_made_of(
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, service_time: 5ms, "
      "cores: 1 }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 200 } }]\nobjectives: [{ "
      "error_share: "
      "1% }]\nfailures: [{ any: 1, of: endpoints, told: nothing }]\nclusters: [{ name: s, outlier_detection: { "
      "consecutive_5xx: 5, base_ejection_time: 30s, interval: 10s, max_ejection_percent: 40 } }]\n");
  CHECK(plan.headroom.growth * 200.0 < 820.0);
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->measured);
  CHECK(plan.next_step->growth * 200.0 == Approx(1000.0).epsilon(0.05));
}

TEST_CASE("retries keep a system down after its failure, and fewer let it recover", "[plan][unsanitized]") {
  // Six endpoints at 58 %: with a zone lost, three get 117 %, and each request is tried three times for 0.5 s.
  const plan::Plan plan = plan_made_of(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a, cores: "
      "4, service_time: 20ms }, { count: 3, zone: b, cores: 4, service_time: 20ms }] }]\nclients: [{ name: c, zone: a, "
      "workload: { rate: 700 } }]\nclusters: [{ name: s, lb_policy: RANDOM, circuit_breakers: { thresholds: [{ "
      "max_requests: 1000000, max_retries: 1000000 }] } }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, "
      "timeout: 60s, retry_policy: { retry_on: gateway-error, num_retries: 2, per_try_timeout: 0.5s } } }]\n"
      "objectives: [{ error_share: 1% }]\nfailures: [{ each: zone, told: removed }]\n");
  REQUIRE(plan.rows[1].recovery);
  CHECK(plan.rows[1].recovery->verdict == plan::Recovery::Verdict::does_not_recover);
  CHECK(plan.rows[1].recovery->attempts > 2.5);
  CHECK_FALSE(plan.rows[0].recovery);
  const plan::Plan calm = plan_made_of(balanced("ROUND_ROBIN", "1200rps"));
  CHECK(calm.rows[1].recovery->verdict == plan::Recovery::Verdict::recovers);
}

TEST_CASE("growths are answered with what to buy", "[plan]") {
  plan::Request request;
  request.growths = {1.5, 3.0};
  const plan::Plan plan = plan_made_of(balanced("ROUND_ROBIN", "1200rps"), request);
  REQUIRE(plan.growths.size() == 2);
  CHECK(plan.growths[0].judgement == study::Verdict::met);     // 1,800 of 2,560
  CHECK(plan.growths[1].judgement == study::Verdict::missed);  // 3,600: 12 must be left, six in each zone
  REQUIRE(plan.growths[1].purchase);
  CHECK(plan.growths[1].purchase->endpoints == 18);
}

TEST_CASE("a breaker is given a limit that admits its requests, unless endpoints are overloaded",
          "[plan][unsanitized]") {
  const auto with = [](const std::string& rate, const std::string& limit) {
    return "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 10, zone: a, capacity: 100 "
           "}] "
           "}]\nclusters: [{ name: s, circuit_breakers: { thresholds: [{ max_requests: " +
           limit + " }] } }]\nclients: [{ name: c, zone: a, count: 4, workload: { service: s, rate: " + rate +
           " } }]\nobjectives: [{ error_share: 0.1%, utilisation: 80% }]\nfailures: []\n";
  };
  // 180 requests a second of 10 ms are 1.8 at a time in the mean; of a Poisson number, 11 % are beyond 3.
  const plan::Plan plan = plan_made_of(with("180", "3"));
  REQUIRE(plan.admitting);
  CHECK(plan.admitting->in_flight == Approx(1.8));
  CHECK(plan.admitting->max_requests > 3);
  CHECK(plan_made_of(with("180", std::to_string(plan.admitting->max_requests))).holds());
  // 375 of each are 150 % of what ten endpoints answer: whatever the limit is, it is reached.
  CHECK_FALSE(plan_made_of(with("375", "11")).admitting);
}
