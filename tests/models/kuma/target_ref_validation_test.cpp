// The rows of "Validation" in docs/behaviour/kuma.md 2 that are about targetRef, and the characters of names and tags
// (Kuma's core/resources/apis/mesh/validators.go, 2.14).
#include "models/kuma/target_ref_validation.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace spillway;
using config::KumaProfile;
using kuma::TargetRef;
using Violations = std::vector<kuma::Violation>;

namespace {

constexpr std::array<std::string_view, 9> every_kind = {
    "Mesh",         "Dataplane",           "MeshSubset",           "MeshGateway",
    "MeshService",  "MeshExternalService", "MeshMultiZoneService", "MeshServiceSubset",
    "MeshHTTPRoute"};

Violations refused_target(const TargetRef& target, KumaProfile profile = KumaProfile::release_2_14) {
  Violations found;
  kuma::validate_target_ref(target, "t", {.supported_kinds = every_kind, .profile = profile}, found);
  return found;
}

TargetRef target_with(TargetRef target, const std::string& field) {
  if (field == "name") {
    target.name = "b";
  } else if (field == "namespace") {
    target.namespace_ = "n";
  } else if (field == "mesh") {
    target.mesh = "m";
  } else if (field == "tags") {
    target.tags = kuma::Tags{{"version", "v1"}};
  } else if (field == "labels") {
    target.labels = kuma::Tags{{"app", "b"}};
  } else if (field == "sectionName") {
    target.sectionName = "http";
  } else {
    target.proxyTypes = std::vector<std::string>{"Sidecar"};
  }
  return target;
}

struct KindRow {
  TargetRef base;
  std::vector<std::string> refused;
  std::vector<std::string> admitted;
};

}  // namespace

TEST_CASE("a target's kind is defined and one that the place takes") {
  const std::array<std::string_view, 1> mesh_alone = {"Mesh"};
  Violations found;
  kuma::validate_target_ref({}, "t", {.supported_kinds = mesh_alone}, found);
  kuma::validate_target_ref({.kind = ""}, "t", {.supported_kinds = mesh_alone}, found);
  kuma::validate_target_ref({.kind = "X", .labels = {}}, "t", {.supported_kinds = mesh_alone}, found);
  kuma::validate_target_ref({.kind = "X"}, "t", {.supported_kinds = mesh_alone, .unsupported_kind = "no"}, found);
  kuma::validate_target_ref({.kind = "Mesh"}, "t", {.supported_kinds = mesh_alone}, found);
  CHECK(found == Violations{{"t.kind", "must be defined"},
                            {"t.kind", "must be defined"},
                            {"t.kind", "value 'X' is not supported"},
                            {"t.kind", "no"}});
}

TEST_CASE("each kind of target takes its own fields and refuses the others") {
  const std::vector<KindRow> rows = {
      {{.kind = "Mesh"}, {"mesh", "tags", "labels", "namespace", "sectionName"}, {"proxyTypes"}},
      {{.kind = "Dataplane"}, {"tags", "mesh", "proxyTypes"}, {"name", "namespace", "labels"}},
      {{.kind = "MeshSubset"}, {"name", "mesh", "labels", "namespace", "sectionName"}, {"tags", "proxyTypes"}},
      {{.kind = "MeshService", .name = "b"}, {"mesh", "tags", "proxyTypes"}, {"namespace", "sectionName"}},
      {{.kind = "MeshHTTPRoute", .name = "b"}, {"mesh", "tags", "proxyTypes", "sectionName"}, {"namespace"}},
      {{.kind = "MeshServiceSubset", .name = "b"},
       {"mesh", "proxyTypes", "labels", "namespace", "sectionName"},
       {"tags"}},
      {{.kind = "MeshGateway", .name = "b"}, {"mesh", "proxyTypes", "labels", "namespace", "sectionName"}, {"tags"}},
      {{.kind = "MeshMultiZoneService"},
       {},
       {"name", "namespace", "mesh", "tags", "labels", "sectionName", "proxyTypes"}},
  };
  for (const KindRow& row : rows) {
    INFO(*row.base.kind);
    CHECK(refused_target(row.base).empty());
    for (const std::string& field : row.refused) {
      CHECK(refused_target(target_with(row.base, field)) ==
            Violations{{"t." + field, "must not be set with kind " + *row.base.kind}});
    }
    for (const std::string& field : row.admitted) {
      INFO(field);
      CHECK(refused_target(target_with(row.base, field)).empty());
    }
  }
  CHECK(refused_target({.kind = "Mesh", .name = "", .mesh = "", .tags = kuma::Tags{}, .labels = kuma::Tags{}}).empty());
}

