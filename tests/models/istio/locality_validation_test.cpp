// What admission says of `distribute`, `failover` and `failoverPriority`. Expected: docs/behaviour/istio.md 6.3, 6.5, 8
// and 11; istiod's pkg/config/validation/agent/validation.go (ValidateLocalityLbSetting, validateLocalities,
// ValidateZoneAwareLbSetting).
#include "models/istio/locality_validation.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using test::Lines;
using To = std::vector<std::pair<std::string, std::uint32_t>>;

Lines said_of(const LocalityLbSetting& setting, bool outlier = true) {
  std::vector<Finding> findings;
  check_locality(setting, outlier, "here", findings);
  return test::lines_of(findings);
}

Lines said_of(const ZoneAwareLbSetting& setting, bool outlier = true) {
  std::vector<Finding> findings;
  check_zone_aware(setting, outlier, "here", findings);
  return test::lines_of(findings);
}

// Entries of these sources, each to everywhere.
LocalityLbSetting from_each(const std::vector<std::string>& sources) {
  LocalityLbSetting setting;
  for (const std::string& source : sources) {
    setting.distribute.push_back({.from = source, .to = {{"*", 100}}});
  }
  return setting;
}

LocalityLbSetting to_each(const To& to) {
  return {.distribute = {{.from = "*", .to = to}}};
}

}  // namespace

TEST_CASE("istio admission: percentages of distribute are 1 to 100 and make 100") {
  const std::pair<To, Lines> cases[] = {
      {{{"r1", 100}}, {}},
      {{{"r1", 1}, {"r2", 99}}, {}},
      {{{"r1", 0}, {"r2", 100}}, {"refused distribute-weight-out-of-range at here.distribute[0].to"}},
      {{{"r1", 101}}, {"refused distribute-weight-out-of-range at here.distribute[0].to"}},
      {{{"r1", 50}, {"r2", 49}}, {"refused distribute-sum-not-100 at here.distribute[0].to"}},
      {{{"r1", 50}, {"r2", 51}}, {"refused distribute-sum-not-100 at here.distribute[0].to"}},
      {{}, {"refused distribute-sum-not-100 at here.distribute[0].to"}},
  };
  for (const auto& [to, says] : cases) {
    CHECK(said_of(to_each(to)) == says);
  }
  std::vector<Finding> findings;
  check_locality(to_each({{"r1", 50}, {"r2", 49}}), true, "here", findings);
  CHECK(findings[0].message == "total locality weight 99 != 100");
}

TEST_CASE("istio admission: a wrong percentage ends the checks") {
  LocalityLbSetting setting = from_each({"r1", "r1"});
  setting.distribute[0].to = {{"r1", 99}};
  setting.failoverPriority = {"version"};
  CHECK(said_of(setting, false) == Lines{"refused distribute-sum-not-100 at here.distribute[0].to"});
  // Those of entries before it stand.
  setting.distribute[0].to = {{"r1", 50}, {"r1/z1", 50}};
  setting.distribute[1].to = {{"r1", 99}};
  CHECK(said_of(setting, false) == Lines{"refused distribute-localities-overlap at here.distribute[0].to",
                                         "refused distribute-sum-not-100 at here.distribute[1].to"});
}

TEST_CASE("istio admission: patterns have their wildcard at the end and no empty part") {
  const std::string wildcard = "refused distribute-wildcard at here.distribute";
  const std::string empty = "refused distribute-empty-part at here.distribute";
  const std::pair<const char*, std::string> cases[] = {
      {"r1", ""},        {"r1/z1", ""},      {"r1/z1/s1", ""},      {"*", ""},
      {"r1/*", ""},      {"r1/z1/*", ""},    {"r1*", ""},           {"r1/z1/s1/x", ""},
      {"**", wildcard},  {"*/z1", wildcard}, {"r1/*/s1", wildcard}, {"r1/*/*", wildcard},
      {"", empty},       {"/z1", empty},     {"r1/", empty},        {"r1//s1", empty},
      {"r1/z1/", empty},
  };
  for (const auto& [pattern, says] : cases) {
    INFO(pattern);
    CHECK(said_of(from_each({pattern})) == (says.empty() ? Lines{} : Lines{says}));
    CHECK(said_of(to_each({{pattern, 100}})) == (says.empty() ? Lines{} : Lines{says + "[0].to"}));
  }
  // The first wrong one of a list is told.
  CHECK(said_of(from_each({"*/z1", "/z1", "r1", "r1"})) == Lines{wildcard});
}

