// What admission says of names, exports and selectors. Expected: docs/behaviour/istio.md 11; istiod's
// pkg/config/labels/instance.go, pkg/config/visibility/visibility.go and pkg/config/validation/validation.go
// (validateExportTo, validateWorkloadSelector).
#include "models/istio/name_validation.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using ExportNames = std::vector<std::string>;

test::Lines exports_of_shop(const ExportNames& export_to, Exported what = Exported::document) {
  std::vector<Finding> findings;
  check_exports(export_to, "shop", what, findings);
  return test::lines_of(findings);
}

}  // namespace

TEST_CASE("istio admission: a label of DNS has letters of either case, digits and hyphens between them") {
  for (const std::string& good : {std::string("a"), std::string("V1"), std::string("1-a"), std::string(63, 'a')}) {
    INFO(good);
    CHECK(is_dns_label(good));
  }
  for (const std::string& bad : {std::string(), std::string("-a"), std::string("a-"), std::string("a_b"),
                                 std::string("a.b"), std::string("*"), std::string(64, 'a')}) {
    INFO(bad);
    CHECK_FALSE(is_dns_label(bad));
  }
}

TEST_CASE("istio admission: a domain is of labels, the last of which is no number") {
  const std::string longest =
      std::string(63, 'a') + "." + std::string(63, 'b') + "." + std::string(63, 'c') + "." + std::string(63, 'd');
  for (const std::string& good : {std::string("web"), std::string("web.example."), std::string("1.a"), longest}) {
    INFO(good);
    CHECK(is_domain(good, false));
    CHECK(is_domain(good, true));
  }
  for (const std::string& bad : {std::string(), std::string("a..b"), std::string("10.0.0.1"), std::string("we_b"),
                                 std::string("web.*"), longest + "e"}) {
    INFO(bad);
    CHECK_FALSE(is_domain(bad, false));
    CHECK_FALSE(is_domain(bad, true));
  }
}

TEST_CASE("istio admission: a wildcard is the first label of a domain or its beginning") {
  for (const char* const name : {"*", "*.example", "*-a.example", "*a.example"}) {
    INFO(name);
    CHECK(is_domain(name, true));
    CHECK_FALSE(is_domain(name, false));
  }
  for (const char* const name : {"a*.example", "**.example", "*-.example", "*.1"}) {
    INFO(name);
    CHECK_FALSE(is_domain(name, true));
  }
}

TEST_CASE("istio admission: the key of a label has a name and may have a domain before it") {
  for (const std::string& good : {std::string("app"), std::string("a_b.c-D"), std::string("example.com/app"),
                                  std::string(63, 'a'), std::string(253, 'a') + "/b"}) {
    INFO(good);
    CHECK(is_label_key(good));
  }
  for (const std::string& bad : {std::string(), std::string("a b"), std::string("_a"), std::string("/a"),
                                 std::string("a/"), std::string("a/b/c"), std::string("a..b/c"), std::string("a_b/c"),
                                 std::string(64, 'a'), std::string(254, 'a') + "/b"}) {
    INFO(bad);
    CHECK_FALSE(is_label_key(bad));
  }
}

TEST_CASE("istio admission: the value of a label is nothing or a name, however long") {
  CHECK(is_label_value(""));
  CHECK(is_label_value("V1.0_a"));
  CHECK(is_label_value(std::string(64, 'a')));
  CHECK_FALSE(is_label_value("-a-"));
  CHECK_FALSE(is_label_value("a/b"));
}

TEST_CASE("istio admission: a document is exported to all, to its namespace, or to names of namespaces") {
  CHECK(exports_of_shop({}).empty());
  CHECK(exports_of_shop({"*"}).empty());
  CHECK(exports_of_shop({".", "other", "third"}).empty());
  CHECK(exports_of_shop({"a_b"}) == test::Lines{"refused export-namespace at spec.exportTo[0]"});
  CHECK(exports_of_shop({"~"}) == test::Lines{"refused export-to-none at spec.exportTo[0]"});
}

TEST_CASE("istio admission: a namespace is named once in exportTo, and a dot is the own one") {
  CHECK(exports_of_shop({"other", "other"}) == test::Lines{"refused export-twice at spec.exportTo[1]"});
  CHECK(exports_of_shop({".", "shop"}) == test::Lines{"refused export-twice at spec.exportTo[1]"});
  CHECK(exports_of_shop({"shop", "."}) == test::Lines{"refused export-twice at spec.exportTo[1]"});
}

TEST_CASE("istio admission: what is exported to all is not exported to others beside") {
  const test::Lines refused = {"refused export-public-and-more at spec.exportTo"};
  CHECK(exports_of_shop({"*", "other"}) == refused);
  CHECK(exports_of_shop({".", "*"}) == refused);
  CHECK(exports_of_shop({"*", "*"}) == test::Lines{"refused export-twice at spec.exportTo[1]", refused[0]});
}

TEST_CASE("istio admission: a service entry alone may be exported to nobody, and to nobody else then") {
  CHECK(exports_of_shop({"~"}, Exported::entry).empty());
  CHECK(exports_of_shop({"~", "x"}, Exported::entry) ==
        test::Lines{"refused export-to-none-and-more at spec.exportTo"});
  CHECK(exports_of_shop({"~", "*"}, Exported::entry) ==
        test::Lines{"refused export-public-and-more at spec.exportTo",
                    "refused export-to-none-and-more at spec.exportTo"});
}

TEST_CASE("istio admission: a rule for some workloads stays in its namespace") {
  const auto exports = [](const ExportNames& export_to) {
    return exports_of_shop(export_to, Exported::rule_with_selector);
  };
  const test::Lines refused = {"refused export-of-selector at spec.exportTo"};
  CHECK(exports({}).empty());
  CHECK(exports({"."}).empty());
  CHECK(exports({"shop"}).empty());
  CHECK(exports({"*"}) == refused);
  CHECK(exports({"other"}) == refused);
  CHECK(exports({".", "other"}) == refused);
}

TEST_CASE("istio admission: a selector has keys, no wildcards, and labels at all") {
  const auto lines = [](const Labels& selector) {
    std::vector<Finding> findings;
    check_selector(selector, findings);
    return test::lines_of(findings);
  };
  CHECK(lines({{"app", "web"}, {"version", ""}}).empty());
  CHECK(lines({{"app", "a*"}}) == test::Lines{"refused selector-wildcard at spec.workloadSelector"});
  CHECK(lines({{"a*", "web"}}) == test::Lines{"refused selector-wildcard at spec.workloadSelector"});
  CHECK(lines({{"", "web"}}) == test::Lines{"refused selector-without-key at spec.workloadSelector"});
  CHECK(lines({}) == test::Lines{"warned selector-without-labels at spec.workloadSelector"});
  std::vector<Finding> findings;
  check_selector({}, findings);
  CHECK(findings.empty());
}

TEST_CASE("istio admission: ports are from 1 to 65535") {
  const auto is_port = [](std::uint32_t number) {
    std::vector<Finding> findings;
    check_port_number(number, "spec.port", findings);
    return findings.empty();
  };
  CHECK_FALSE(is_port(0));
  CHECK(is_port(1));
  CHECK(is_port(65'535));
  CHECK_FALSE(is_port(65'536));
}

}  // namespace spillway::istio
