// Which rule applies to whom, and which rules become one. Expected: docs/behaviour/istio.md 3; istiod's push_context.go
// (setDestinationRules, destinationRule) and destination_rule.go (mergeDestinationRule).
#include "models/istio/rule_index.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace spillway::istio {

namespace {

constexpr const char* web_host = "web.shop.svc.cluster.local";

// Rules for web of namespace shop, aged in the order in which they are written.
class Rules {
 public:
  DestinationRule& add(const std::string& name, const std::string& name_space,
                       std::vector<std::string> export_to = {}) {
    DestinationRule& rule = rules.emplace_back();
    rule.meta = {.kind = "DestinationRule", .name = name, .name_space = name_space, .age = rules.size()};
    rule.host = web_host;
    rule.exportTo = std::move(export_to);
    rule.subsets = {{.name = "of-" + name}};
    return rule;
  }

  // "step name" of what a proxy of that namespace finds, with the names of the rules that became one.
  [[nodiscard]] std::string found(const std::string& client, const Labels& labels = {}) const {
    const RuleIndex index(rules, mesh);
    const auto result = index.find({.name_space = client, .labels = labels}, web_host, "shop");
    if (result.rule == nullptr) {
      return "";
    }
    std::string text = result.step == RuleStep::proxy_namespace     ? "own"
                       : result.step == RuleStep::service_namespace ? "service"
                                                                    : "root";
    for (const Subset& subset : result.rule->rule.subsets) {
      text += " " + subset.name.substr(3);
    }
    return text;
  }

  std::vector<DestinationRule> rules;
  MeshConfig mesh;
};

}  // namespace

TEST_CASE("istio: rules are looked up in the client's namespace, the service's and the root's, in this order") {
  Rules rules;
  rules.add("everywhere", "istio-system");
  CHECK(rules.found("client") == "root everywhere");
  rules.add("shop", "shop");
  CHECK(rules.found("client") == "service shop");
  rules.add("client", "client");
  CHECK(rules.found("client") == "own client");
  CHECK(rules.found("shop") == "own shop");
  CHECK(rules.found("elsewhere") == "service shop");
}

TEST_CASE("istio: a rule in any other namespace never applies") {
  Rules rules;
  rules.add("other", "other");
  CHECK(rules.found("client").empty());
  CHECK(rules.found("other") == "own other");
}

TEST_CASE("istio: a rule that is exported to its own namespace alone applies there and nowhere else") {
  for (const std::vector<std::string>& own : {std::vector<std::string>{"."}, std::vector<std::string>{"shop"}}) {
    Rules rules;
    rules.add("private", "shop", own);
    CHECK(rules.found("shop") == "own private");
    CHECK(rules.found("client").empty());
  }
  Rules shared;
  shared.add("shared", "shop", {"shop", "client"});
  CHECK(shared.found("shop") == "own shared");
  CHECK(shared.found("client") == "service shared");
  CHECK(shared.found("elsewhere").empty());
  Rules open;
  open.add("open", "shop", {"*"});
  CHECK(open.found("elsewhere") == "service open");
}

TEST_CASE("istio: the mesh may say that rules without exportTo stay in their namespace") {
  Rules rules;
  rules.add("silent", "shop");
  rules.mesh.defaultDestinationRuleExportTo = {"."};
  CHECK(rules.found("shop") == "own silent");
  CHECK(rules.found("client").empty());
  rules.mesh.defaultDestinationRuleExportTo = {"*"};
  CHECK(rules.found("client") == "service silent");
}

TEST_CASE("istio: a proxy in the root namespace has as its own what is not exported outside it") {
  for (const std::vector<std::string>& own :
       {std::vector<std::string>{"."}, std::vector<std::string>{"istio-system"}}) {
    Rules rules;
    rules.add("private", "istio-system", own);
    CHECK(rules.found("istio-system") == "own private");
    CHECK(rules.found("client").empty());
    rules.add("shop", "shop");
    CHECK(rules.found("istio-system") == "own private");
  }
  Rules rules;
  rules.add("everywhere", "istio-system");
  CHECK(rules.found("istio-system") == "root everywhere");
  rules.add("shop", "shop");
  CHECK(rules.found("istio-system") == "service shop");
}

TEST_CASE("istio: in a step the exact host goes before wildcards, and the longest of these before others") {
  Rules rules;
  rules.add("all", "shop").host = "*";
  rules.add("short", "shop").host = "*.local";
  rules.add("long", "shop").host = "*.svc.cluster.local";
  rules.add("middle", "shop").host = "*.cluster.local";
  rules.add("elsewhere", "shop").host = "*.another.very.long.name.cluster.local";
  CHECK(rules.found("shop") == "own long");
  rules.add("exact", "shop");
  CHECK(rules.found("shop") == "own exact");
}

