#include "sim/compare/compare.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/observed/access_log.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/stats.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/compare/compared.hpp"

using namespace test_compare;
using compare::ReasonKind;
using envoy::HostFlag;

namespace {

// Four hosts in two zones, one of them of weight 2.
const std::vector<EdsHost> four = {
    {"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "b"}, {"10.0.0.4:80", "b", 0, {}, 2}};

std::vector<EdsHost> with_counts(std::vector<EdsHost> hosts, const std::vector<std::uint64_t>& counts) {
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    hosts[host].requests = counts[host];
  }
  return hosts;
}

observed::AccessLog logged(const std::vector<std::pair<EdsHost, std::uint64_t>>& hosts) {
  observed::AccessLog log;
  for (const auto& [host, requests] : hosts) {
    log.requests.insert(log.requests.end(), requests, observed::LoggedRequest{host.address, "backend"});
  }
  return log;
}

}  // namespace

TEST_CASE("counts in the proportion of weights fit") {
  const auto before = moment("backend", with_counts(four, {10, 10, 10, 20}));
  const auto after = moment("backend", with_counts(four, {1'010, 1'010, 1'010, 2'020}));
  const auto comparison = compared(backend("", four), {.clusters_before = &before, .clusters_after = &after});
  REQUIRE(comparison.clusters.size() == 1);
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::met);
  CHECK(comparison.agrees());
  CHECK(cluster.requests == 5'000);
  CHECK(cluster.hosts[3].predicted == Approx(0.4));
  CHECK(cluster.hosts[3].requests == 2'000);
  REQUIRE(cluster.groups.size() == 2);
  CHECK(cluster.groups[1].predicted == Approx(0.6));
  CHECK(cluster.groups[1].requests == 3'000);
  // By host and by zone; there is one priority.
  CHECK(comparison.tests == 2);
}

TEST_CASE("counts of equal shares do not fit weights, and the table says where") {
  const auto after = moment("backend", with_counts(four, {1'250, 1'250, 1'250, 1'250}));
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  CHECK(comparison.clusters.front().verdict == study::Verdict::missed);
  CHECK_FALSE(comparison.agrees());
  const auto& reasons = comparison.clusters.front().reasons;
  const auto equal = std::find_if(reasons.begin(), reasons.end(), [](const auto& reason) {
    return reason.kind == compare::ReasonKind::weights_ignored;
  });
  REQUIRE(equal != reasons.end());
  CHECK(equal->explains);
  CHECK(equal->text == "the counts are as if all weights were equal");
}

TEST_CASE("health that changed in between mixes the shares before and after") {
  auto down = four;
  down[0].flags = {HostFlag::failed_eds_health};
  // 2,000 requests over five parts, then 3,000 over the four of the others.
  const auto before = moment("backend", four);
  const auto after = moment("backend", with_counts(down, {400, 1'150, 1'150, 2'300}));
  const auto comparison = compared(backend("", four), {.clusters_before = &before, .clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::met);
  CHECK(cluster.differences.empty());
  REQUIRE_FALSE(cluster.notes.empty());
  CHECK(cluster.notes.front() == "health changed in between: 10.0.0.1:80 healthy -> /failed_eds_health");
  CHECK(cluster.hosts[0].predicted == Approx(0.08).margin(1e-4));
}

TEST_CASE("weights that the proxy holds otherwise are a difference, and explain the counts") {
  auto held = four;
  held[0].weight = 5;
  const auto after = moment("backend", with_counts(held, {5'000, 1'000, 1'000, 2'000}));
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  REQUIRE(cluster.differences.size() == 1);
  CHECK(cluster.differences.front().address == "10.0.0.1:80");
  CHECK(cluster.differences.front().what == "weight");
  CHECK(cluster.differences.front().configured == "1");
  CHECK(cluster.differences.front().held == "5");
  REQUIRE_FALSE(cluster.reasons.empty());
  CHECK(cluster.reasons.front().kind == ReasonKind::reported_otherwise);
  CHECK(cluster.reasons.front().explains);
}

TEST_CASE("members that only one side has are differences, even without requests") {
  auto held = four;
  held[1].address = "10.0.0.9:80";
  const auto after = moment("backend", held);
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  REQUIRE(comparison.clusters.size() == 1);
  const auto& differences = comparison.clusters.front().differences;
  REQUIRE(differences.size() == 2);
  CHECK(differences[0].address == "10.0.0.2:80");
  CHECK(differences[0].held == "no");
  CHECK(differences[1].address == "10.0.0.9:80");
  CHECK(differences[1].configured == "no");
  CHECK_FALSE(comparison.agrees());
}

TEST_CASE("no absence of a host explains requests of one that the configuration does not have") {
  auto held = with_counts(four, {1'000, 1'000, 1'000, 2'000});
  held.push_back({"10.0.0.9:80", "b", 1'000});
  const auto after = moment("backend", held);
  observed::Stats stats;
  stats.per_endpoint = after;
  for (const char* const policy : {"", "  lb_policy: LEAST_REQUEST\n"}) {
    for (const compare::Observed& seen :
         {compare::Observed{.clusters_after = &after}, compare::Observed{.stats_after = &stats}}) {
      const auto cluster = compared(backend(policy, four), seen).clusters.front();
      CHECK(cluster.verdict == study::Verdict::missed);
      CHECK(cluster.tests.front().chance == 0.0);
      // What the proxy holds has that host, where its members were read; nothing else does.
      for (const auto& one : cluster.reasons) {
        INFO(one.text);
        const bool holds_the_host = one.kind == ReasonKind::reported_otherwise;
        CHECK((holds_the_host || one.chance == 0.0));
        CHECK(one.explains == (holds_the_host && seen.clusters_after != nullptr));
      }
      REQUIRE(cluster.differences.size() == 1);
      CHECK(cluster.differences.front().address == "10.0.0.9:80");
      CHECK(cluster.differences.front().what == "member");
      REQUIRE_FALSE(cluster.notes.empty());
      CHECK(cluster.notes.front() == "hosts that the configuration does not have got 1000 of 6000 requests");
    }
  }
}

TEST_CASE("a host that was down for a part of the requests is found by its counts") {
  // 6,000 over five parts, then 4,000 without the second host: 1, 1, 2 of 4.
  const auto after = moment("backend", with_counts(four, {2'200, 1'200, 2'200, 4'400}));
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::part_of_the_time);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK_FALSE(found->seen);
  CHECK(found->text == "10.0.0.2:80 was unhealthy, ejected or away for 40.0 % of the requests");
}

TEST_CASE("connections that failed stand for picks that are no requests") {
  auto dead = with_counts(four, {1'000, 0, 1'000, 2'000});
  dead[1].connect_failures = 1'000;
  const auto after = moment("backend", dead);
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  const auto* const found = reason(cluster, ReasonKind::connect_failures);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->seen);
  CHECK(found->text == "10.0.0.2:80 got no connection 1000 times: picks that rq_total does not count");
}

TEST_CASE("requests that the access log lacks are another client's") {
  const auto after = moment("backend", with_counts(four, {2'000, 1'000, 1'000, 2'000}));
  observed::AccessLog log;
  const std::uint64_t logged[] = {1'000, 1'000, 1'000, 2'000};
  for (std::size_t host = 0; host < four.size(); ++host) {
    for (std::uint64_t i = 0; i < logged[host]; ++i) {
      log.requests.push_back({four[host].address, "backend"});
    }
  }
  const auto comparison = compared(backend("", four), {.clusters_after = &after, .log = &log});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::another_client);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->seen);
  CHECK(found->text.starts_with("1000 of 6000 requests are not in the access log"));
}

TEST_CASE("a client that picks like the first one is told by what its log lacks") {
  const auto after = moment("backend", with_counts(four, {2'000, 2'000, 2'000, 4'000}));
  observed::AccessLog log;
  const std::uint64_t logged[] = {1'000, 1'000, 1'000, 2'000};
  for (std::size_t host = 0; host < four.size(); ++host) {
    for (std::uint64_t i = 0; i < logged[host]; ++i) {
      log.requests.push_back({four[host].address, "backend"});
    }
  }
  CHECK(compared(backend("", four), {.clusters_after = &after}).clusters.front().verdict == study::Verdict::met);
  const auto comparison = compared(backend("", four), {.clusters_after = &after, .log = &log});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  REQUIRE(cluster.reasons.size() == 1);
  CHECK(cluster.reasons[0].kind == ReasonKind::another_client);
  CHECK(cluster.reasons[0].explains);
  CHECK(cluster.reasons[0].text.starts_with("5000 of 10000 requests are not in the access log"));
}

TEST_CASE("a log with more requests of a host than were counted is of another time and explains nothing") {
  const std::vector<EdsHost> three = {four[0], four[1], four[2]};
  const auto before = moment("backend", three);
  auto hosts = with_counts(three, {2'000, 500, 500});
  const auto log = logged({{three[0], 700}, {three[1], 700}, {three[2], 700}});
  const auto found_with = [&](const observed::Clusters& first) {
    const auto after = moment("backend", hosts);
    const auto comparison =
        compared(backend("", three), {.clusters_before = &first, .clusters_after = &after, .log = &log});
    const auto* const found = reason(comparison.clusters.front(), ReasonKind::another_client);
    REQUIRE(found != nullptr);
    return *found;
  };
  const auto found = found_with(before);
  CHECK_FALSE(found.explains);
  CHECK_FALSE(found.seen);
  CHECK(found.text ==
        "900 of 3000 requests are not in the access log, but it has more requests than hosts counted: 700 of "
        "10.0.0.2:80 where 500 were counted, 700 of 10.0.0.3:80 where 500 were counted; so it is of another time or of "
        "another proxy");
  // Picks without a connection, and requests that were under way at the first moment, are logged too.
  hosts[1].connect_failures = 200;
  auto busy = before;
  busy.clusters.front().hosts[2].counters.rq_active = 200;
  CHECK(found_with(busy).explains);
}

TEST_CASE("a log of more requests than were counted leaves it open whether there is another client, which is said") {
  const std::vector<EdsHost> three = {four[0], four[1], four[2]};
  const auto after = moment("backend", with_counts(three, {1'000, 1'000, 1'000}));
  const auto longer = logged({{three[0], 4'500}, {three[1], 4'500}});
  const auto comparison = compared(backend("", three), {.clusters_after = &after, .log = &longer});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::met);
  REQUIRE(cluster.notes.size() == 1);
  CHECK(cluster.notes.front() ==
        "the access log has more requests than hosts counted (4500 of 10.0.0.1:80 where 1000 were counted, 4500 of "
        "10.0.0.2:80 where 1000 were counted): it is of another time or proxy, so whether another client sent requests "
        "is unknown");
  const auto own = logged({{three[0], 1'000}, {three[1], 1'000}, {three[2], 1'000}});
  CHECK(compared(backend("", three), {.clusters_after = &after, .log = &own}).clusters.front().notes.empty());
}

TEST_CASE("requests that were retried may stand at another host") {
  const auto after = moment("backend", with_counts(four, {1'200, 1'000, 1'000, 2'000}));
  observed::Stats stats_before;
  observed::Stats stats_after;
  stats_before.clusters["backend"]["upstream_rq_retry"] = 40;
  stats_after.clusters["backend"]["upstream_rq_retry"] = 240;
  const auto comparison = compared(
      backend("", four), {.clusters_after = &after, .stats_before = &stats_before, .stats_after = &stats_after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::retries);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->text == "200 requests were sent again, to a host of another pick");
}

TEST_CASE("attempts that failed at a host are not in an access log, and the retries that followed explain it") {
  const std::vector<EdsHost> hosts = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "a"}};
  // Each host is picked 1,000 times. The third one fails them all, and each is tried again at one of the others.
  observed::AccessLog log;
  observed::AccessLog with_attempts;
  for (std::uint32_t request = 0; request < 2'000; ++request) {
    const std::string& host = hosts[request % 2].address;
    log.requests.push_back({host, "backend"});
    with_attempts.requests.push_back(
        {.upstream_host = host, .upstream_cluster = "backend", .attempts = 1 + request % 2});
  }
  observed::Stats before;
  observed::Stats after;
  before.clusters["backend"]["upstream_rq_retry"] = 0;
  after.clusters["backend"]["upstream_rq_retry"] = 1'000;
  for (const compare::Observed& seen : {compare::Observed{.stats_before = &before, .stats_after = &after, .log = &log},
                                        compare::Observed{.log = &with_attempts}}) {
    const auto cluster = compared(backend("", hosts), seen).clusters.front();
    CHECK(cluster.verdict == study::Verdict::missed);
    REQUIRE_FALSE(cluster.reasons.empty());
    CHECK(cluster.reasons.front().kind == ReasonKind::retries);
    CHECK(cluster.reasons.front().explains);
    CHECK(cluster.reasons.front().seen);
    CHECK(cluster.reasons.front().chance == Approx(1.0));
    CHECK(cluster.reasons.front().text.ends_with(": 1000 at 10.0.0.3:80"));
  }
  // Too few retries for as many attempts as are missing.
  after.clusters["backend"]["upstream_rq_retry"] = 100;
  const auto few = compared(backend("", hosts), {.stats_before = &before, .stats_after = &after, .log = &log});
  const auto* const found = reason(few.clusters.front(), ReasonKind::retries);
  REQUIRE(found != nullptr);
  CHECK_FALSE(found->explains);
}

TEST_CASE("a frequent key sticks to its host under a hash policy") {
  const std::string documents = backend("  lb_policy: MAGLEV\n", {four[0], four[1], four[2]});
  const std::vector<EdsHost> three = {four[0], four[1], four[2]};
  const auto probe = moment("backend", with_counts(three, {1, 1, 1}));
  const auto shares = compared(documents, {.clusters_after = &probe}).clusters.front().hosts;
  std::vector<std::uint64_t> counts;
  for (const auto& host : shares) {
    counts.push_back(static_cast<std::uint64_t>(9'000.0 * *host.predicted));
  }
  counts[1] += 3'000;
  const auto after = moment("backend", with_counts(three, counts));
  const auto comparison = compared(documents, {.clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::sticky_keys);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->text == "keys with 25.0 % of the requests belong to 10.0.0.2:80");
}

TEST_CASE("under least request hosts of one zone are compared together, and the only zone with nothing") {
  // Host 1 has many requests in flight and is picked less; nothing exact contradicts it, and nothing was compared.
  const std::vector<EdsHost> hosts = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}};
  const auto after = moment("backend", with_counts(hosts, {1'500, 3'500}));
  const auto comparison = compared(backend("  lb_policy: LEAST_REQUEST\n", hosts), {.clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::unknown);
  CHECK(cluster.why.starts_with("only all of its hosts together have an exact share: "));
  CHECK_FALSE(cluster.hosts[0].predicted.has_value());
  CHECK(cluster.hosts[0].at_rest == Approx(0.5));
  const std::vector<EdsHost> zones = {
      {"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {.address = "10.0.0.3:80", .zone = "b", .priority = 1}};
  const auto other = moment("backend", with_counts(zones, {1'500, 3'500, 0}));
  CHECK(compared(backend("  lb_policy: LEAST_REQUEST\n", zones), {.clusters_after = &other}).clusters.front().verdict ==
        study::Verdict::met);
  const auto impossible = moment("backend", with_counts(zones, {1'500, 3'500, 1}));
  CHECK(compared(backend("  lb_policy: LEAST_REQUEST\n", zones), {.clusters_after = &impossible})
            .clusters.front()
            .verdict == study::Verdict::missed);
}

TEST_CASE("counts that no mixture of the states in between makes do not fit, however few the hosts are") {
  // Two hosts at P0, two at P1; one of each goes. P0 has 100, 70 or 70 % of the picks, whichever goes first.
  const std::vector<EdsHost> hosts = {{"10.0.0.1:80", "a"},
                                      {"10.0.0.2:80", "a"},
                                      {.address = "10.0.0.3:80", .zone = "b", .priority = 1},
                                      {.address = "10.0.0.4:80", .zone = "b", .priority = 1}};
  auto gone = hosts;
  gone[1].flags = {HostFlag::failed_eds_health};
  gone[3].flags = {HostFlag::failed_eds_health};
  const auto before = moment("backend", hosts);
  const auto verdict = [&](const std::vector<std::uint64_t>& counts) {
    const auto after = moment("backend", with_counts(gone, counts));
    return compared(backend("", hosts), {.clusters_before = &before, .clusters_after = &after})
        .clusters.front()
        .verdict;
  };
  CHECK(verdict({100'000, 5, 900'000, 0}) == study::Verdict::missed);
  CHECK(verdict({500'000, 20'000, 100'000, 0}) == study::Verdict::missed);
  // Half before, half after: 50 and 50, then 70 and 30.
  CHECK(verdict({600'000, 250'000, 150'000, 0}) == study::Verdict::met);
}

TEST_CASE("a host that was away for no request explains nothing") {
  const std::vector<EdsHost> hosts = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}};
  const auto after = moment("backend", with_counts(hosts, {700, 300}));
  const auto comparison = compared(backend("", hosts), {.clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::part_of_the_time);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  // The second one has the fewer requests: it was away, and the first one alone for 40 %.
  CHECK(found->text == "10.0.0.2:80 was unhealthy, ejected or away for 40.0 % of the requests");
}

TEST_CASE("a dead host is told even where only the sum over hosts is exact") {
  const std::vector<EdsHost> hosts = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}};
  auto dead = with_counts(hosts, {0, 4'000});
  dead[0].connect_failures = 4'000;
  const auto after = moment("backend", dead);
  const auto comparison = compared(backend("  lb_policy: LEAST_REQUEST\n", hosts), {.clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  const auto* const found = reason(cluster, ReasonKind::connect_failures);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->text == "10.0.0.1:80 got no connection 4000 times and no request: picks that rq_total does not count");
}

TEST_CASE("counters that were reset count from there, and it is said") {
  const auto before = moment("backend", with_counts(four, {90'000, 90'000, 90'000, 180'000}));
  const auto after = moment("backend", with_counts(four, {1'000, 1'000, 1'000, 2'000}));
  const auto comparison = compared(backend("", four), {.clusters_before = &before, .clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::met);
  CHECK(cluster.requests == 5'000);
  REQUIRE_FALSE(cluster.notes.empty());
  CHECK(cluster.notes.front() == "counters were reset in between: requests are those since then");
}

TEST_CASE("a handful of requests proves nothing") {
  const auto after = moment("backend", with_counts(four, {3, 0, 0, 0}));
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  CHECK(comparison.clusters.front().verdict == study::Verdict::undecided);
  CHECK(comparison.agrees());
}

TEST_CASE("a cluster of the proxy that the configuration lacks is named") {
  const auto after = moment("other", with_counts(four, {3, 3, 3, 3}));
  const auto comparison = compared(backend("", four), {.clusters_after = &after});
  CHECK(comparison.unknown == std::vector<std::string>{"other"});
  CHECK_FALSE(comparison.agrees());
}

TEST_CASE("requests of a log that belong to no cluster are counted and said") {
  observed::AccessLog log;
  for (const char* const address : {"10.0.0.1:80", "10.0.0.2:80", "10.0.0.9:80", "10.0.0.9:80"}) {
    log.requests.push_back({address, ""});
  }
  log.requests.push_back({"", ""});  // no host was picked
  const auto comparison = compared(backend("", four), {.log = &log});
  CHECK(comparison.unassigned.of_no_cluster == 2);
  CHECK(comparison.unassigned.of_several == 0);
  CHECK(comparison.unassigned.in_log == 4);
  REQUIRE(comparison.notes.size() == 1);
  CHECK(comparison.notes.front().starts_with("2 of 4 requests in the access log went to addresses that no cluster"));
  CHECK(comparison.agrees());
  // Named by the log, the host is one that the cluster should not have.
  log.requests[2].upstream_cluster = log.requests[3].upstream_cluster = "backend";
  const auto named = compared(backend("", four), {.log = &log});
  CHECK(named.notes.empty());
  CHECK_FALSE(named.agrees());
}

TEST_CASE("counts come from hosts in /stats, from Prometheus or from an access log alike") {
  observed::Stats stats;
  stats.per_endpoint = moment("backend", with_counts(four, {1'000, 1'000, 1'000, 2'000}));
  observed::AccessLog log;
  observed::RangeAnswer range;
  for (const auto& host : stats.per_endpoint.clusters.front().hosts) {
    for (std::uint64_t i = 0; i < host.counters.rq_total; ++i) {
      log.requests.push_back({host.address, ""});
    }
    range.series.push_back({{{"envoy_cluster_name", "backend"}, {"envoy_endpoint_address", host.address}},
                            {{0.0, 0.0}, {60.0, static_cast<double>(host.counters.rq_total)}}});
  }
  for (const compare::Observed& seen :
       {compare::Observed{.stats_after = &stats}, compare::Observed{.range = &range}, compare::Observed{.log = &log}}) {
    const auto comparison = compared(backend("", four), seen);
    CHECK(comparison.clusters.front().verdict == study::Verdict::met);
    CHECK(comparison.clusters.front().requests == 5'000);
  }
}

namespace {

// An aggregate `canary` of v2, which has no requests of its own, and v1, to which a route leads directly, too.
compare::Comparison compared_canary(const compare::Observed& seen, const compare::RoutedClusters& routed = {}) {
  const auto cluster = [](const std::string& name, const std::string& address) {
    return "- name: " + name + "\n  type: STATIC\n  load_assignment: { cluster_name: " + name +
           ", endpoints: [{ lb_endpoints: [" + address + "] }] }\n";
  };
  const auto host = [](const std::string& ip) {
    return "{ endpoint: { address: { socket_address: { address: " + ip + ", port_value: 80 } } } }";
  };
  const std::string documents =
      "clusters:\n- name: canary\n  lb_policy: CLUSTER_PROVIDED\n  cluster_type: { name: envoy.clusters.aggregate, "
      "typed_config: { '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: "
      "[v2, v1] } }\n" +
      cluster("v2", host("10.0.2.1")) + cluster("v1", host("10.0.1.1") + ", " + host("10.0.1.2"));
  compare::Input input{.names = {"canary", "v2", "v1"}, .observed = seen};
  input.read = [&](const std::string& name) {
    return compare::ClusterReading{scenario::read_envoy_texts({{"c.yaml", documents}}, {.cluster = name}).scenario};
  };
  input.routed = [&] { return routed; };
  return compare::compare(input);
}

observed::Clusters moment_of_canary(std::uint64_t of_v2, std::uint64_t of_v1) {
  observed::Clusters clusters = moment("v2", {{"10.0.2.1:80", "", of_v2}});
  clusters.clusters.push_back(
      moment("v1", {{"10.0.1.1:80", "", of_v1 / 2}, {"10.0.1.2:80", "", of_v1 / 2}}).clusters.front());
  return clusters;
}

observed::Stats stats_of_canary(std::uint64_t of_canary, std::uint64_t of_v1) {
  observed::Stats stats;
  stats.clusters["canary"] = {{"upstream_rq_completed", of_canary}};
  stats.clusters["v1"] = {{"upstream_rq_completed", of_v1}};
  stats.clusters["v2"] = {{"upstream_rq_completed", 0}};
  return stats;
}

const compare::ClusterComparison* compared_cluster(const compare::Comparison& comparison, const std::string& name) {
  for (const compare::ClusterComparison& cluster : comparison.clusters) {
    if (cluster.name == name) {
      return &cluster;
    }
  }
  return nullptr;
}

}  // namespace

// As an Envoy 1.40 counted 4,000 requests to v1 and then 2,000 to canary: completed there, attempts at v2.
TEST_CASE("hosts below an aggregate that get other requests, too, say nothing of it") {
  const auto before = moment_of_canary(0, 0);
  const auto after = moment_of_canary(2'000, 4'000);
  const auto none = stats_of_canary(0, 0);
  const auto both = stats_of_canary(2'000, 4'000);
  const auto by_stats = compared_canary(
      {.clusters_before = &before, .clusters_after = &after, .stats_before = &none, .stats_after = &both});
  CHECK(by_stats.agrees());
  REQUIRE(compared_cluster(by_stats, "canary") != nullptr);
  CHECK(compared_cluster(by_stats, "canary")->verdict == study::Verdict::unknown);
  CHECK(compared_cluster(by_stats, "canary")->why ==
        "its clusters got 4000 requests that were not sent to it, and hosts count all together");
  // Without /stats by what routes name.
  CHECK(compared_canary({.clusters_before = &before, .clusters_after = &after}).agrees());
  const compare::Observed hosts_alone{.clusters_before = &before, .clusters_after = &after};
  CHECK(compared_canary(hosts_alone, {.named = {"canary", "v1"}}).agrees());
  CHECK_FALSE(compared_canary(hosts_alone, {.named = {"canary"}}).agrees());
}

TEST_CASE("an aggregate without requests is idle, and the clusters below it are compared by themselves") {
  const auto before = moment_of_canary(0, 0);
  const auto after = moment_of_canary(0, 4'000);
  const auto none = stats_of_canary(0, 0);
  const auto direct = stats_of_canary(0, 4'000);
  const auto comparison = compared_canary(
      {.clusters_before = &before, .clusters_after = &after, .stats_before = &none, .stats_after = &direct});
  CHECK(comparison.agrees());
  CHECK(compared_cluster(comparison, "canary") == nullptr);
  REQUIRE(compared_cluster(comparison, "v1") != nullptr);
  CHECK(compared_cluster(comparison, "v1")->verdict == study::Verdict::met);
}

TEST_CASE("what is not known of requests or of the time in between makes no deviation") {
  const std::vector<EdsHost> three = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "a"}};
  // One key of all requests.
  const auto one_key = moment("backend", with_counts(three, {0, 5'000, 0}));
  const auto hashed = compared(backend("  lb_policy: RING_HASH\n", three), {.clusters_after = &one_key});
  CHECK(hashed.agrees());
  CHECK(hashed.clusters.front().verdict == study::Verdict::unknown);
  // A host that came in between, in slow start: 5 % of the requests.
  const std::string slow = "  round_robin_lb_config: { slow_start_config: { slow_start_window: 12s } }\n";
  const auto two = moment("backend", {three[0], three[1]});
  const auto third = moment("backend", with_counts(three, {570, 570, 60}));
  CHECK(compared(backend(slow, three), {.clusters_before = &two, .clusters_after = &third}).agrees());
  const auto had_three = moment("backend", three);
  CHECK(compared(backend(slow, three), {.clusters_before = &had_three, .clusters_after = &third}).agrees());
  CHECK_FALSE(compared(backend("", three), {.clusters_before = &had_three, .clusters_after = &third}).agrees());
  // All hosts replaced by others, and the configuration is that of the second moment.
  const auto old_hosts = moment("backend", {{"10.0.9.1:80", "a", 100}, {"10.0.9.2:80", "a", 100}});
  auto replaced = moment("backend", with_counts(three, {500, 500, 500}));
  CHECK(compared(backend("", three), {.clusters_before = &old_hosts, .clusters_after = &replaced}).agrees());
  const auto sessions = moment("backend", with_counts(three, {900, 300, 1'800}));
  CHECK_FALSE(compared(backend("", three), {.clusters_after = &sessions}).agrees());
}

TEST_CASE("attempts that the log itself states are missing from nobody") {
  const std::vector<EdsHost> three = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "a"}};
  const auto before = moment("backend", three);
  const auto after = moment("backend", with_counts(three, {300, 300, 300}));
  auto log = logged({{three[1], 300}, {three[2], 300}});
  for (std::size_t request = 0; request < log.requests.size(); request += 2) {
    log.requests[request].attempts = 2;
  }
  const auto comparison =
      compared(backend("", three), {.clusters_before = &before, .clusters_after = &after, .log = &log});
  CHECK(comparison.agrees());
  CHECK(reason(comparison.clusters.front(), ReasonKind::another_client) == nullptr);
}

TEST_CASE("an address that is listed twice with another health is not compared") {
  std::string documents = backend("", {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.1:80", "a"}});
  documents.insert(documents.rfind("load_balancing_weight"), "health_status: UNHEALTHY, ");
  const auto after = moment("backend", {{"10.0.0.1:80", "a", 3'100}, {"10.0.0.2:80", "a", 6'200}});
  const auto comparison = compared(documents, {.clusters_after = &after});
  CHECK(comparison.agrees());
  CHECK(comparison.clusters.front().why ==
        "10.0.0.1:80 is listed several times with another health, and /clusters counts each");
}
