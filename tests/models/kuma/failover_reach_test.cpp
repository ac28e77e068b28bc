// What is left for each rule, by docs/behaviour/kuma.md 8 (the first rule that admits a zone has it) and 15.
#include "models/kuma/failover_reach.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;

namespace {

using Rules = std::vector<kuma::Failover>;

std::vector<kuma::FailoverReach> reached(Rules rules, const std::vector<std::string>& existing = {},
                                         KumaProfile profile = KumaProfile::release_2_14) {
  return kuma::failover_reach(test::cross_zone(std::move(rules)), existing, profile);
}

using Taken = std::map<std::string, std::size_t>;

}  // namespace

TEST_CASE("Any ends the list, whatever zones there are") {
  const auto reach = reached({failover("Any"), failover("Only", {"b"}), failover("Any")});
  REQUIRE(reach.size() == 3);
  CHECK_FALSE(reach[0].ended_by);
  CHECK_FALSE(reach[0].never_reached);
  CHECK(reach[1].ended_by == 0U);
  CHECK_FALSE(reach[1].never_reached);  // one of both is told
  CHECK(reach[2].ended_by == 0U);
}

TEST_CASE("a list of all zones that there are ends the list, and of some it does not") {
  const std::vector<std::string> existing = {"a", "b", "c"};
  const auto all = reached({failover("Only", {"a", "b"}), failover("Only", {"c"}), failover("Any")}, existing);
  CHECK_FALSE(all[1].ended_by);
  CHECK(all[2].ended_by == 1U);
  const auto some = reached({failover("Only", {"a", "b"}), failover("Any")}, existing);
  CHECK_FALSE(some[1].ended_by);
  CHECK_FALSE(some[1].never_reached);
  const auto unknown = reached({failover("Only", {"a", "b", "c"}), failover("Any")});
  CHECK_FALSE(unknown[1].ended_by);  // there may be others
}

TEST_CASE("a rule whose zones earlier rules have together is never reached") {
  const auto reach = reached({failover("Only", {"a"}), failover("Only", {"b"}), failover("Only", {"a", "b"})});
  CHECK_FALSE(reach[2].ended_by);
  CHECK(reach[2].never_reached);
  CHECK(reach[2].taken == Taken{{"a", 0}, {"b", 1}});
  CHECK_FALSE(reach[1].never_reached);
  CHECK(reach[1].taken.empty());
}

TEST_CASE("a zone that an earlier rule has is taken, unless some client's rule does not come before") {
  CHECK(reached({failover("Only", {"b"}), failover("Only", {"b", "c"})})[1].taken == Taken{{"b", 0}});
  CHECK(reached({failover("Only", {"b"}, {"x"}), failover("Only", {"b", "c"})})[1].taken.empty());
  CHECK(reached({failover("Only", {"b"}, {"x"}), failover("Only", {"b", "c"}, {"x"})})[1].taken == Taken{{"b", 0}});
  // Its own zone counts for nothing to a client.
  CHECK(reached({failover("Only", {"b"}, {"b"}), failover("Only", {"b"}, {"b"})})[1].taken.empty());
}

TEST_CASE("None ends the list at the document's word alone, and AnyExcept gives a zone that it names nothing there") {
  const Rules none = {failover("None"), failover("Any")};
  CHECK_FALSE(reached(none)[1].ended_by);
  CHECK(reached(none, {}, KumaProfile::document)[1].ended_by == 0U);
  const Rules but = {failover("AnyExcept", {"b"}), failover("Only", {"c"}, {"b"})};
  CHECK(reached(but)[1].ended_by == 0U);
  CHECK_FALSE(reached(but, {}, KumaProfile::document)[1].ended_by);
}

TEST_CASE("clients that an early end does not concern keep a rule open") {
  const auto reach = reached({failover("Any", {}, {"a"}), failover("Only", {"c"})});
  CHECK_FALSE(reach[1].ended_by);
  CHECK_FALSE(reach[1].never_reached);
  CHECK(reached({failover("Any", {}, {"a"}), failover("Only", {"c"}, {"a"})})[1].ended_by == 0U);
}

TEST_CASE("without rules there is nothing to tell, and over five million steps nothing is found") {
  CHECK(kuma::failover_reach({}, {}, KumaProfile::head).empty());
  CHECK(kuma::failover_reach(test::disabled(true), {}, KumaProfile::head).empty());
  CHECK(kuma::failover_reach(test::threshold(50), {}, KumaProfile::head).empty());
  const auto of_zones = [](std::size_t named) {
    std::vector<std::string> existing;
    for (std::size_t zone = 0; zone < named; ++zone) {
      existing.push_back("z" + std::to_string(zone));
    }
    // Five rules for one client; two zones more stand for those that nobody names.
    return reached({failover("Only", existing, {"z0"}), failover("Any", {}, {"z0"}), failover("Any", {}, {"z0"}),
                    failover("Any", {}, {"z0"}), failover("Any", {}, {"z0"})});
  };
  CHECK(of_zones(998)[2].ended_by == 1U);  // 1,000 zones squared times 5
  CHECK_FALSE(of_zones(999)[2].ended_by);
  CHECK(of_zones(999).size() == 5);
}
