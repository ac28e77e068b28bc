#include <catch2/catch.hpp>

#include "sim/observed/stats.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/compare/compared.hpp"

using namespace test_compare;

namespace {

const char* const least_request = "  lb_policy: LEAST_REQUEST\n";

std::vector<EdsHost> three_with(const std::vector<std::uint64_t>& counts) {
  return {{"10.0.0.1:80", "a", counts[0]}, {"10.0.0.2:80", "a", counts[1]}, {"10.0.0.3:80", "a", counts[2]}};
}

compare::ClusterComparison by_policy(const std::string& policy, const std::vector<EdsHost>& hosts) {
  const auto after = moment("backend", hosts);
  return compared(backend(policy, hosts), {.clusters_after = &after}).clusters.front();
}

}  // namespace

TEST_CASE("under least request no host gets more picks than draw it, whatever is in flight") {
  // One of two draws among three hosts is it: 1 - (2/3)^2 = 55.6 %.
  const auto all_to_one = by_policy(least_request, three_with({3'000, 0, 0}));
  CHECK(all_to_one.verdict == study::Verdict::missed);
  CHECK(all_to_one.reasons.empty());
  REQUIRE_FALSE(all_to_one.notes.empty());
  CHECK(all_to_one.notes.back() ==
        "10.0.0.1:80 got 100.0 % of the picks; with 2 draws for each it gets at most 55.6 %, whatever is in flight");
  CHECK(by_policy(least_request, three_with({1'600, 900, 500})).verdict == study::Verdict::unknown);
  // 33 more than 1,667 of 3,000 is within chance: their standard deviation is 27.
  CHECK(by_policy(least_request, three_with({1'700, 800, 500})).verdict == study::Verdict::unknown);
  CHECK(by_policy(least_request, three_with({2'000, 500, 500})).verdict == study::Verdict::missed);
  // With three draws 1 - (2/3)^3 = 70.4 %.
  const std::string of_three = std::string(least_request) + "  least_request_lb_config: { choice_count: 3 }\n";
  CHECK(by_policy(of_three, three_with({2'000, 500, 500})).verdict == study::Verdict::unknown);
  CHECK(by_policy(of_three, three_with({2'400, 300, 300})).verdict == study::Verdict::missed);
}

TEST_CASE("a host of a zone with others gets no more of the picks than draw it in its zone") {
  // Half of the hosts are in each zone, and no zone is preferred: a host has at most 1 - (3/4)^2 = 43.75 %.
  const auto counts = [](std::uint64_t first, std::uint64_t second, std::uint64_t third, std::uint64_t fourth) {
    return std::vector<EdsHost>{{"10.0.0.1:80", "a", first},
                                {"10.0.0.2:80", "a", second},
                                {"10.0.0.3:80", "b", third},
                                {"10.0.0.4:80", "b", fourth}};
  };
  CHECK(by_policy(least_request, counts(1'700, 900, 700, 700)).verdict == study::Verdict::unknown);
  CHECK(by_policy(least_request, counts(2'000, 600, 700, 700)).verdict == study::Verdict::missed);
}

TEST_CASE("where picks are not made among drawn hosts, one host may get them all") {
  const char* const full_scan = R"(  load_balancing_policy:
    policies:
    - typed_extension_config:
        name: least
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest
          selection_method: FULL_SCAN
)";
  CHECK(by_policy(full_scan, three_with({3'000, 0, 0})).verdict == study::Verdict::unknown);
  auto weighted = three_with({3'000, 0, 0});
  weighted[0].weight = 2;
  CHECK(by_policy(least_request, weighted).verdict == study::Verdict::unknown);
}

TEST_CASE("picks without a connection count for hosts that were picked, and retries may look for others") {
  const auto hosts = three_with({2'000, 500, 500});
  const auto after = moment("backend", hosts);
  observed::Stats before_retries;
  observed::Stats after_retries;
  before_retries.clusters["backend"]["upstream_rq_retry"] = 0;
  // 1,200 of the 2,200 first picks at least, which is 54.5 %.
  after_retries.clusters["backend"]["upstream_rq_retry"] = 800;
  CHECK(compared(backend(least_request, hosts),
                 {.clusters_after = &after, .stats_before = &before_retries, .stats_after = &after_retries})
            .clusters.front()
            .verdict == study::Verdict::unknown);
  auto failing = hosts;
  failing[1].connect_failures = 500;
  failing[2].connect_failures = 500;
  CHECK(by_policy(least_request, failing).verdict == study::Verdict::unknown);
}
