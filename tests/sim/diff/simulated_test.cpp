// What shares do not show: failed requests, latency, attempts and utilisation of both sides, by the same draws.
#include "sim/diff/simulated.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>

#include "tests/sim/diff/sides.hpp"

using namespace spillway;
using diff::Difference;
using diff::Figure;
using diff::SimulatedFigure;
using support::difference_of;

namespace {

// Two endpoints of one zone, of which the second fails every request; `service` and `route` say the rest.
std::string one_of_two_fails(const std::string& cluster, const std::string& route = "") {
  return "duration: 60s\n"
         "zones: [{ name: a }]\n"
         "services: [{ name: s, endpoints: [{ id: s-1, zone: a, capacity: 100rps }, { id: s-2, zone: a, capacity: "
         "100rps }] }]\n"
         "clusters: [{ name: s" +
         cluster +
         " }]\n"
         "routes: [{ match: { prefix: / }, route: { cluster: s" +
         route +
         " } }]\n"
         "clients: [{ name: c, zone: a, workload: { rate: 20rps, keys: { header: x-user, count: 10, prefix: u } } }]\n"
         "timeline: [{ at: 0s, endpoints: [s-2], fails: 100% }]\n"
         "failures: []\n";
}

// Of the runs themselves; null: there is none.
const SimulatedFigure* find_simulated(const Difference& difference, Figure figure) {
  const auto& figures = difference.simulated.figures;
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const SimulatedFigure& of) {
    return of.figure == figure && difference.contexts[of.context].kind == diff::Context::Kind::run;
  });
  return found == figures.end() ? nullptr : &*found;
}

const SimulatedFigure& simulated(const Difference& difference, Figure figure) {
  const SimulatedFigure* const found = find_simulated(difference, figure);
  REQUIRE(found != nullptr);
  return *found;
}

std::string slow_service(const std::string& time, const std::string& id = "s", int seed = 1) {
  return fmt::format(
      "duration: 20s\nseed: {}\nzones: [{{ name: a }}]\n"
      "services: [{{ name: s, endpoints: [{{ id: {}, zone: a, service_time: {}, cores: 1 }}] }}]\n"
      "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: 10rps, arrivals: periodic }} }}]\n"
      "failures: []\n",
      seed, id, time);
}

}  // namespace

TEST_CASE("a retry elsewhere saves what one of two endpoints fails, and costs half an attempt more") {
  const Difference difference = difference_of(
      one_of_two_fails(""),
      one_of_two_fails("",
                       ", retry_policy: { retry_on: 5xx, num_retries: 1, retry_host_predicate: [{ name: "
                       "envoy.retry_host_predicates.previous_hosts }], host_selection_retry_max_attempts: 10 }"));
  CHECK(difference.changed());
  // A retry takes the healthy host's turn, so that first attempts come to the failing one more often: counted.
  CHECK_FALSE(difference.moves.empty());
  CHECK(difference.simulated.replications == 10);
  // Round robin over two: half of the requests fail, and none with the retry, of which there is one for each of them.
  const SimulatedFigure& failed = simulated(difference, Figure::failed);
  CHECK(failed.before == Approx(0.5).margin(0.01));
  CHECK(failed.after < 0.001);
  CHECK(failed.differs());
  CHECK(failed.client == "c");
  CHECK(failed.service == "s");
  CHECK(simulated(difference, diff::figure_of(scenario::Outcome::upstream_error)).before == failed.before);
  CHECK(find_simulated(difference, diff::figure_of(scenario::Outcome::timeout)) == nullptr);
  const SimulatedFigure& attempts = simulated(difference, Figure::attempts);
  CHECK(attempts.before == 1.0);
  CHECK(attempts.after > 1.45);
  CHECK(attempts.differs());
}

