// Which Sidecar a proxy has. Expected: istiod's pilot/pkg/model/sidecar.go, as models/istio/visibility.hpp tells it.
#include "models/istio/visibility.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace spillway::istio {
namespace {

Sidecar sidecar_named(const std::string& name, const std::string& name_space, std::size_t age) {
  return {.meta = {.kind = "Sidecar", .name = name, .name_space = name_space, .age = age}};
}

std::string name_of(const Sidecar* sidecar) {
  return sidecar == nullptr ? "" : sidecar->meta.name;
}

}  // namespace

TEST_CASE("istio: the Sidecar that selects a proxy comes before its namespace's, and that before the root's") {
  Documents documents;
  const Proxy proxy{.name_space = "shop", .labels = {{"app", "cart"}}};
  CHECK(sidecar_of(documents, proxy) == nullptr);
  documents.sidecars = {sidecar_named("elsewhere", "other", 0), sidecar_named("root", "istio-system", 4)};
  CHECK(name_of(sidecar_of(documents, proxy)) == "root");
  documents.sidecars.push_back(sidecar_named("older root", "istio-system", 3));
  CHECK(name_of(sidecar_of(documents, proxy)) == "older root");
  documents.sidecars.push_back(sidecar_named("own", "shop", 5));
  CHECK(name_of(sidecar_of(documents, proxy)) == "own");
  documents.sidecars.push_back(sidecar_named("selecting", "shop", 6));
  documents.sidecars.back().workloadSelector = Labels{{"app", "cart"}};
  CHECK(name_of(sidecar_of(documents, proxy)) == "selecting");
  documents.sidecars.back().workloadSelector = Labels{{"app", "web"}};
  CHECK(name_of(sidecar_of(documents, proxy)) == "own");
}

TEST_CASE("istio: a Sidecar of the root namespace that selects proxies is for its own namespace alone") {
  Documents documents;
  documents.sidecars = {sidecar_named("root", "istio-system", 0)};
  documents.sidecars.back().workloadSelector = Labels{{"app", "cart"}};
  CHECK(sidecar_of(documents, {.name_space = "shop", .labels = {{"app", "cart"}}}) == nullptr);
  CHECK(name_of(sidecar_of(documents, {.name_space = "istio-system", .labels = {{"app", "cart"}}})) == "root");
}

TEST_CASE("istio: what is exported to `.` is seen in its own namespace") {
  CHECK(is_exported({"."}, "shop", "shop"));
  CHECK_FALSE(is_exported({"."}, "shop", "client"));
  CHECK(is_exported({}, "shop", "client"));
  CHECK(is_exported({"*"}, "shop", "client"));
  CHECK(is_exported({"other", "client"}, "shop", "client"));
  CHECK_FALSE(is_exported({"other"}, "shop", "client"));
}

}  // namespace spillway::istio
