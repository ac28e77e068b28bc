// Steps 1 to 4 of docs/behaviour/kuma.md 3, a row each, and the ranks by which policies are sorted.
#include "models/kuma/targeting.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/rules.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using kuma::ProxyRole;
using kuma::Tags;
using kuma::TargetRef;

namespace {

kuma::Policy labelled(const Tags& labels) {
  return test::policy("p", {.kind = "Mesh"}, test::disabled(true), labels);
}

kuma::Policy topped(TargetRef top, const Tags& labels = {}, const std::string& name = "p") {
  auto policy = test::policy(name, {.kind = "Mesh"}, test::disabled(true), labels);
  policy.spec.targetRef = std::move(top);
  return policy;
}

bool in_release(const TargetRef& top, const kuma::Client& client) {
  return kuma::selects(topped(top), client, KumaProfile::release_2_14);
}

bool in_head(const TargetRef& top, const kuma::Client& client) {
  return kuma::selects(topped(top), client, KumaProfile::head);
}

const kuma::Client sidecar_of_web{
    .name = "web-1",
    .zone = "zone-1",
    .labels = {{"app", "web"}, {"k8s.kuma.io/namespace", "shop"}},
    .inbounds = {{{"kuma.io/service", "web"}, {"version", "v1"}}, {{"kuma.io/service", "admin"}, {"version", "v2"}}},
    .gateway_tags = {{"kuma.io/service", "edge"}}};
const kuma::Client builtin_edge{.name = "edge-1",
                                .zone = "zone-1",
                                .gateway_tags = {{"kuma.io/service", "edge"}, {"port", "80"}},
                                .role = ProxyRole::builtin_gateway,
                                .gateway_name = "edge"};
const kuma::Client delegated_edge{
    .name = "kong-1", .zone = "zone-1", .gateway_tags = {{"kuma.io/service", "kong"}}, .delegated_gateway = true};

// Which of the policies has the last word for a resource: its position.
std::size_t last_word(const std::vector<kuma::Policy>& policies, const kuma::Client& client = sidecar_of_web) {
  const kuma::Destination backend{.kind = "MeshService", .name = "backend", .labels = {{"app", "b"}}};
  return kuma::resource_rule(policies, client, backend, KumaProfile::release_2_14)->origins.back().policy;
}

}  // namespace

TEST_CASE("whom a policy selects by its zone, its role and its namespace") {
  struct Row {
    Tags policy;
    Tags client;
    bool selected;
  };
  const std::string zone = "kuma.io/zone";
  const std::string origin = "kuma.io/origin";
  const std::string role = "kuma.io/policy-role";
  const std::string name_space = "k8s.kuma.io/namespace";
  const std::vector<Row> rows = {
      {{}, {}, true},
      {{{origin, "zone"}, {zone, "zone-1"}}, {}, true},
      {{{origin, "zone"}, {zone, "zone-2"}}, {}, false},
      {{{origin, "zone"}}, {}, true},
      {{{origin, "global"}, {zone, "zone-2"}}, {}, true},
      {{{zone, "zone-2"}}, {}, true},
      {{{origin, "zone"}, {zone, "zone-2"}, {role, "producer"}}, {}, true},
      {{{origin, "zone"}, {zone, "zone-2"}}, {{origin, "global"}}, true},
      {{{role, "consumer"}, {name_space, "shop"}}, {{name_space, "shop"}}, true},
      {{{role, "consumer"}, {name_space, "shop"}}, {{name_space, "else"}}, false},
      {{{role, "consumer"}}, {}, false},
      {{{role, "workload-owner"}, {name_space, "shop"}}, {{name_space, "shop"}}, true},
      {{{role, "workload-owner"}, {name_space, "shop"}}, {}, false},
      {{{role, "workload-owner"}}, {}, false},
      {{{role, "producer"}, {name_space, "shop"}}, {{name_space, "else"}}, true},
      {{{role, "system"}, {name_space, "shop"}}, {}, true},
      {{{"kuma.io/effect", "shadow"}}, {}, false},
      {{{"kuma.io/effect", "other"}}, {}, true},
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    INFO("row " << row);
    const kuma::Client client{.zone = "zone-1", .labels = rows[row].client};
    CHECK(kuma::selects(labelled(rows[row].policy), client, KumaProfile::release_2_14) == rows[row].selected);
    CHECK(kuma::selects(labelled(rows[row].policy), client, KumaProfile::head) == rows[row].selected);
  }
}

