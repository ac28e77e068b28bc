// What retries gain, against what counting by hand gives.
#include "reports/explain/retry_chances.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace spillway::reports::explain;

namespace {

// So many hosts that get the same part, of which the first fails all requests and is tried again.
std::vector<RetryTarget> one_dead_of(int hosts) {
  std::vector<RetryTarget> targets(static_cast<std::size_t>(hosts), {.share = 1.0 / hosts, .ok = 1.0, .retried = 0.0});
  targets.front() = {.share = 1.0 / hosts, .ok = 0.0, .retried = 1.0};
  return targets;
}

}  // namespace

TEST_CASE("without a predicate each retry meets the dead host as likely as the first pick", "[explain]") {
  const auto chances = chances_of_success(one_dead_of(4), {.attempts = 3});
  REQUIRE(chances.size() == 3);
  CHECK(chances[0] == Approx(3.0 / 4));
  CHECK(chances[1] == Approx(1.0 - 1.0 / 16));
  CHECK(chances[2] == Approx(1.0 - 1.0 / 64));
}

TEST_CASE("previous_hosts picks anew as often as it may, and then takes what it gets", "[explain]") {
  // A retry meets the dead host again only where the pick and the one made anew do: 1/4 x 1/4.
  CHECK(chances_of_success(one_dead_of(4), {.attempts = 2, .previous_hosts = true})[1] == Approx(1.0 - 1.0 / 64));
  const RetryRule three_more{.attempts = 2, .previous_hosts = true, .host_selection_retry_max_attempts = 3};
  CHECK(chances_of_success(one_dead_of(2), three_more)[1] == Approx(1.0 - 1.0 / 32));
}

TEST_CASE("a host is left out on its own, not with those that are like it", "[explain]") {
  // Two dead hosts of three: the retry leaves out the one that was met.
  std::vector<RetryTarget> targets = one_dead_of(3);
  targets[1] = targets[0];
  const RetryRule rule{.attempts = 2, .previous_hosts = true, .host_selection_retry_max_attempts = 1};
  // First 1/3. Then of 2/3: the good one at 1/3 x (1 + 1/3).
  CHECK(chances_of_success(targets, rule)[1] == Approx(1.0 / 3 + 2.0 / 3 * 4.0 / 9));
}

TEST_CASE("what is not tried again, and where no host is found, fails at once", "[explain]") {
  const std::vector<RetryTarget> targets = {{.share = 0.5, .ok = 0.5, .retried = 0.0}, {.share = 0.25, .ok = 1.0}};
  const auto chances = chances_of_success(targets, {.attempts = 3});
  CHECK(chances.front() == Approx(0.5));
  CHECK(chances.back() == Approx(0.5));
}