TEST_CASE("requests without an answer at the end are a kind of failure of their own") {
  const auto waits = [](const std::string& fails) {
    return "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ id: s-1, zone: a, capacity: "
           "100rps }, "
           "{ id: s-2, zone: a, capacity: 100rps }] }]\n"
           "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0s } }]\n"
           "clients: [{ name: c, zone: a, workload: { rate: 20rps, requests: [{ path: / }] } }]\nfailures: []\n" +
           fails;
  };
  const Difference difference =
      difference_of(waits(""), waits("timeline: [{ at: 0s, endpoints: [s-2], fails: 100%, fails_with: no_answer }]\n"));
  // Round robin over two, of which one never answers, and no request times out.
  const SimulatedFigure& unfinished = simulated(difference, diff::figure_of(scenario::Outcome::unfinished));
  CHECK(unfinished.before == 0.0);
  CHECK(unfinished.after == Approx(0.5).margin(0.01));
  CHECK(unfinished.after == simulated(difference, Figure::failed).after);
  CHECK(unfinished.differs());
}

TEST_CASE("ejection of the endpoint that fails is a difference of failures, and of shares") {
  const std::string ejects = ", outlier_detection: { consecutive_5xx: 5, interval: 1s, max_ejection_percent: ";
  const Difference difference =
      difference_of(one_of_two_fails(ejects + "100 }"), one_of_two_fails(ejects + "0, enforcing_consecutive_5xx: 0 }"));
  CHECK_FALSE(difference.moves.empty());
  CHECK(difference.changed());
  const SimulatedFigure& failed = simulated(difference, Figure::failed);
  CHECK(failed.after == Approx(0.5).margin(0.01));
  CHECK(failed.before < 0.1);  // five of each ejection, and a minute has at most three of them
  CHECK(failed.half_width > 0.0);
  CHECK(failed.differs());
}

TEST_CASE("a service time is a latency and a utilisation, exactly where nothing is drawn") {
  const Difference difference = difference_of(slow_service("10ms"), slow_service("15ms"));
  for (const Figure figure : {Figure::p50, Figure::p90, Figure::p99}) {
    const SimulatedFigure& latency = simulated(difference, figure);
    CHECK(latency.before == Approx(0.010));
    CHECK(latency.change() == Approx(0.005));
    CHECK(latency.half_width == Approx(0.008 * latency.after));  // histograms have a precision of 0.8 %
    CHECK(latency.differs());
  }
  const SimulatedFigure& utilisation = simulated(difference, Figure::utilisation);
  CHECK(utilisation.zone == "a");
  CHECK(utilisation.before == Approx(0.10).epsilon(0.02));
  CHECK(utilisation.change() == Approx(0.05).epsilon(0.02));
  const SimulatedFigure& failed = simulated(difference, Figure::failed);
  CHECK(failed.identical);
  CHECK_FALSE(failed.differs());
  // None of some 2,000 requests failed: by the rule of three at most 3 in as many.
  CHECK(failed.half_width == Approx(3.0 / 2000.0).epsilon(0.02));
}

TEST_CASE("a zone that gets its first requests is busier than before, when nothing was") {
  const auto two_zones = [](const std::string& priority) {
    return "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
           "services: [{ name: s, endpoints: [{ id: s-1, zone: a, capacity: 100rps }, { id: s-2, zone: b, capacity: "
           "100rps" +
           priority +
           " }] }]\n"
           "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\nfailures: []\n";
  };
  const Difference difference = difference_of(two_zones(", priority: 1"), two_zones(""));
  const auto& figures = difference.simulated.figures;
  const auto found = std::find_if(figures.begin(), figures.end(), [](const SimulatedFigure& of) {
    return of.figure == Figure::utilisation && of.zone == "b";
  });
  REQUIRE(found != figures.end());
  CHECK(found->before == 0.0);
  CHECK(found->after == Approx(0.25).epsilon(0.1));
  CHECK(found->differs());
}

TEST_CASE("what the files say in other words is simulated and found identical") {
  const Difference difference = difference_of(slow_service("10ms"), slow_service("0.01s"));
  CHECK_FALSE(difference.changed());
  CHECK(difference.simulated.replications == 10);
  for (const SimulatedFigure& figure : difference.simulated.figures) {
    CHECK(figure.identical);
  }
}