TEST_CASE("a policy for the mesh may be for sidecars or gateways alone, in 2.14") {
  using Types = std::vector<std::string>;
  const auto for_mesh = [](Types types) { return TargetRef{.kind = "Mesh", .proxyTypes = std::move(types)}; };
  CHECK(in_release({.kind = "Mesh"}, sidecar_of_web));
  CHECK(in_release(for_mesh({}), sidecar_of_web));
  CHECK(in_release(for_mesh({"Gateway", "Sidecar"}), sidecar_of_web));
  CHECK_FALSE(in_release(for_mesh({"Gateway"}), sidecar_of_web));
  CHECK(in_head(for_mesh({"Gateway"}), sidecar_of_web));
  for (const kuma::Client& gateway : {builtin_edge, delegated_edge}) {
    CHECK(in_release(for_mesh({"Gateway"}), gateway));
    CHECK_FALSE(in_release(for_mesh({"Sidecar"}), gateway));
  }
}

TEST_CASE("a policy for dataplanes selects by labels, in 2.14 by name and namespace too") {
  CHECK(in_release({.kind = "Dataplane"}, sidecar_of_web));
  CHECK(in_release({.kind = "Dataplane"}, delegated_edge));
  CHECK_FALSE(in_release({.kind = "Dataplane"}, builtin_edge));
  CHECK(in_release({.kind = "Dataplane", .name = ""}, sidecar_of_web));
  CHECK(in_release({.kind = "Dataplane", .name = "web-1"}, sidecar_of_web));
  CHECK_FALSE(in_release({.kind = "Dataplane", .name = "web-2"}, sidecar_of_web));
  CHECK(in_release({.kind = "Dataplane", .name = "web-1", .namespace_ = "shop"}, sidecar_of_web));
  CHECK_FALSE(in_release({.kind = "Dataplane", .name = "web-1", .namespace_ = "else"}, sidecar_of_web));
  CHECK_FALSE(in_release({.kind = "Dataplane", .name = "web-2", .namespace_ = "shop"}, sidecar_of_web));
  CHECK(in_head({.kind = "Dataplane", .name = "web-2"}, sidecar_of_web));
  for (const auto& selecting : {in_release, in_head}) {
    CHECK(selecting({.kind = "Dataplane", .labels = Tags{{"app", "web"}}}, sidecar_of_web));
    CHECK(selecting({.kind = "Dataplane", .labels = Tags{{"app", "*"}}}, sidecar_of_web));
    CHECK_FALSE(selecting({.kind = "Dataplane", .labels = Tags{{"app", "web"}, {"x", "*"}}}, sidecar_of_web));
  }
}

TEST_CASE("subsets and services select by the tags of one inbound, of gateways by theirs") {
  const auto subset = [](const Tags& tags) { return TargetRef{.kind = "MeshSubset", .tags = tags}; };
  const auto service = [](const std::string& name) { return TargetRef{.kind = "MeshService", .name = name}; };
  const auto both = [](const std::string& name, const Tags& tags) {
    return TargetRef{.kind = "MeshServiceSubset", .name = name, .tags = tags};
  };
  CHECK(in_release(subset({{"version", "v2"}}), sidecar_of_web));
  CHECK_FALSE(in_release(subset({{"version", "v3"}}), sidecar_of_web));
  CHECK_FALSE(in_release(subset({{"kuma.io/service", "web"}, {"version", "v2"}}), sidecar_of_web));
  CHECK_FALSE(
      in_release({.kind = "MeshSubset", .tags = Tags{{"version", "v2"}}, .proxyTypes = {{"Gateway"}}}, sidecar_of_web));
  CHECK(in_release(service("admin"), sidecar_of_web));
  CHECK_FALSE(in_release(service("edge"), sidecar_of_web));  // no gateway, whatever its gateway's tags are
  CHECK(in_release(service("edge"), builtin_edge));
  CHECK(in_release(service("kong"), delegated_edge));
  CHECK(in_release(both("web", {{"version", "v1"}}), sidecar_of_web));
  CHECK_FALSE(in_release(both("web", {{"version", "v2"}}), sidecar_of_web));
  CHECK_FALSE(in_release(both("else", {{"version", "v1"}}), sidecar_of_web));
  for (const TargetRef& target : {subset({{"version", "v1"}}), service("web"), both("web", {})}) {
    CHECK_FALSE(in_head(target, sidecar_of_web));
  }
  CHECK_FALSE(in_release({.kind = "MeshHTTPRoute", .name = "web"}, sidecar_of_web));
}

