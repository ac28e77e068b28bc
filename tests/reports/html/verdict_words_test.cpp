// The first sentence of a run's page, against what the scenario makes of its requests.
#include "reports/html/verdict_words.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/formats.hpp"
#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using reports::html::HeadVerdict;
using VerdictTone = reports::html::Tone;

namespace {

HeadVerdict verdict_of(scenario::Mode mode, const std::string& workload, const std::string& timeline) {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
      "services: [{ name: s, endpoints: [{ count: 2, zone: a, capacity: 100rps }] }]\nclients: [{ name: c, zone: a, "
      "workload: { service: s, arrivals: periodic, " +
      workload + " } }]\ntimeline: [" + timeline + "]\n");
  run::Options options;
  options.mode = mode;
  options.endpoint_loads = true;
  const run::Results results = run::run(scenario, options);
  const reports::Report report{
      .scenario = scenario, .results = results, .warnings = {}, .verdicts = {}, .failures = {}};
  return reports::html::run_verdict(report);
}

}  // namespace

TEST_CASE("a run in mode exact loses what endpoints do not answer, whatever is told of them") {
  const HeadVerdict all =
      verdict_of(scenario::Mode::exact, "rate: 100rps", "{ at: 10s, service: s, endpoints: [s-1, s-2], outage: true }");
  CHECK(all.tone == VerdictTone::bad);
  CHECK(reports::html::headline_of(all) == "Loses requests: up to 100 % of the requests fail: c -> s from 10 - 60 s.");
  // Round robin over two.
  const HeadVerdict half = verdict_of(scenario::Mode::exact, "rate: 100rps",
                                      "{ at: 10s, endpoints: [s-2], fails: 100% }, { at: 20s, endpoints: [s-2], fails: "
                                      "0% }");
  CHECK(reports::html::headline_of(half) == "Loses requests: up to 50 % of the requests fail: c -> s from 10 - 20 s.");
  const HeadVerdict none = verdict_of(scenario::Mode::exact, "rate: 100rps", "");
  CHECK(none.tone == VerdictTone::good);
  CHECK(none.word == "Loses nothing");
}

TEST_CASE("an overload that a mean over the run hides is told") {
  // 380 requests a second for the last 10 s, of 200 that two endpoints answer.
  const HeadVerdict verdict = verdict_of(scenario::Mode::exact, "phases: \"30rps 50s, 380rps\"", "");
  CHECK(verdict.tone == VerdictTone::bad);
  CHECK(reports::html::headline_of(verdict) ==
        "Loses requests: endpoint s-1 would need a utilisation of 190 % from 50 - 60 s: it is overloaded.");
}

TEST_CASE("a run that ends in overload does not lose nothing, though all its requests are answered later") {
  const std::string slow = "{ at: 50s, zone: a, slow: 4 }";
  const HeadVerdict verdict = verdict_of(scenario::Mode::requests, "rate: 100rps", slow);
  CHECK(verdict.tone == VerdictTone::wary);
  // 50 requests a second for each of two endpoints, that take 40 ms each.
  CHECK(verdict.word == "Overloaded");
  CHECK(
      verdict.sentence.ends_with(" requests succeeded, but endpoint s-1 would need a utilisation of 200 % from 50 - 60 "
                                 "s: it is overloaded when the "
                                 "run ends."));
  const HeadVerdict passing = verdict_of(scenario::Mode::requests, "rate: 100rps",
                                         "{ at: 10s, zone: a, slow: 4 }, { at: 15s, zone: a, slow: 1 }");
  CHECK(passing.word == "Loses nothing");
  REQUIRE_FALSE(passing.lines.empty());
  CHECK(passing.lines.front() == "Endpoint s-1 would need a utilisation of 200 % from 10 - 15 s: it is overloaded.");
}