TEST_CASE("nothing is simulated where only words, the seed or what is expected differ") {
  const std::string text = slow_service("10ms");
  for (const std::string more : {"name: other\n", "description: words\n", "mode: exact\n",
                                 "expect: [{ always: { timeout: 0 } }]\n", "objectives: [{ p99: 1s }]\n"}) {
    CAPTURE(more);
    const Difference difference = difference_of(text, text + more);
    CHECK_FALSE(difference.changed());
    CHECK(difference.simulated.replications == 0);
  }
  const Difference seeds = difference_of(text, slow_service("10ms", "s", 2));
  CHECK_FALSE(seeds.changed());
  CHECK(seeds.simulated.replications == 0);
  CHECK(seeds.not_compared.empty());
}

TEST_CASE("other draws of the same laws are no difference", "[unsanitized]") {
  // An endpoint of another name draws otherwise: at most one such comparison in a hundred is a false alarm.
  const auto random = [](const std::string& id, int seed) {
    return fmt::format(
        "duration: 50s\nseed: {}\nzones: [{{ name: a }}]\n"
        "services: [{{ name: s, endpoints: [{{ id: {}, zone: a, service_time: {{ mean: 10ms, distribution: exponential "
        "}}, cores: 1 }}] "
        "}}]\n"
        "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: 50rps }} }}]\nfailures: []\n",
        seed, id);
  };
  for (int seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Difference difference = difference_of(random("one", seed), random("other", seed));
    CHECK(difference.simulated.replications == 10);
    CHECK_FALSE(difference.simulated.differs());
    CHECK_FALSE(simulated(difference, Figure::p99).identical);
    CHECK(simulated(difference, Figure::p99).half_width > 0.0);
  }
}

TEST_CASE("clients that only one side has are not simulated, and that is said") {
  std::string renamed = slow_service("10ms");
  renamed.replace(renamed.find("name: c,"), 8, "name: d,");
  const Difference difference = difference_of(slow_service("10ms"), renamed);
  CHECK(difference.simulated.replications == 0);
  REQUIRE_FALSE(difference.not_compared.empty());
  CHECK(difference.not_compared.front().find("no client of both sends anything") != std::string::npos);
}

TEST_CASE("what is simulated is bounded: fewer replications, shorter failures, then none, each said") {
  const std::string text = slow_service("10ms");
  const std::string with_failures = text.substr(0, text.find("failures")) + "failures: [{ each: zone }]\n";
  const std::string other = slow_service("15ms");
  const std::string other_failures = other.substr(0, other.find("failures")) + "failures: [{ each: zone }]\n";
  const diff::Side before = support::side_of("before.yaml", with_failures);
  const diff::Side after = support::side_of("after.yaml", other_failures);
  const auto with = [&](diff::Effort effort) { return diff::compare(before, after, {.effort = effort}); };
  // 2 x 200 requests each time.
  CHECK(with({.replications = 8}).simulated.replications == 8);
  const Difference fewer = with({.replications = 8, .most_requests = 2000});
  CHECK(fewer.simulated.replications == 5);
  CHECK(fewer.not_compared.empty());
  CHECK(fewer.simulated.failures == 1);
  const Difference shorter = with({.replications = 5, .most_requests_of_failures = 1200});
  CHECK(shorter.simulated.failures == 1);
  CHECK(shorter.simulated.failure_seconds == 12.0);
  const Difference without = with({.replications = 5, .most_requests_of_failures = 900});
  CHECK(without.simulated.failures == 0);
  REQUIRE(without.not_compared.size() == 1);
  CHECK(without.not_compared.front().find("under 1 of the 1 failures") != std::string::npos);
  const Difference none = with({.replications = 8, .most_requests = 1000});
  CHECK(none.simulated.replications == 0);
  REQUIRE(none.not_compared.size() == 1);
}