TEST_CASE("a policy for a gateway selects the builtin gateway of that name and those tags") {
  CHECK(in_release({.kind = "MeshGateway", .name = "edge"}, builtin_edge));
  CHECK(in_release({.kind = "MeshGateway", .name = "edge", .tags = Tags{{"port", "80"}}}, builtin_edge));
  CHECK_FALSE(in_release({.kind = "MeshGateway", .name = "edge", .tags = Tags{{"port", "81"}}}, builtin_edge));
  CHECK_FALSE(in_release({.kind = "MeshGateway", .name = "else"}, builtin_edge));
  auto sidecar = builtin_edge;
  sidecar.role = ProxyRole::sidecar;
  CHECK_FALSE(in_release({.kind = "MeshGateway", .name = "edge"}, sidecar));
  CHECK_FALSE(in_head({.kind = "MeshGateway", .name = "edge"}, builtin_edge));
}

TEST_CASE("kinds, origins and roles rank as Kuma sorts policies") {
  const std::vector<std::string> kinds = {"Other",
                                          "Mesh",
                                          "Dataplane",
                                          "MeshSubset",
                                          "MeshGateway",
                                          "MeshService",
                                          "MeshExternalService",
                                          "MeshMultiZoneService",
                                          "MeshServiceSubset",
                                          "MeshHTTPRoute"};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    CHECK(kuma::kind_rank(kinds[kind]) == static_cast<int>(kind));
  }
  const auto origin = [](const std::string& text) { return kuma::origin_rank(labelled({{"kuma.io/origin", text}})); };
  CHECK(origin("global") < origin(""));
  CHECK(origin("") == kuma::origin_rank(labelled({})));
  CHECK(origin("") < origin("zone"));
  const auto role = [](const std::string& text) { return kuma::role_rank(labelled({{"kuma.io/policy-role", text}})); };
  CHECK(role("system") == kuma::role_rank(labelled({})));
  CHECK(role("system") < role("producer"));
  CHECK(role("producer") < role("consumer"));
  CHECK(role("consumer") < role("workload-owner"));
}

TEST_CASE("of policies for dataplanes one by name comes after one by labels, and one for a section after one without") {
  const TargetRef by_name{.kind = "Dataplane", .name = "web-1"};
  const TargetRef by_labels{.kind = "Dataplane", .labels = Tags{{"app", "web"}}};
  TargetRef section = by_labels;
  section.sectionName = "http";
  // The smaller name would have the last word.
  CHECK(last_word({topped(by_name, {}, "z"), topped(by_labels, {}, "a")}) == 0);
  CHECK(last_word({topped(by_labels, {}, "a"), topped(by_name, {}, "z")}) == 1);
  CHECK(last_word({topped(section, {}, "z"), topped(by_labels, {}, "a")}) == 0);
  CHECK(last_word({topped(by_labels, {}, "a"), topped(section, {}, "z")}) == 1);
  CHECK(last_word({topped(by_labels, {}, "z"), topped(by_labels, {}, "a")}) == 1);
  // Equal policies stay as they are listed, and a name that a control plane made up counts by its label.
  CHECK(last_word({topped(by_labels), topped(by_labels)}) == 1);
  CHECK(last_word({topped(by_labels, {{"kuma.io/display-name", "a"}}, "z"), topped(by_labels, {}, "b")}) == 0);
  CHECK(last_word({topped({.kind = "Mesh"}, {{"kuma.io/origin", "zone"}}, "z"), topped({.kind = "Mesh"}, {}, "a")}) ==
        0);
}