TEST_CASE("targets of 2.14 are refused in words of their own where Kuma has some") {
  const kuma::Tags app = {{"app", "b"}};
  const std::string either = "either labels or name and namespace must be specified";
  const std::string inbound = "can only be used with inbound policies";
  const std::string at_least_one = "must be undefined or have at least one element";
  const std::vector<std::string> none;
  CHECK(refused_target({.kind = "Mesh", .name = "m"}) ==
        Violations{{"t.name", "using name with kind Mesh is not yet supported"}});
  CHECK(refused_target({.kind = "Mesh", .proxyTypes = none}) == Violations{{"t.proxyTypes", at_least_one}});
  CHECK(refused_target({.kind = "MeshSubset", .proxyTypes = none}) == Violations{{"t.proxyTypes", at_least_one}});
  CHECK(refused_target({.kind = "Dataplane", .sectionName = "s"}) == Violations{{"t.sectionName", inbound}});
  CHECK(refused_target({.kind = "Dataplane", .name = "d", .labels = app}) == Violations{{"t.labels", either}});
  CHECK(refused_target({.kind = "Dataplane", .namespace_ = "n", .labels = app}) == Violations{{"t.labels", either}});
  for (const std::string kind : {"MeshService", "MeshHTTPRoute"}) {
    CHECK(refused_target({.kind = kind, .labels = app}).empty());
    CHECK(refused_target({.kind = kind}) == Violations{{"t", "name or labels must be set when kind is " + kind}});
    CHECK(refused_target({.kind = kind, .name = "b", .labels = app}) == Violations{{"t.labels", either}});
    CHECK(refused_target({.kind = kind, .namespace_ = "n", .labels = app}) == Violations{{"t.labels", either}});
  }
  for (const std::string kind : {"MeshServiceSubset", "MeshGateway"}) {
    CHECK(refused_target({.kind = kind}) == Violations{{"t.name", "must be set when kind is " + kind}});
  }
}

TEST_CASE("a name has small letters, digits, points, dashes and underscores") {
  const Violations wrong{
      {"t.name", "invalid characters: must consist of lower case alphanumeric characters, '-', '.' and '_'."}};
  for (const std::string kind : {"MeshService", "MeshServiceSubset"}) {
    CHECK(refused_target({.kind = kind, .name = "az-09._"}).empty());
    for (const std::string name : {"A", "Z", "/", ":", "@", "[", "`", "{", "*", " "}) {
      INFO(name);
      CHECK(refused_target({.kind = kind, .name = name}) == wrong);
    }
  }
}

TEST_CASE("names and values of tags have letters, digits and a few marks") {
  const std::string of_name = "tag name must consist of alphanumeric characters, dots, dashes, slashes and underscores";
  const std::string of_value = "tag value must consist of alphanumeric characters, dots, dashes and underscores";
  const std::string of_selector =
      "tag value must consist of alphanumeric characters, dots, dashes, slashes and underscores or be \"*\"";
  const auto subset = [](const kuma::Tags& tags) { return refused_target({.kind = "MeshSubset", .tags = tags}); };
  const auto selector = [](const kuma::Tags& tags) {
    return refused_target({.kind = "MeshServiceSubset", .name = "b", .tags = tags});
  };
  CHECK(subset({{"azAZ09.-_:/", "azAZ09.-_:"}}).empty());
  CHECK(selector({{"k", "azAZ09.-_:/"}, {"l", "*"}}).empty());
  for (const std::string mark : {"@", "[", "`", "{", "!", " "}) {
    INFO(mark);
    CHECK(subset({{mark, "v"}}) == Violations{{"t.tags[\"" + mark + "\"]", of_name}});
    CHECK(subset({{"k", mark}}) == Violations{{"t.tags[\"k\"]", of_value}});
    CHECK(selector({{"k", mark}}) == Violations{{"t.tags[\"k\"]", of_selector}});
  }
  CHECK(subset({{"k", "a/b"}}) == Violations{{"t.tags[\"k\"]", of_value}});
  CHECK(subset({{"k", "*"}}) == Violations{{"t.tags[\"k\"]", of_value}});
  CHECK(selector({{"k", "v*"}}) == Violations{{"t.tags[\"k\"]", of_selector}});
  CHECK(subset({{"", "v"}}) == Violations{{"t.tags", "tag name must be non-empty"}});
  CHECK(subset({{"k", ""}}) == Violations{{"t.tags[\"k\"]", "tag value must be non-empty"}});
}

TEST_CASE("targets of head are by labels, and unknown fields are dropped") {
  const auto head = [](const TargetRef& target) { return refused_target(target, KumaProfile::head); };
  const kuma::Tags app = {{"app", "b"}};
  CHECK(head({.kind = "Mesh", .name = "m", .namespace_ = "n", .mesh = "m", .tags = app}).empty());
  CHECK(
      head({.kind = "Mesh", .labels = app, .sectionName = "s"}) ==
      Violations{{"t.labels", "must not be set with kind Mesh"}, {"t.sectionName", "must not be set with kind Mesh"}});
  CHECK(head({.kind = "Dataplane", .labels = app}).empty());
  CHECK(head({.kind = "Dataplane", .sectionName = "s"}) ==
        Violations{{"t.sectionName", "can only be used with inbound policies"}});
  for (const std::string kind : {"MeshService", "MeshMultiZoneService", "MeshExternalService", "MeshHTTPRoute"}) {
    INFO(kind);
    CHECK(head({.kind = kind, .labels = app}).empty());
    CHECK(head({.kind = kind, .name = "b"}) == Violations{{"t.labels", "must be set when kind is " + kind}});
    const bool of_ports = kind == "MeshService" || kind == "MeshMultiZoneService";
    CHECK(head({.kind = kind, .labels = app, .sectionName = "s"}) ==
          (of_ports ? Violations{} : Violations{{"t.sectionName", "must not be set with kind " + kind}}));
  }
}
