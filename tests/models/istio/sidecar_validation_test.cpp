// What admission says of Sidecars. Expected: docs/behaviour/istio.md 11; istiod's pkg/config/validation/validation.go
// (ValidateSidecar), agent/validation.go (ValidateNamespaceSlashWildcardHostname).
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/istio/validation.hpp"
#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using SidecarLines = test::Lines;

SidecarLines lines_of_egress(const std::vector<Sidecar::Listener>& egress) {
  Sidecar sidecar;
  sidecar.meta.name_space = "shop";
  sidecar.egress = egress;
  return test::lines_of(validate(sidecar));
}

SidecarLines lines_of_hosts(const std::vector<std::string>& hosts) {
  return lines_of_egress({{.hosts = hosts}});
}

}  // namespace

TEST_CASE("istio admission: a Sidecar says something") {
  Sidecar sidecar;
  CHECK(test::lines_of(validate(sidecar)) == SidecarLines{"refused empty-sidecar at spec"});
  sidecar.other = true;
  CHECK(validate(sidecar).empty());
  sidecar.workloadSelector = Labels{};
  CHECK(test::lines_of(validate(sidecar)) == SidecarLines{"warned selector-without-labels at spec.workloadSelector"});
  // A bad selector is all that is told.
  sidecar.other = false;
  sidecar.workloadSelector = Labels{{"app", "a*"}};
  CHECK(test::lines_of(validate(sidecar)) == SidecarLines{"refused selector-wildcard at spec.workloadSelector"});
}

TEST_CASE("istio admission: hosts of a Sidecar have a namespace and a whole name") {
  for (const char* const good : {"*/*", "./*", "shop/*", "shop/web.shop.svc.cluster.local", "*/*.example", "~shop/*",
                                 "~./*", "~/*", "~*/a.example"}) {
    INFO(good);
    CHECK(lines_of_hosts({good}).empty());
  }
  const std::string at = " at spec.egress[0].hosts[0]";
  CHECK(lines_of_hosts({"web.example"}) == SidecarLines{"refused egress-host" + at});
  CHECK(lines_of_hosts({"/a.example"}) == SidecarLines{"refused egress-host" + at});
  CHECK(lines_of_hosts({"shop/"}) == SidecarLines{"refused egress-host" + at, "refused egress-short-name" + at});
  CHECK(lines_of_hosts({"a_b/*"}) == SidecarLines{"refused egress-namespace" + at});
  CHECK(lines_of_hosts({"shop/web"}) == SidecarLines{"refused egress-short-name" + at});
  CHECK(lines_of_hosts({"shop/*web.example"}) == SidecarLines{"refused egress-partial-wildcard" + at});
  CHECK(lines_of_hosts({"shop/web.*"}) ==
        SidecarLines{"refused host-name" + at, "refused egress-partial-wildcard" + at});
  CHECK(lines_of_hosts({}) == SidecarLines{"refused egress-without-hosts at spec.egress[0]"});
}

TEST_CASE("istio admission: the listener of a Sidecar without a port is the last one") {
  const Sidecar::Listener any{.hosts = {"*/*"}};
  const Sidecar::Listener of_80{.port = Sidecar::Port{.number = 80}, .hosts = {"*/*"}};
  CHECK(lines_of_egress({of_80, any}).empty());
  CHECK(lines_of_egress({any, of_80}) == SidecarLines{"refused egress-without-port at spec.egress[0]"});
  CHECK(lines_of_egress({any, any}) == SidecarLines{"refused egress-without-port at spec.egress[0]"});
  CHECK(lines_of_egress({of_80, of_80}) == SidecarLines{"refused egress-port-twice at spec.egress[1].port"});
}

TEST_CASE("istio admission: ports of a Sidecar have numbers, names and protocols as others do") {
  const auto lines = [](const Sidecar::Port& port, const char* bind) {
    return lines_of_egress({{.port = port, .bind = bind, .hosts = {"*/*"}}});
  };
  const std::string at = " at spec.egress[0].port";
  CHECK(lines({.number = 81, .protocol = "HTTP", .name = "x"}, "").empty());
  CHECK(lines({.protocol = "HTTP"}, "unix:///var/run/x").empty());
  CHECK(lines({.protocol = "HTTP"}, "") == SidecarLines{"refused port-number" + at + ".number"});
  CHECK(lines({.number = 70'000, .protocol = "FOO", .name = "a_b", .targetPort = 1}, "") ==
        SidecarLines{"refused sidecar-target-port" + at + ".targetPort", "refused port-name" + at + ".name",
                     "refused port-protocol" + at + ".protocol", "refused port-number" + at + ".number"});
}

TEST_CASE("istio admission: a host of a Sidecar that another has named is warned of") {
  const SidecarLines warned = {"warned egress-host-twice at spec.egress[0].hosts"};
  CHECK(lines_of_hosts({"shop/a.example", "shop/b.example"}).empty());
  CHECK(lines_of_hosts({"shop/a.example", "./a.example"}) == warned);
  CHECK(lines_of_hosts({"shop/*", "shop/a.example"}) == warned);
  CHECK(lines_of_hosts({"shop/a.example", "shop/*"}) == warned);
  CHECK(lines_of_hosts({"*/*", "shop/a.example"}) == warned);
  CHECK(lines_of_hosts({"~shop/*", "*/*"}).empty());
}

}  // namespace spillway::istio
