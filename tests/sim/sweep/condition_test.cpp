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

study::Verdict verdict(const std::string& condition, const std::vector<Figures>& of) {
  return judge(*parse_condition(condition, logged_events), of, logged_events).judgement;
}

}  // namespace

TEST_CASE("sweep: a condition is a figure, a sign and a limit in the figure's unit") {
  CHECK(parse_condition("failed < 0.1 %", logged_events)->limit == Approx(0.001));
  CHECK(parse_condition("failed<0.1%", logged_events)->below);
  CHECK(parse_condition("p99 < 200ms", logged_events)->limit == Approx(0.2));
  CHECK(parse_condition("p99 <= 200 ms", logged_events)->limit_holds);
  CHECK_FALSE(parse_condition("ok > 100", logged_events)->below);
  CHECK(parse_condition("ejected < 3", logged_events)->limit == 3.0);
  CHECK(parse_condition("share:zone-1 > 30%", logged_events)->limit == Approx(0.3));
  for (const char* wrong : {"failed", "failed < fast", "p99 < 200", "p99 < 20 %", "faled < 1 %", "sent < 3 %", "< 3"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_condition(wrong, logged_events));
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
