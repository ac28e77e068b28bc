// What a change moves. Shares are those of docs/behaviour/kuma.md 13; loads are worked out beside them.
#include "sim/diff/compare.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "sim/scenario/service.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using diff::Difference;
using diff::Move;
using support::change_of;
using support::difference_of;

namespace {

std::string use_case(const std::string& name) {
  return support::contents(std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/documented/kuma/" + name + ".yaml");
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// At the moment that begins then, without failures; null: nothing moves.
const Move* move_at(const Difference& difference, double second, const std::string& client) {
  const auto found = std::find_if(difference.moves.begin(), difference.moves.end(), [&](const Move& move) {
    const diff::Context& context = difference.contexts[move.context];
    return context.kind == diff::Context::Kind::moment && context.start == second && move.client == client;
  });
  return found == difference.moves.end() ? nullptr : &*found;
}

std::string ten_and_one(int threshold) {
  return "duration: 11s\n"
         "zones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "services:\n"
         "  - name: backend\n"
         "    endpoints:\n"
         "      - { count: 10, zone: zone-1, capacity: 100rps, healthy: \"10 1s, 9 1s, 8 1s, 7 1s, 6 1s, 5 1s, 4 1s, "
         "3 1s, 2 1s, 1 1s, 0\" }\n"
         "      - { zone: zone-2, capacity: 1000rps }\n"
         "policies:\n"
         "  - type: MeshLoadBalancingStrategy\n"
         "    name: threshold\n"
         "    mesh: default\n"
         "    spec:\n"
         "      to:\n"
         "        - targetRef: { kind: MeshService, name: backend }\n"
         "          default:\n"
         "            localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { "
         "percentage: " +
         std::to_string(threshold) +
         " } } }\n"
         "clients: [{ name: frontend, zone: zone-1, workload: { service: backend, rate: 600rps } }]\n"
         "failures: []\n";
}

}  // namespace

TEST_CASE("from use case 4 to 5, clients of zone-2 get zone-1 alone instead of both others equally", "[unsanitized]") {
  const Difference difference = difference_of(use_case("use-case-4"), use_case("use-case-5"));
  CHECK(difference.changed());
  // The local endpoint is marked, then removed: 1: 50, 3: 50 against 1: 100.
  for (const double second : {1.0, 2.0}) {
    const Move* const move = move_at(difference, second, "frontend-2");
    REQUIRE(move != nullptr);
    CHECK(move->points == Approx(0.5));
    CHECK(move->zone_points == Approx(0.5));
    CHECK(change_of(move->zones, "zone-1") == "50 -> 100");
    CHECK(change_of(move->zones, "zone-3") == "50 -> 0");
    CHECK(change_of(move->endpoints, "backend-3") == "50 -> 0");
    CHECK(change_of(move->priorities, "P1").empty());
    CHECK(move->exact);
  }
  // Healthy: 2: 100 in both. And with zone-1 marked or gone too, 3: 100 in both, but at P2.
  CHECK(move_at(difference, 0.0, "frontend-2") == nullptr);
  const Move* const further = move_at(difference, 4.0, "frontend-2");
  REQUIRE(further != nullptr);
  CHECK(further->zones.empty());
  CHECK(further->zone_points == 0.0);
  CHECK(change_of(further->priorities, "P1") == "100 -> 0");
  CHECK(change_of(further->priorities, "P2") == "0 -> 100");
  // Of zone-1: 1:P0, 3:P1 against 1:P0, 3:P2. Of zone-3: 3:P0, 1:P1 in both.
  const Move* const from_zone_1 = move_at(difference, 3.0, "frontend-1");
  REQUIRE(from_zone_1 != nullptr);
  CHECK(from_zone_1->zones.empty());
  CHECK(change_of(from_zone_1->priorities, "P2") == "0 -> 100");
  CHECK(std::none_of(difference.moves.begin(), difference.moves.end(),
                     [](const Move& move) { return move.client == "frontend-3"; }));
  // Largest between zones first.
  CHECK(difference.moves.front().client == "frontend-2");
  CHECK(difference.presences.empty());
}

TEST_CASE("a threshold of 70 replaced by 50 brings back what the table of thresholds says") {
  const Difference difference = difference_of(ten_and_one(70), ten_and_one(50));
  // Healthy 10, 9, ... 0: what leaves the zone with 70 (as 100), and with 50.
  const int with_70[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  const int with_50[] = {0, 0, 0, 0, 0, 0, 20, 40, 60, 80, 100};
  for (int lost = 0; lost <= 10; ++lost) {
    CAPTURE(lost);
    const Move* const move = move_at(difference, lost, "frontend");
    if (with_70[lost] == with_50[lost]) {
      CHECK(move == nullptr);
      continue;
    }
    REQUIRE(move != nullptr);
    CHECK(move->points == Approx((with_70[lost] - with_50[lost]) / 100.0));
    CHECK(change_of(move->zones, "zone-2") == std::to_string(with_70[lost]) + " -> " + std::to_string(with_50[lost]));
  }
  CHECK(move_at(difference, 5.0, "frontend")->points == difference.moves.front().points);
  REQUIRE(difference.lints.size() == 1);
  CHECK(difference.lints.front().code == "SP611");
  CHECK_FALSE(difference.lints.front().gained);
  REQUIRE(difference.edits.size() == 1);
  CHECK(difference.edits.front().place ==
        "policies[threshold].spec.to[0].default.localityAwareness.crossZone.failoverThreshold.percentage");
}

TEST_CASE("endpoints exceed capacity where fewer of them get what stays") {
  const Difference difference = difference_of(ten_and_one(70), ten_and_one(50));
  // 600 rps on 10 - n endpoints of 100 rps. With 70 the part n / 10 leaves, so that each has 60 %, always. With 50 all
  // stay down to 5: 600 / 6 = 100 % is not above, 600 / 5 = 120 % is. With 4, 80 % stay: 480 / 4 = 120 %; so too with
  // 3, 2 and 1, by 60, 40 and 20 %.
  CHECK(difference.utilisation_known);
  std::size_t over_with_five = 0;
  std::size_t all = 0;
  for (const diff::Overload& overload : difference.overloads) {
    CHECK(overload.over());
    CHECK(overload.limit == 1.0);
    CHECK(*overload.before == Approx(0.6));
    CHECK(*overload.after == Approx(1.2));
    all += 1;
    over_with_five += difference.contexts[overload.context].start == 5.0 ? 1 : 0;
  }
  CHECK(over_with_five == 5);
  CHECK(all == 5 + 4 + 3 + 2 + 1);
  for (const diff::ZoneLoad& load : difference.zone_loads) {
    if (load.zone == "zone-2" && difference.contexts[load.context].start == 5.0) {
      CHECK(*load.before == Approx(0.3));  // half of 600 rps on 1,000
      CHECK(*load.after == Approx(0.0));
    }
  }
}

TEST_CASE("comments and another order of keys and names are no change") {
  const std::string text = ten_and_one(50);
  const std::string zones = "zones: [{ name: zone-1 }, { name: zone-2 }]\n";
  const std::string moved = "# as ever\n" + with(text, zones, "") + zones + "# the end\n";
  const Difference difference = difference_of(text, moved);
  CHECK_FALSE(difference.changed());
  CHECK(difference.edits.empty());
  CHECK(difference.notes.empty());
}

TEST_CASE("what has no effect is an edit, and no change") {
  const std::string text = ten_and_one(50);
  const Difference difference = difference_of(text, with(text, "duration", "description: words\nduration"));
  CHECK_FALSE(difference.changed());
  REQUIRE(difference.edits.size() == 1);
  CHECK(difference.edits.front().place == "description");
}

TEST_CASE("the price of endpoints is not compared, and said so") {
  const auto priced = [](const std::string& price) {
    return "duration: 1s\nzones: [{ name: a }]\n"
           "services: [{ name: s, endpoints: [{ zone: a, price: " +
           price + " }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 10rps } }]\nfailures: []\n";
  };
  const Difference difference = difference_of(priced("0.10/h"), priced("0.20/h"));
  CHECK_FALSE(difference.changed());
  CHECK(difference.not_compared ==
        std::vector<std::string>{"what endpoints cost, which `spillway plan` names the cheapest place by"});
}

TEST_CASE("the failures of the plan are looked at too, by name, and said where one has them alone") {
  const std::string text = with(ten_and_one(70), "failures: []", "failures: [{ each: zone }]");
  const std::string other = with(ten_and_one(50), "failures: []",
                                 "failures: [{ each: zone }, { name: most, together: [{ endpoints: [backend-1, "
                                 "backend-2] }] }]");
  const Difference difference = difference_of(text, other);
  CHECK(std::any_of(difference.contexts.begin(), difference.contexts.end(),
                    [](const diff::Context& context) { return context.failure == "zone-1 endpoints"; }));
  REQUIRE(difference.presences.size() == 1);
  CHECK(difference.presences.front().kind == "failure");
  CHECK(difference.presences.front().name == "most");
  CHECK(difference.presences.front().added);

  const std::string both = with(ten_and_one(70), "failures: []",
                                "failures: [{ name: most, together: [{ endpoints: [backend-1, backend-2] }] }]");
  const Difference with_failure = difference_of(both, with(both, "percentage: 70", "percentage: 50"));
  const auto found = std::find_if(with_failure.moves.begin(), with_failure.moves.end(), [&](const Move& move) {
    return with_failure.contexts[move.context].failure == "most";
  });
  REQUIRE(found != with_failure.moves.end());
  CHECK(change_of(found->zones, "zone-2") == "20 -> 0");  // 8 of 10 are left
}

// Of two moments with as many requests the second has zone b alone: there, losing a would lose nothing.
TEST_CASE("failures are compared at a moment at which they take something away") {
  const auto with_panic = [](const std::string& threshold) {
    return "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
           "services: [{ name: s, endpoints: [{ count: 2, zone: a, capacity: 100rps }, { count: 2, zone: b, capacity: "
           "100rps }] }]\nclusters: [{ name: s, common_lb_config: { healthy_panic_threshold: { value: " +
           threshold +
           " } } }]\nclients: [{ name: c, zone: b, workload: { service: s, rate: 100rps } }]\n"
           "timeline: [{ at: 10s, service: s, zone: a, remove: 2 }]\n";
  };
  // Plans take the moment with the fewest endpoints.
  CHECK(difference_of(with_panic("50"), with_panic("60")).failures_at == 0.0);
}

TEST_CASE("only what both last for is compared, and the rest is said") {
  const std::string text = ten_and_one(70);
  const std::string longer = with(text, "duration: 11s", "duration: 20s");
  const Difference difference = difference_of(text, longer);
  CHECK_FALSE(difference.changed());
  REQUIRE(difference.not_compared.size() == 1);
  CHECK(difference.not_compared.front() ==
        "what happens after 11 s, when the old one ends (the other goes on until 20 s)");
}

TEST_CASE("what crosses zones is compared by the month") {
  const std::string text =
      "duration: 10s\n"
      "zones: [{ name: a }, { name: b }]\n"
      "links: [{ between: [a, b], price: 0.01/GB }]\n"
      "services:\n"
      "  - name: s\n"
      "    endpoints:\n"
      "      - { count: 3, zone: a, request_bytes: 1000, response_bytes: 9000 }\n"
      "      - { count: 1, zone: b, request_bytes: 1000, response_bytes: 9000 }\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 400rps } }]\n"
      "failures: []\n";
  const Difference difference = difference_of(text, with(text, "count: 1, zone: b", "count: 3, zone: b"));
  REQUIRE(difference.crossings.size() == 1);
  const diff::Crossing& crossing = difference.crossings.front();
  // A quarter of 400 requests of 10,000 bytes, then half of them: 1 and 2 MB a second, for 2,628,000 seconds.
  CHECK(crossing.share.before == Approx(0.25));
  CHECK(crossing.share.after == Approx(0.5));
  CHECK(crossing.bytes.before == Approx(1e6 * 2'628'000));
  CHECK(crossing.bytes.after == Approx(2e6 * 2'628'000));
  CHECK(crossing.cost.before == Approx(26.28));
  CHECK(crossing.cost.after == Approx(52.56));
  CHECK_FALSE(difference.utilisation_known);
  CHECK(difference.presences.size() == 2);  // s-5 and s-6
}

TEST_CASE("what crosses zones is compared where shares are counted, too") {
  const auto counted = [](const std::string& bytes, const std::string& price) {
    return "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
           "links: [{ between: [a, b], latency: 1ms, price: " +
           price +
           "/GB }]\n"
           "services: [{ name: s, endpoints: [{ count: 2, zone: a, service_time: 1ms, response_bytes: " +
           bytes + " }, { count: 2, zone: a, service_time: 40ms, response_bytes: " + bytes +
           " }] }]\n"
           "clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
           "clients: [{ name: c, zone: b, workload: { service: s, rate: 200rps } }]\nfailures: []\n";
  };
  // All of 200 answers a second cross: 200 x 1,000 bytes x 2,628,000 s a month, at 0.02 for 1e9 of them.
  const std::string base = counted("1000", "0.02");
  const Difference larger = difference_of(base, counted("10000", "0.02"));
  REQUIRE(larger.crossings.size() == 1);
  CHECK(larger.crossings[0].cost.before == Approx(200 * 1e3 * 2'628'000 * 0.02 / 1e9).epsilon(0.02));
  CHECK(larger.crossings[0].cost.after == Approx(10.0 * larger.crossings[0].cost.before));
  CHECK(larger.crossings[0].bytes.after == Approx(10.0 * larger.crossings[0].bytes.before));
  CHECK(larger.changed());
  const Difference dearer = difference_of(base, counted("1000", "0.2"));
  REQUIRE(dearer.crossings.size() == 1);
  CHECK(dearer.crossings[0].cost.after == Approx(10.0 * dearer.crossings[0].cost.before));
  CHECK(dearer.crossings[0].bytes.after == dearer.crossings[0].bytes.before);
  // Another seed, and nothing else.
  CHECK(difference_of(base, "seed: 7\n" + base).crossings.empty());
}

TEST_CASE("clients that send more are a change of load, not of shares") {
  const std::string text = ten_and_one(50);
  const Difference difference = difference_of(text, with(text, "rate: 600rps", "rate: 1200rps"));
  CHECK(difference.moves.empty());
  REQUIRE_FALSE(difference.rates.empty());
  CHECK(difference.rates.front().rate.before == 600.0);
  CHECK(difference.rates.front().rate.after == 1200.0);
  CHECK_FALSE(difference.overloads.empty());  // 1,200 rps on 10 endpoints of 100
}

TEST_CASE("a ramp is compared at its end too, where it asks for most") {
  const auto ramp_to = [](int rate) {
    return "duration: 3s\nzones: [{ name: a }]\n"
           "services: [{ name: s, endpoints: [{ count: 8, zone: a, capacity: 100rps }] }]\n"
           "clients: [{ name: c, zone: a, workload: { service: s, phases: \"100rps 1s, 100rps-" +
           std::to_string(rate) + "rps 1s, 100rps\" } }]\nfailures: []\n";
  };
  const Difference difference = difference_of(ramp_to(300), ramp_to(1500));
  REQUIRE(difference.rates.size() == 1);
  CHECK(difference.contexts[difference.rates[0].context].start == 1.0);
  CHECK(difference.rates[0].rate.before == Approx(300.0));
  CHECK(difference.rates[0].rate.after == Approx(1500.0));
  // 300 / 800 and 1,500 / 800.
  REQUIRE(difference.overloads.size() == 8);
  CHECK(*difference.overloads[0].before == Approx(0.375));
  CHECK(*difference.overloads[0].after == Approx(1.875));
}

TEST_CASE("weights of clusters move requests from one service to another") {
  const auto split = [](int be, int canary) {
    return "duration: 10s\nmode: exact\nzones: [{ name: z }]\n"
           "services: [{ name: be, endpoints: [{ zone: z, count: 2 }] }, { name: c1, endpoints: [{ zone: z }] }]\n"
           "routes: [{ match: { prefix: / }, route: { weighted_clusters: { clusters: [{ name: be, weight: " +
           std::to_string(be) + " }, { name: c1, weight: " + std::to_string(canary) +
           " }] } } }]\nclients: [{ name: web, zone: z, workload: { rate: 100rps } }]\nfailures: []\n";
  };
  const Difference difference = difference_of(split(9, 1), split(1, 1));
  CHECK(difference.changed());
  CHECK(difference.moves.empty());
  REQUIRE_FALSE(difference.splits.empty());
  const diff::Split& moved = difference.splits.front();
  CHECK(moved.client == "web");
  CHECK(moved.points() == Approx(0.4));
  CHECK(support::part_of(moved.services, "be")->before == Approx(0.9));
  CHECK(support::part_of(moved.services, "be")->after == Approx(0.5));
  CHECK(support::part_of(moved.services, "c1")->before == Approx(0.1));
  CHECK_FALSE(difference_of(split(9, 1), split(18, 2)).changed());
}

TEST_CASE("what counting alone may bring above capacity does not come over it", "[unsanitized]") {
  // Rows of outlier detection are counted. Exactly at capacity, half of the counts are above it.
  const auto at_rate = [](const char* rate) {
    return std::string(
               "duration: 60s\nzones: [{ name: a }]\n"
               "services: [{ name: s, endpoints: [{ count: 3, zone: a, capacity: 100rps }] }]\n"
               "clusters: [{ name: s, outlier_detection: { max_ejection_percent: 100 } }]\n"
               "clients: [{ name: c, zone: a, workload: { service: s, rate: ") +
           rate + " } }]\nfailures: []\n";
  };
  CHECK(difference_of(at_rate("300rps"), at_rate("250rps")).overloads.empty());
  CHECK(difference_of(at_rate("250rps"), at_rate("300rps")).overloads.empty());
  CHECK_FALSE(difference_of(at_rate("250rps"), at_rate("360rps")).overloads.empty());
}

TEST_CASE("what requests that hang together do by chance is no change") {
  // Ejections come and go, so that shares of one run each differ far more than those of independent requests would.
  const std::string text =
      "name: d\nseed: 1\nduration: 20s\nzones: [{ name: a }, { name: b }]\n"
      "services:\n"
      "  - name: cart\n"
      "    endpoints:\n"
      "      - { count: 2, zone: a, cores: 1, service_time: { mean: 10ms, distribution: exponential } }\n"
      "      - { count: 2, zone: b, cores: 1, service_time: { mean: 10ms, distribution: exponential } }\n"
      "clusters:\n"
      "  - name: cart\n"
      "    outlier_detection: { consecutive_5xx: 5, interval: 2s, base_ejection_time: 5s, max_ejection_percent: 50 }\n"
      "routes:\n"
      "  - match: { prefix: / }\n"
      "    route: { cluster: cart, timeout: 1s, retry_policy: { retry_on: 5xx, num_retries: 1 } }\n"
      "clients: [{ name: ca, zone: a, count: 2, workload: { rate: 100rps } }]\n"
      "timeline: [{ at: 5s, endpoints: [cart-1], fails: 50% }]\nfailures: []\n";
  for (const char* const seed : {"seed: 2", "seed: 5", "seed: 6"}) {
    INFO(seed);
    const Difference difference = difference_of(text, with(text, "seed: 1", seed));
    CHECK(difference.moves.empty());
    CHECK_FALSE(difference.changed());
  }
  // A timeout that no request reaches, with draws of its own for whatever asks for it.
  CHECK(difference_of(text, with(text, "timeout: 1s", "timeout: 0.9s")).moves.empty());
  // What does move is found: twice the weight on one of them.
  const std::string weighted = with(text, "{ count: 2, zone: b,", "{ count: 2, zone: b, weight: 3,");
  CHECK_FALSE(difference_of(text, weighted).moves.empty());
}

TEST_CASE("an endpoint that stands in another zone is another one") {
  const auto counted_in_a = [](int count) {
    std::string endpoints;
    for (int number = 1; number <= count + 2; ++number) {
      endpoints += "{ id: s-" + std::to_string(number) + ", zone: " + (number <= count ? "a" : "b") + " }, ";
    }
    return "duration: 1s\nzones: [{ name: a }, { name: b }]\n"
           "services: [{ name: s, endpoints: [" +
           endpoints +
           "] }]\n"
           "clients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\nfailures: []\n";
  };
  // s-3 is in b, then in a: 2 of 4 in a, then 6 of 8.
  const Difference difference = difference_of(counted_in_a(2), counted_in_a(6));
  REQUIRE(difference.moves.size() == 1);
  CHECK(change_of(difference.moves.front().zones, "a") == "50 -> 75");
  CHECK(difference.moves.front().zone_points == Approx(0.25));
  // Two eighths stay at s-1 and s-2; all else goes to an endpoint that was not there.
  CHECK(difference.moves.front().points == Approx(0.75));
}

namespace {

// 100 requests a second that all endpoints share evenly, 100 of them each what one can do.
std::string regions(const std::string& zones, const std::string& endpoints, const std::string& client_zone) {
  return "duration: 10s\nmode: exact\nzones: [" + zones + "]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclients: [{ name: c, zone: " + client_zone +
         ", workload: { service: s, rate: 100rps } }]\nfailures: []\n";
}

std::string old_region() {
  return regions("{ name: a, region: r1 }, { name: b, region: r1 }",
                 "{ id: a1, zone: a, capacity: 100rps }, { id: b1, zone: b, capacity: 100rps }", "a");
}

const diff::ZoneLoad* load_of(const Difference& difference, const std::string& zone) {
  const auto found = std::find_if(difference.zone_loads.begin(), difference.zone_loads.end(),
                                  [&](const diff::ZoneLoad& load) { return load.zone == zone; });
  return found == difference.zone_loads.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a second region with a zone of the same name leaves the first one's zone what it was", "[diff]") {
  // Two endpoints have 50 % of the requests each; of four each has 25 %, and two are in r2/a: one at half the speed.
  const Difference difference = difference_of(
      old_region(), regions("{ name: a, region: r1 }, { name: b, region: r1 }, { name: a, region: r2 }",
                            "{ id: a1, zone: r1/a, capacity: 100rps }, { id: b1, zone: b, capacity: 100rps }, "
                            "{ id: c1, zone: r2/a, capacity: 50rps }, { id: c2, zone: r2/a, capacity: 100rps }",
                            "r1/a"));
  REQUIRE(difference.moves.size() == 1);
  CHECK(difference.moves[0].client_zone == "r1/a");
  CHECK(change_of(difference.moves[0].zones, "r1/a") == "50 -> 25");
  CHECK(change_of(difference.moves[0].zones, "r2/a") == "0 -> 50");
  CHECK(change_of(difference.moves[0].zones, "b") == "50 -> 25");
  CHECK(change_of(difference.moves[0].zones, "a").empty());
  REQUIRE(load_of(difference, "r1/a") != nullptr);
  CHECK(load_of(difference, "r1/a")->before == 0.5);
  CHECK(load_of(difference, "r1/a")->after == 0.25);
  REQUIRE(load_of(difference, "r2/a") != nullptr);
  CHECK_FALSE(load_of(difference, "r2/a")->before);
  CHECK(load_of(difference, "r2/a")->after == 0.5);
  CHECK(load_of(difference, "a") == nullptr);
  const auto zones = std::count_if(difference.presences.begin(), difference.presences.end(),
                                   [](const diff::Presence& presence) { return presence.kind == "zone"; });
  CHECK(zones == 1);
}

TEST_CASE("a zone of another region is another zone, whatever its name", "[diff]") {
  const std::string moved =
      regions("{ name: a, region: r2 }, { name: b, region: r1 }",
              "{ id: a1, zone: a, capacity: 100rps }, { id: b1, zone: b, capacity: 100rps }", "b");
  const Difference difference = difference_of(old_region(), moved);
  REQUIRE(difference.moves.size() == 1);
  CHECK(change_of(difference.moves[0].zones, "r1/a") == "50 -> 0");
  CHECK(change_of(difference.moves[0].zones, "r2/a") == "0 -> 50");
  REQUIRE(load_of(difference, "r1/a") != nullptr);
  CHECK(load_of(difference, "r1/a")->before == 0.5);
  CHECK_FALSE(load_of(difference, "r1/a")->after);
}

TEST_CASE("naming the region of zones that had none moves nothing", "[diff]") {
  const auto zones = [](const std::string& region) {
    return regions("{ name: a" + region + " }, { name: b" + region + " }",
                   "{ id: a1, zone: a, capacity: 100rps }, { id: b1, zone: b, capacity: 100rps }", "a");
  };
  const Difference difference = difference_of(zones(""), zones(", region: r1"));
  CHECK(difference.moves.empty());
  CHECK(difference.zone_loads.empty());
  CHECK(difference.presences.empty());
}

TEST_CASE("A mesh with a zone egress is no change of itself, with sizes of requests and without",
          "[diff][unsanitized]") {
  const auto egress = [](const std::string& sizes) {
    return "duration: 40s\nzones: [{ name: z1 }, { name: z2 }, { name: z3 }]\n"
           "links: [{ between: [z1, z2], price: 0.01/GB }, { between: [z1, z3], price: 0.02/GB }]\n"
           "services: [{ name: backend, endpoints: [{ zone: z1" +
           sizes + " }, { count: 2, zone: z2" + sizes + " }, { count: 4, zone: z3" + sizes +
           " }] }]\n"
           "resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin "
           "}]"
           " }, routing: { zoneEgress: true } }]\n"
           "clients: [{ name: web, zone: z1, workload: { service: backend, rate: 100rps } }]\n";
  };
  for (const std::string sizes : {"", ", request_bytes: 1000, response_bytes: 20000"}) {
    const Difference difference = difference_of(egress(sizes), egress(sizes));
    CHECK(difference.crossings.empty());
    CHECK(difference.moves.empty());
  }
  // All answers are twice as large: twice the bytes that cross, counted with the same draws on both sides.
  const Difference larger = difference_of(egress(", response_bytes: 20000"), egress(", response_bytes: 40000"));
  REQUIRE_FALSE(larger.crossings.empty());
  CHECK(larger.crossings.front().bytes.before > 0.0);
  CHECK(larger.crossings.front().bytes.after == Approx(2.0 * larger.crossings.front().bytes.before));
}