TEST_CASE("istio: a rule with a selector counts for proxies with its labels, wherever it stands") {
  Rules rules;
  rules.add("plain", "client");
  rules.add("selecting", "client").workloadSelector = Labels{{"app", "a"}};
  CHECK(rules.found("client", {{"app", "a"}, {"v", "1"}}) == "own selecting");
  CHECK(rules.found("client", {{"app", "b"}}) == "own plain");
  CHECK(rules.found("client") == "own plain");
  Rules alone;
  alone.add("selecting", "client").workloadSelector = Labels{{"app", "a"}};
  CHECK(alone.found("client", {{"app", "b"}}).empty());
  Rules of_service;
  of_service.add("selecting", "shop").workloadSelector = Labels{{"app", "a"}};
  CHECK(of_service.found("client", {{"app", "a"}}).empty());
  CHECK(of_service.found("shop", {{"app", "a"}}) == "own selecting");
}

TEST_CASE("istio: only rules of equal selectors become one, also behind one of another selector") {
  Rules rules;
  rules.add("x", "client").workloadSelector = Labels{{"app", "x"}};
  rules.add("y", "client").workloadSelector = Labels{{"app", "y"}};
  rules.add("more-y", "client").workloadSelector = Labels{{"app", "y"}};
  rules.add("more-x", "client").workloadSelector = Labels{{"app", "x"}};
  CHECK(rules.found("client", {{"app", "y"}}) == "own y more-y");
  CHECK(rules.found("client", {{"app", "x"}}) == "own x more-x");
}

TEST_CASE("istio: rules become one with equal exports, and of those that stay two the last visible one wins") {
  Rules equal;
  equal.add("old", "shop", {"client", "shop"});
  equal.add("new", "shop", {"shop", "client"});
  CHECK(equal.found("client") == "service old new");
  Rules two;
  two.add("old", "shop", {"client"});
  two.add("new", "shop", {"other"});
  CHECK(two.found("client") == "service old");
  CHECK(two.found("other") == "service new");
  // Where the newer one's exports contain the older one's it is added there, and is nowhere else: without selectors
  // istiod appends it to nothing (mergeDestinationRule).
  Rules wider;
  wider.add("old", "shop", {"client"});
  wider.add("new", "shop", {"client", "other"});
  CHECK(wider.found("client") == "service old new");
  CHECK(wider.found("other").empty());
  Rules open;
  open.add("old", "shop", {"*"});
  open.add("new", "shop", {"client"});
  CHECK(open.found("client") == "service new");
  CHECK(open.found("other") == "service old");
}

TEST_CASE("istio: rules are merged by age, whatever their order in the documents") {
  Rules rules;
  rules.add("first", "shop").meta.age = 7;
  rules.add("second", "shop").meta.age = 3;
  rules.add("third", "shop").meta.age = 5;
  CHECK(rules.found("shop") == "own second third first");
}

TEST_CASE("istio: the time of creation decides the age, equal times the name, and what has none is the youngest") {
  Rules rules;
  rules.add("later", "shop").meta.created = 2000;
  rules.add("not-applied-yet", "shop");
  rules.add("b", "shop").meta.created = 1000;
  rules.add("a", "shop").meta.created = 1000;
  rules.add("neither", "shop");
  CHECK(rules.found("shop") == "own a b later not-applied-yet neither");
}

TEST_CASE("istio: a subset of a name that is there already is dropped, of the same document it is not") {
  Rules rules;
  rules.add("old", "shop").subsets = {{.name = "of-v1", .labels = {{"v", "1"}}}};
  rules.add("new", "shop").subsets = {{.name = "of-v1", .labels = {{"v", "2"}}}, {.name = "of-v2"}, {.name = "of-v2"}};
  CHECK(rules.found("shop") == "own v1 v2 v2");
  const RuleIndex index(rules.rules, rules.mesh);
  const auto found = index.find({.name_space = "shop"}, web_host, "shop");
  CHECK(found.rule->rule.subsets[0].labels == Labels{{"v", "1"}});
  CHECK(found.rule->from == std::vector<std::size_t>{0, 1});
}

TEST_CASE("istio: of the subsets of a newer rule those are added whose names no older one has") {
  Rules rules;
  rules.add("old", "shop").subsets = {{.name = "of-v1"}, {.name = "of-v2"}};
  rules.add("new", "shop").subsets = {{.name = "of-v1"}, {.name = "of-v3"}, {.name = "of-v2"}};
  CHECK(rules.found("shop") == "own v1 v2 v3");
}

}  // namespace spillway::istio