TEST_CASE("the same figures for any number of jobs") {
  const diff::Side before = support::side_of("before.yaml", one_of_two_fails(""));
  const diff::Side after = support::side_of(
      "after.yaml", one_of_two_fails(", outlier_detection: { consecutive_5xx: 5, max_ejection_percent: 100 }"));
  const Difference one = diff::compare(before, after, {.effort = {.jobs = 1}});
  const Difference four = diff::compare(before, after, {.effort = {.jobs = 4}});
  REQUIRE(one.simulated.figures.size() == four.simulated.figures.size());
  for (std::size_t index = 0; index < one.simulated.figures.size(); ++index) {
    CHECK(one.simulated.figures[index].after == four.simulated.figures[index].after);
    CHECK(one.simulated.figures[index].half_width == four.simulated.figures[index].half_width);
  }
}

TEST_CASE("what is lost does not answer, whatever panic does with it") {
  // Two zones of two endpoints each at one priority, without zone-aware routing. A zone that is lost leaves half of the
  // endpoints healthy: a panic threshold of 60 % sends half of the requests to those that are lost, one of 40 % none.
  const auto with_threshold = [](int percent) {
    return fmt::format(
        "duration: 20s\nzones: [{{ name: a }}, {{ name: b }}]\n"
        "services: [{{ name: s, endpoints: [{{ count: 2, zone: a, capacity: 100rps }}, {{ count: 2, zone: b, capacity: "
        "100rps }}] }}]\n"
        "clusters: [{{ name: s, common_lb_config: {{ healthy_panic_threshold: {{ value: {} }} }} }}]\n"
        "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: 40rps }} }}]\n"
        "failures: [{{ each: zone }}]\n",
        percent);
  };
  const Difference difference = difference_of(with_threshold(60), with_threshold(40));
  std::size_t failures = 0;
  for (const diff::Move& move : difference.moves) {
    CHECK(difference.contexts[move.context].kind == diff::Context::Kind::failure);
    CHECK(move.lost.before == Approx(0.5));
    CHECK(move.lost.after == 0.0);
    CHECK(move.points == Approx(0.5));
    ++failures;
  }
  CHECK(failures == 2);
  std::size_t differing = 0;
  for (const SimulatedFigure& figure : difference.simulated.figures) {
    if (figure.figure == Figure::failed && figure.differs()) {
      CHECK(difference.contexts[figure.context].kind == diff::Context::Kind::failure);
      CHECK(figure.before == Approx(0.5).margin(0.02));
      CHECK(figure.after == 0.0);
      ++differing;
    }
  }
  CHECK(differing == 2);
}

TEST_CASE("proxies that nobody tells of a failure find it out by their checks, as late as these are", "[unsanitized]") {
  const auto checked_every = [](const std::string& interval) {
    return "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
           "services: [{ name: s, endpoints: [{ count: 4, zone: a }, { count: 4, zone: b }] }]\n"
           "clusters: [{ name: s, common_lb_config: { healthy_panic_threshold: { value: 0 } }, health_checks: [{ "
           "timeout: 0.1s, unhealthy_threshold: 2, healthy_threshold: 2, http_health_check: { path: / }, interval: " +
           interval +
           " }] }]\n"
           "clients: [{ name: c, zone: a, workload: { service: s, rate: 200rps } }]\n"
           "failures: [{ each: zone, told: nothing }]\n";
  };
  const Difference difference = difference_of(checked_every("2s"), checked_every("20s"));
  CHECK(difference.changed());
  const auto& figures = difference.simulated.figures;
  const auto failed = std::find_if(figures.begin(), figures.end(), [&](const SimulatedFigure& of) {
    return of.figure == Figure::failed && difference.contexts[of.context].kind == diff::Context::Kind::failure;
  });
  REQUIRE(failed != figures.end());
  // Half of the requests go to what is lost until a second check has failed: on average one and a half intervals after
  // the failure, 3 s and 30 s of 60 s.
  CHECK(failed->before == Approx(0.025).margin(0.01));
  CHECK(failed->after == Approx(0.25).margin(0.02));
  CHECK(failed->differs());
}