TEST_CASE("istio admission: patterns of a list do not overlap") {
  const std::pair<std::vector<std::string>, bool> cases[] = {
      {{"r1", "r2"}, false},
      {{"r1", "r1"}, true},
      {{"r1/*", "r1"}, true},
      {{"r1", "r1/z1"}, true},
      {{"r1", "r1/z1/s1"}, true},
      {{"r1/*", "r1/z1/*"}, true},
      {{"r1/z1", "r1"}, true},
      {{"r1/z1/s1", "r1"}, true},
      {{"r1/z1", "r1/z2"}, false},
      {{"r1/z1", "r2/z1"}, false},
      {{"r1/z1", "r1/z1"}, true},
      {{"r1/z1", "r1/z1/s1"}, true},
      {{"r1/z1/*", "r1/z1/s1"}, true},
      {{"r1/z1/s1", "r1/z1"}, true},
      {{"r1/z1/s1", "r1/z1/s2"}, false},
      {{"r1/z1/s1", "r1/z2/s1"}, false},
      {{"r1/z1/s1", "r2/z1/s1"}, false},
      {{"r1/z1/s1", "r1/z1/s1"}, true},
      // A wildcard behind what it covers is a name of its own to istiod.
      {{"r1/z1/*", "r1/*"}, false},
      {{"r1/z1", "r1/*"}, false},
      {{"r1/z1/s1", "r1/z1/*"}, false},
      {{"r1/*", "r1/z1"}, true},
      {{"*", "r1"}, true},
      {{"*", "r1/z1/s1"}, true},
      {{"*", "*"}, true},
      {{"r1/z1/s1", "r1/z1/s2", "r1/z2", "r2", "r3/z1"}, false},
      {{"r1/z1/s1", "r1/z1/s2", "r1/z2", "r2", "r1/z1/s2"}, true},
      {{"r1/z1/s1", "r1/z2", "r2", "r2/z1"}, true},
  };
  for (const auto& [patterns, overlap] : cases) {
    INFO(patterns.front() << " to " << patterns.back());
    CHECK(said_of(from_each(patterns)) ==
          (overlap ? Lines{"refused distribute-localities-overlap at here.distribute"} : Lines{}));
    To to;
    for (const std::string& pattern : patterns) {
      to.emplace_back(pattern, 1);
    }
    to.back().second += 100 - static_cast<std::uint32_t>(to.size());
    CHECK(said_of(to_each(to)) ==
          (overlap ? Lines{"refused distribute-localities-overlap at here.distribute[0].to"} : Lines{}));
  }
}

TEST_CASE("istio admission: distribute and failover are not written together") {
  LocalityLbSetting setting = from_each({"r1", "r1"});
  CHECK(said_of(setting).size() == 1);
  setting.failover = {{"r1", "r1"}};
  CHECK(said_of(setting, false) == Lines{"refused distribute-with-failover at here.failover"});
  setting.distribute.clear();
  CHECK(said_of(setting) == Lines{"refused failover-to-itself at here.failover[0]"});
}

TEST_CASE("istio admission: labels of the topology do not stand beside failover") {
  const std::string refusal = "refused failover-with-topology-priority at here.failoverPriority";
  const std::string zone_aware = "refused zone-aware-topology-priority at here.failoverPriority";
  const std::pair<const char*, bool> labels[] = {
      {"topology.kubernetes.io/region", true},   {"topology.kubernetes.io/zone", true},
      {"topology.istio.io/subzone", true},       {"topology.istio.io/network", false},
      {"topology.kubernetes.io/zone=z1", false}, {"version", false},
  };
  for (const auto& [label, topology] : labels) {
    INFO(label);
    const std::vector<std::string> labels_written = {"version", label};
    CHECK(said_of(LocalityLbSetting{.failover = {{"r1", "r2"}}, .failoverPriority = labels_written}) ==
          (topology ? Lines{refusal} : Lines{}));
    CHECK(said_of(LocalityLbSetting{.failoverPriority = labels_written}).empty());
    // A zone-aware setting never takes them.
    CHECK(said_of(ZoneAwareLbSetting{.failover = {{"r1", "r2"}}, .failoverPriority = labels_written}) ==
          (topology ? Lines{zone_aware} : Lines{}));
    CHECK(said_of(ZoneAwareLbSetting{.failoverPriority = labels_written}) == (topology ? Lines{zone_aware} : Lines{}));
  }
  // istiod looks no further.
  CHECK(said_of(LocalityLbSetting{.failover = {{"r1", "r1"}}, .failoverPriority = {"topology.kubernetes.io/zone"}},
                false) == Lines{refusal});
}

TEST_CASE("istio admission: failover goes from one region to another") {
  const std::pair<LocalityLbSetting::Failover, std::size_t> cases[] = {
      {{"r1", "r2"}, 0}, {{"r1", "r1"}, 1}, {{"r1/z1", "r2"}, 1}, {{"r1", "r2/z1"}, 1},
      {{"*", "r2"}, 1},  {{"r1", "*"}, 1},  {{"*", "*"}, 2},      {{"r1/*", "r1/*"}, 3},
  };
  for (const auto& [entry, findings] : cases) {
    INFO(entry.from << " to " << entry.to);
    const Lines says(findings, "refused failover-to-itself at here.failover[1]");
    CHECK(said_of(LocalityLbSetting{.failover = {{"r3", "r4"}, entry}}) == says);
    CHECK(said_of(ZoneAwareLbSetting{.failover = {{"r3", "r4"}, entry}}) == says);
  }
}

TEST_CASE("istio admission: failover without outlier detection is warned of") {
  const Lines warned = {"warned failover-without-outlier-detection at here"};
  CHECK(said_of(LocalityLbSetting{.failover = {{"r1", "r2"}}}, false) == warned);
  CHECK(said_of(LocalityLbSetting{.failoverPriority = {"version"}}, false) == warned);
  CHECK(said_of(LocalityLbSetting{.failover = {{"r1", "r2"}}, .failoverPriority = {"version"}}, true).empty());
  CHECK(said_of(LocalityLbSetting{}, false).empty());
  CHECK(said_of(from_each({"r1"}), false).empty());
  CHECK(said_of(ZoneAwareLbSetting{.failover = {{"r1", "r2"}}}, false) == warned);
  CHECK(said_of(ZoneAwareLbSetting{.failoverPriority = {"version"}}, false) == warned);
  CHECK(said_of(ZoneAwareLbSetting{.failoverPriority = {"version"}}, true).empty());
  CHECK(said_of(ZoneAwareLbSetting{}, false).empty());
}

}  // namespace spillway::istio
