#include "models/kuma/policy_role.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace spillway;
using kuma::TargetRef;

namespace {

std::string role(const std::vector<TargetRef>& to, std::string_view name_space = "shop", bool has_from = false) {
  return kuma::policy_role(to, has_from, name_space).role;
}

}  // namespace

TEST_CASE("a policy's role follows from its namespace and from whom its items name") {
  const TargetRef mesh{.kind = "Mesh"};
  const TargetRef own{.kind = "MeshService", .name = "b"};
  const TargetRef same{.kind = "MeshService", .name = "b", .namespace_ = "shop"};
  const TargetRef other{.kind = "MeshService", .name = "b", .namespace_ = "else"};
  const TargetRef by_labels{.kind = "MeshService", .labels = kuma::Tags{{"app", "b"}}};
  CHECK(role({own}, "kuma-system") == "system");
  CHECK(role({own}, "") == "system");
  CHECK(role({own, same}) == "producer");
  CHECK(role({mesh}) == "consumer");
  CHECK(role({other, by_labels}) == "consumer");
  CHECK(role({{.kind = "MeshHTTPRoute", .name = "r"}}) == "producer");
  CHECK(role({{.kind = "MeshHTTPRoute", .labels = kuma::Tags{{"app", "b"}}}}) == "consumer");
  CHECK(role({{.kind = "MeshMultiZoneService", .name = "b"}}) == "consumer");
  CHECK(role({}) == "workload-owner");
  CHECK(role({}, "shop", true) == "workload-owner");
}

TEST_CASE("a policy cannot be a producer's and a consumer's at once") {
  const std::vector<TargetRef> both = {{.kind = "MeshService", .name = "b"}, {.kind = "Mesh"}};
  const kuma::PolicyRole mixed = kuma::policy_role(both, false, "shop");
  CHECK(mixed.role.empty());
  CHECK(mixed.refusal == "it's not allowed to mix producer and consumer items in the same policy");
  CHECK(kuma::policy_role(both, true, "shop").refusal ==
        "it's not allowed to mix 'to' and 'from' arrays in the same policy");
}
