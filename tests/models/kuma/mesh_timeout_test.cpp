#include "models/kuma/mesh_timeout.hpp"

#include <catch2/catch.hpp>

#include "models/config/profile.hpp"
#include "models/kuma/validation.hpp"

namespace kuma = spillway::kuma;
using namespace std::chrono_literals;
using spillway::config::KumaProfile;

namespace {

std::vector<kuma::Violation> violations_of(const kuma::TimeoutConf& conf) {
  kuma::MeshTimeout policy{.name = "t"};
  policy.to.emplace().push_back({.targetRef = kuma::TargetRef{.kind = "Mesh"}, .default_ = conf});
  return kuma::validate(policy, {}, KumaProfile::head);
}

}  // namespace

TEST_CASE("requestHeadersTimeout alone is no timeout of the section http", "[kuma]") {
  kuma::TimeoutConf conf{.connectionTimeout = 1s, .http = kuma::HttpTimeouts{.requestHeadersTimeout = 0s}};
  const auto violations = violations_of(conf);
  REQUIRE(violations.size() == 1);
  CHECK(violations[0].field == "spec.to[0].default.http");
  CHECK(violations[0].message == "at least one timeout in this section should be configured");
  conf.http->requestTimeout = 0s;
  CHECK(violations_of(conf).empty());
}

TEST_CASE("a MeshTimeout has to set something, and connections need a positive timeout", "[kuma]") {
  CHECK(violations_of(kuma::TimeoutConf{}).size() == 1);
  CHECK(violations_of({.connectionTimeout = 0s}).size() == 1);
  CHECK(violations_of({.idleTimeout = 0s}).empty());
  CHECK(kuma::validate(kuma::MeshTimeout{}, {}, KumaProfile::head).size() == 1);
}

TEST_CASE("timeouts are merged field by field", "[kuma]") {
  kuma::TimeoutConf conf{.idleTimeout = 1h, .http = kuma::HttpTimeouts{.requestTimeout = 5s}};
  kuma::merge_patch(conf, {.http = kuma::HttpTimeouts{.streamIdleTimeout = 2s}});
  CHECK(conf.idleTimeout == 1h);
  CHECK(conf.http->requestTimeout == 5s);
  CHECK(conf.http->streamIdleTimeout == 2s);
}
