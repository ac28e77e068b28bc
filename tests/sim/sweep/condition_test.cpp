#include "sim/sweep/condition.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/outcome.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/figures.hpp"

using namespace spillway;
using namespace spillway::sweep;

namespace {

const std::vector<std::string> logged_events{"ejected", "panic_began"};

std::vector<Figures> runs(const std::vector<std::uint64_t>& failed, std::uint64_t sent) {
  std::vector<Figures> all;
  for (const std::uint64_t count : failed) {
    Figures run;
    run.total.counts = run::Outcomes{};
    run.total.counts->sent = sent;
    run.total.counts->counts[scenario::Outcome::ok] = sent - count;
    run.total.failed = static_cast<double>(count) / static_cast<double>(sent);
    all.push_back(run);
  }
  return all;
}

Condition condition(const std::string& text) {
  return std::get<Condition>(parse_condition(text, logged_events));
}

study::Verdict verdict(const std::string& text, const std::vector<Figures>& of) {
  return judge(condition(text), of).judgement;
}

}  // namespace

TEST_CASE("sweep: a condition is a figure, a sign and a limit in the figure's unit") {
  CHECK(condition("failed < 0.1 %").limit == Approx(0.001));
  CHECK(condition("failed<0.1%").below);
  CHECK(condition("p99 < 200ms").limit == Approx(0.2));
  CHECK(condition("p99 <= 200 ms").limit_holds);
  CHECK_FALSE(condition("ok > 100").below);
  CHECK(condition("ejected < 3").limit == 3.0);
  CHECK(condition("share:zone-1 > 30%").limit == Approx(0.3));
}

TEST_CASE("sweep: conditions take the figures of objectives by the names that they have there and in tables") {
  CHECK(condition("error_share < 1 %").figure.name == "failed");
  CHECK(condition("cross_zone_share < 1 %").figure.name == "cross_zone");
  CHECK(condition("p99.9 < 1s").figure.name == "p999");
  std::vector<Figures> all = runs({0}, 1'000);
  all.front().total.latency = run::LatencyQuantiles{.answers = 1'000, .p50 = 0.01, .p90 = 0.02, .p95 = 0.03};
  CHECK(verdict("p95 < 40ms", all) == study::Verdict::met);
  CHECK(verdict("p95 < 20ms", all) == study::Verdict::missed);
}

TEST_CASE("sweep: what is wrong in a condition is named, with what would be right") {
  const auto problem = [](const std::string& text) {
    const auto parsed = parse_condition(text, logged_events);
    const auto* const wrong = std::get_if<ConditionProblem>(&parsed);
    return wrong == nullptr ? "" : wrong->message + ": " + wrong->help;
  };
  CHECK(problem("faled < 1 %") == "`faled` in `faled < 1 %` is not a figure: did you mean `failed`?");
  CHECK(problem("utilization < 80 %") ==
        "`utilization` in `utilization < 80 %` is not a figure: did you mean `utilisation`?");
  CHECK(problem("p99 < 200") == "`200` in `p99 < 200` is not a time: for example 'p99 < 100ms'");
  CHECK(problem("utilisation <= 80") ==
        "`80` in `utilisation <= 80` is not a percentage: for example 'utilisation <= 80 %'");
  CHECK(problem("sent < 3 %") == "`3 %` in `sent < 3 %` is not a number from 0: for example 'sent < 5'");
  for (const char* wrong : {"failed", "failed < fast", "p99 < 20 %", "< 3", "", "p99 < nan", "p99 < -1ms"}) {
    CAPTURE(wrong);
    CHECK_FALSE(problem(wrong).empty());
  }
}

// Wilson's interval of no failure among 10,000 requests ends at 0.0384 %.
TEST_CASE("sweep: what was not seen fail among few requests is not yet below a small limit") {
  CHECK(verdict("failed < 0.1 %", runs({0, 0}, 5'000)) == study::Verdict::met);
  CHECK(verdict("failed < 0.03 %", runs({0, 0}, 5'000)) == study::Verdict::undecided);
  CHECK(verdict("failed < 0 %", runs({0, 0}, 5'000)) == study::Verdict::met);
  CHECK(verdict("failed < 0 %", runs({0, 1}, 5'000)) == study::Verdict::missed);
  CHECK(verdict("failed < 1 %", runs({500, 510, 490}, 5'000)) == study::Verdict::missed);
  CHECK(verdict("failed < 10 %", runs({100, 900, 500}, 5'000)) == study::Verdict::undecided);
}

TEST_CASE("sweep: a limit that is met exactly holds for <= and not for <") {
  std::vector<Figures> all = runs({0, 0}, 100);
  for (Figures& run : all) {
    run.logged_events.push_back({1, 1});
  }
  CHECK(verdict("panic_began < 1", all) == study::Verdict::missed);
  CHECK(verdict("panic_began <= 1", all) == study::Verdict::met);
  CHECK(verdict("ejected < 1", all) == study::Verdict::met);
  CHECK(verdict("ejected >= 1", all) == study::Verdict::missed);
}

TEST_CASE("sweep: without an answer there is no latency below a limit") {
  CHECK(verdict("p99 < 1s", runs({100, 100}, 100)) == study::Verdict::missed);
  Figures refused;
  refused.refusal = "SP024";
  CHECK(verdict("failed < 1 %", {refused}) == study::Verdict::missed);
}