TEST_CASE("of thousands of moments a thousand are compared, and that is said", "[unsanitized]") {
  std::string timeline = "timeline: [";
  for (int change = 1; change < 1500; ++change) {
    timeline += fmt::format("{}{{ at: {}ms, endpoints: [s-1], healthy: {} }}", change > 1 ? ", " : "", change * 10,
                            change % 2 == 0 ? 1 : 0);
  }
  const auto scenario = [&](int weight) {
    return fmt::format(
               "duration: 15s\nzones: [{{ name: a }}]\n"
               "services: [{{ name: s, endpoints: [{{ id: s-1, zone: a, weight: {} }}, {{ id: s-2, zone: a }}, {{ id: "
               "s-3, "
               "zone: a }}, {{ id: s-4, zone: a }}] }}]\n"
               "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: 1rps }} }}]\nfailures: []\n",
               weight) +
           timeline + "]\n";
  };
  const Difference difference = difference_of(scenario(1), scenario(2));
  const auto moments =
      std::count_if(difference.contexts.begin(), difference.contexts.end(),
                    [](const diff::Context& context) { return context.kind == diff::Context::Kind::moment; });
  CHECK(moments == 1000);
  CHECK(difference.changed());
  REQUIRE_FALSE(difference.not_compared.empty());
  CHECK(difference.not_compared.front().find("at 500 of 1500 moments") != std::string::npos);
}

// Mean value analysis of N users with a think time of 100 ms at one exponential server of 10 ms: X = N / (Z + R), where
// R = S (1 + the queue that N - 1 users leave).
TEST_CASE("answers per second to users are compared, as the rate follows from the answers") {
  const auto users = [](int number) {
    return fmt::format(
        "duration: 100s\nzones: [{{ name: a }}]\n"
        "services: [{{ name: s, endpoints: [{{ zone: a, cores: 1, service_time: {{ mean: 10ms, distribution: "
        "exponential }} }}] }}]\n"
        "clients: [{{ name: c, zone: a, workload: {{ service: s, users: {}, think_time: {{ mean: 100ms, distribution: "
        "exponential }} }} }}]\nfailures: []\n",
        number);
  };
  const auto by_theory = [](int number) {
    double queue = 0.0;
    double throughput = 0.0;
    for (int users_so_far = 1; users_so_far <= number; ++users_so_far) {
      const double response = 0.01 * (1.0 + queue);
      throughput = users_so_far / (0.1 + response);
      queue = throughput * response;
    }
    return throughput;
  };
  const Difference difference = difference_of(users(4), users(8));
  const SimulatedFigure& throughput = simulated(difference, Figure::throughput);
  CHECK(throughput.before == Approx(by_theory(4)).epsilon(0.03));
  CHECK(throughput.after == Approx(by_theory(8)).epsilon(0.03));
  CHECK(throughput.differs());
  // A client that does not wait has the rate that it is given.
  CHECK(find_simulated(difference_of(slow_service("5ms"), slow_service("6ms")), Figure::throughput) == nullptr);
}

TEST_CASE("where no endpoint takes time, what limits and timeouts do is named as not compared") {
  const auto says_so = [](const Difference& difference) {
    return std::any_of(difference.not_compared.begin(), difference.not_compared.end(),
                       [](const std::string& what) { return what.starts_with("effects of limits, timeouts"); });
  };
  const auto limited = [](const std::string& time, int requests) {
    return slow_service(time) +
           fmt::format("clusters: [{{ name: s, circuit_breakers: {{ thresholds: [{{ max_requests: {} }}] }} }}]\n",
                       requests);
  };
  CHECK(says_so(difference_of(limited("0ms", 1000), limited("0ms", 1))));
  CHECK_FALSE(says_so(difference_of(limited("1ms", 1000), limited("1ms", 1))));
  CHECK_FALSE(says_so(difference_of(slow_service("0ms"), slow_service("0ms", "t"))));
}
