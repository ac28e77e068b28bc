#include "models/kuma/failover_groups.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/kuma/digest.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;

namespace {

// Priority of zones 2 to 4 for a client of zone-1; those that nothing admits are missing.
std::map<std::string, std::uint32_t> priorities(std::vector<kuma::Failover> rules,
                                                KumaProfile profile = KumaProfile::release_2_14) {
  const auto groups = kuma::failover_groups(test::cross_zone(std::move(rules)), "zone-1", profile);
  std::map<std::string, std::uint32_t> result;
  for (const std::string zone : {"2", "3", "4"}) {
    if (const auto* const group = kuma::find_group(groups, zone)) {
      result[zone] = group->priority;
    }
  }
  return result;
}

using Priorities = std::map<std::string, std::uint32_t>;

}  // namespace

TEST_CASE("failover rules and what they admit, as the specification tabulates them") {
  CHECK(priorities({failover("Any")}) == Priorities{{"2", 1}, {"3", 1}, {"4", 1}});
  CHECK(priorities({failover("None")}).empty());
  CHECK(priorities({failover("None"), failover("Any")}) == Priorities{{"2", 2}, {"3", 2}, {"4", 2}});
  CHECK(priorities({failover("Only", {"2"}), failover("None"), failover("Any")}) ==
        Priorities{{"2", 1}, {"3", 3}, {"4", 3}});
  CHECK(priorities({failover("Only", {"2"}), failover("Only", {"2", "3"})}) == Priorities{{"2", 1}, {"3", 2}});
  CHECK(priorities({failover("Any"), failover("Only", {"2"})}) == Priorities{{"2", 1}, {"3", 1}, {"4", 1}});
  CHECK(priorities({failover("AnyExcept", {"2"}), failover("Only", {"2"})}) ==
        Priorities{{"2", 2}, {"3", 1}, {"4", 1}});
  CHECK(priorities({failover("Any", {}, {"9"})}).empty());
  CHECK(priorities({failover("Only", {"2"}, {"9"}), failover("Only", {"3"})}) == Priorities{{"3", 2}});
}

TEST_CASE("an endpoint without a zone is admitted by AnyExcept") {
  const auto groups =
      kuma::failover_groups(test::cross_zone({failover("AnyExcept", {"2"})}), "zone-1", KumaProfile::head);
  CHECK(kuma::find_group(groups, "") != nullptr);
}

TEST_CASE("at the document's word None ends the search and foreign rules are not counted") {
  CHECK(priorities({failover("None"), failover("Any")}, KumaProfile::document).empty());
  CHECK(priorities({failover("Only", {"2"}, {"9"}), failover("Only", {"3"})}, KumaProfile::document) ==
        Priorities{{"3", 1}});
}

TEST_CASE("at the document's word an excluded zone has no failover") {
  const auto conf = test::cross_zone({failover("AnyExcept", {"zone-3"})});
  CHECK(kuma::failover_groups(conf, "zone-3", KumaProfile::document).empty());
  CHECK(kuma::failover_groups(conf, "zone-3", KumaProfile::release_2_14).size() == 1);
}

TEST_CASE("the egress locality is named by the text of the rules") {
  CHECK(kuma::base64_sha256("") == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(kuma::egress_zone({}) == "egress_47DEQpj8");
  // 1:kuma-1-zone;2:kuma-5;3:Any;
  const auto groups = kuma::failover_groups(
      test::cross_zone({failover("Only", {"kuma-1-zone"}), failover("Only", {"kuma-5"}), failover("Any")}), "kuma-4",
      KumaProfile::release_2_14);
  CHECK(kuma::egress_zone(groups) == "egress_NHfzKVYp");
}

TEST_CASE("the text of the rules has each type, sorted zones, and nothing of None") {
  const auto named = [](std::vector<kuma::Failover> rules) {
    return kuma::egress_zone(
        kuma::failover_groups(test::cross_zone(std::move(rules)), "zone-1", KumaProfile::release_2_14));
  };
  const auto digest = [](const std::string& text) { return "egress_" + kuma::base64_sha256(text).substr(0, 8); };
  CHECK(named({failover("None")}) == digest(""));
  CHECK(named({failover("Only", {"c", "b"}), failover("None"), failover("AnyExcept", {"e", "d"}), failover("Any")}) ==
        digest("1:b,c;3:AnyExcept:d,e;4:Any;"));
  CHECK(named({failover("Any", {}, {"zone-9"}), failover("Only", {"b"}, {"zone-0", "zone-1"})}) == digest("2:b;"));
}
