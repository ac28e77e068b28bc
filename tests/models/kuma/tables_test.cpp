#include <catch2/catch.hpp>
#include <string>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/decimal.hpp"
#include "models/kuma/overprovisioning_factor.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::tag;

namespace {

std::uint32_t factor(const std::string& percentage, KumaProfile profile = KumaProfile::release_2_14) {
  return kuma::overprovisioning_factor(percentage, profile);
}

}  // namespace

TEST_CASE("a threshold is truncated to a whole multiple before it becomes a factor") {
  CHECK(factor("100") == 100);
  CHECK(factor("70") == 100);
  CHECK(factor("50.1") == 100);
  CHECK(factor("50") == 200);
  CHECK(factor("34") == 200);
  CHECK(factor("33.3") == 300);
  CHECK(factor("13") == 700);
  CHECK(factor("9") == 1100);
  CHECK(factor("3") == 3300);
  CHECK(factor("0.5") == 20000);
}

TEST_CASE("the quotient of a threshold is that of doubles") {
  CHECK(factor("33.333333333333336") == 300);
  CHECK(factor("33.33333333333334") == 200);
  CHECK(factor("9.090909090909092") == 1000);
}

TEST_CASE("thresholds that validation would refuse wrap as Kuma's 32 bits do") {
  CHECK(factor("0.001") == 10000000);
  CHECK(factor("0.0000023") == 52858704);
  CHECK(factor("101") == 0);
  CHECK(factor("-5") == 4294965296U);
}

TEST_CASE("without a threshold that is a number the factor is 200") {
  CHECK(kuma::overprovisioning_factor(kuma::Conf{}, KumaProfile::head) == 200);
  CHECK(factor("0") == 200);
  CHECK(factor("hello") == 200);
}

TEST_CASE("the design document's factor spills nothing at exactly the threshold") {
  CHECK(factor("70", KumaProfile::document) == 143);
  CHECK(factor("50", KumaProfile::document) == 200);
  CHECK(factor("30", KumaProfile::document) == 334);
  CHECK(factor("0.1", KumaProfile::document) == 100000);
  CHECK(factor("100", KumaProfile::document) == 100);
}

TEST_CASE("Kuma's numbers in quotes are decimals and nothing else") {
  for (const char* const text : {"5.", ".5", "+5", "007", "1e1", "5e-1", "-5"}) {
    INFO(text);
    CHECK(kuma::parse_decimal(std::string_view(text)));
  }
  for (const char* const text : {"", " 5", "0x10", "1_0", "5%", "NaN", "Inf", "1e", ".", "1.2.3", "+-5"}) {
    INFO(text);
    CHECK_FALSE(kuma::parse_decimal(std::string_view(text)));
  }
}

TEST_CASE("a decimal is compared with 100 exactly") {
  CHECK_FALSE(kuma::parse_decimal(std::string_view("100.000"))->above_hundred);
  CHECK(kuma::parse_decimal(std::string_view("100.00000000000000000001"))->above_hundred);
  CHECK(kuma::parse_decimal(std::string_view("1e3"))->above_hundred);
  CHECK(kuma::parse_decimal(std::string_view("1e-400"))->sign == 1);
  CHECK(kuma::parse_decimal(std::string_view("0e9"))->sign == 0);
}

TEST_CASE("unweighted affinity tags weigh nines and sum to a power of ten with the rest") {
  const auto client = test::client("zone-1", {{"node", "n"}, {"az", "a"}, {"region", "r"}});
  const auto groups =
      kuma::affinity_groups(test::local_zone({tag("node"), tag("az"), tag("region")}), client, KumaProfile::head);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].weight == 900);
  CHECK(groups[1].weight == 90);
  CHECK(groups[2].weight == 9);
  CHECK(kuma::weight_sum(groups, KumaProfile::head) == 1000);
  CHECK(kuma::weight_sum(groups, KumaProfile::document) == 999);
}

TEST_CASE("weights count the entries of the policy, not those that the client resolves") {
  const auto groups = kuma::affinity_groups(test::local_zone({tag("node"), tag("az")}),
                                            test::client("zone-1", {{"az", "a"}}), KumaProfile::release_2_14);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0] == kuma::AffinityGroup{1, "az", "a", 9});
}

TEST_CASE("from ten tags on the low 32 bits of a default weight remain") {
  CHECK(kuma::default_affinity_weight(9, 0) == 900000000);
  CHECK(kuma::default_affinity_weight(10, 0) == 410065408);
  CHECK(kuma::default_affinity_weight(11, 0) == 4100654080U);
}

TEST_CASE("a client with several inbounds has the alphabetically first value, in 2.14 before its label") {
  kuma::Client client{
      .zone = "zone-1", .labels = {{"node", "label"}}, .inbounds = {{{"node", "n2"}}, {{"node", "n1"}}}};
  CHECK(kuma::affinity_value(client, "node", KumaProfile::release_2_14) == "n1");
  CHECK(kuma::affinity_value(client, "node", KumaProfile::head) == "label");
}

TEST_CASE("at the document's word groups stand by weight, and equal ones as the policy lists them") {
  const auto client = test::client("zone-1", {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}});
  const auto conf = test::local_zone({{"a", 10}, {"b", 90}, {"c", 10}, {"d", 90}});
  std::string order;
  for (const auto& group : kuma::affinity_groups(conf, client, KumaProfile::document)) {
    order += group.key;
  }
  CHECK(order == "bdac");
}

TEST_CASE("an endpoint joins the first group that it matches, heaviest or not") {
  const auto client = test::client("zone-1", {{"node", "n"}, {"az", "a"}});
  const auto conf = test::local_zone({kuma::AffinityTag{"az", 10}, kuma::AffinityTag{"node", 90}});
  const auto both = test::endpoint("b", "zone-1", {{"node", "n"}, {"az", "a"}});
  const auto first = [&](KumaProfile profile) {
    return kuma::find_group(kuma::affinity_groups(conf, client, profile), both)->key;
  };
  CHECK(first(KumaProfile::release_2_14) == "az");
  CHECK(first(KumaProfile::document) == "node");
}
