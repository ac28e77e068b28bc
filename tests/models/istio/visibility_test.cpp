// What a proxy sees. Expected: docs/behaviour/istio.md 3; istiod's pilot/pkg/model/sidecar.go.
#include "models/istio/visibility.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::istio {

namespace {

Sidecar& add_sidecar(Documents& documents, const std::string& name, const std::string& name_space, std::size_t age,
                     std::optional<Labels> selector = {}) {
  Sidecar& sidecar = documents.sidecars.emplace_back();
  sidecar.meta = {.kind = "Sidecar", .name = name, .name_space = name_space, .age = age};
  sidecar.workloadSelector = std::move(selector);
  return sidecar;
}

std::string sidecar_name(const Documents& documents, const std::string& client, const Labels& labels = {}) {
  const Sidecar* const found = sidecar_of(documents, {.name_space = client, .labels = labels});
  return found == nullptr ? "" : found->meta.name;
}

}  // namespace

TEST_CASE("istio: exports go to all, to the owner's namespace, or to those that are named") {
  CHECK(is_exported({}, "shop", "client"));
  CHECK(is_exported({"*"}, "shop", "client"));
  CHECK(is_exported({"other", "client"}, "shop", "client"));
  CHECK_FALSE(is_exported({"other"}, "shop", "client"));
  CHECK_FALSE(is_exported({"."}, "shop", "client"));
  CHECK(is_exported({"."}, "shop", "shop"));
  CHECK_FALSE(is_exported({"other"}, "shop", "shop"));
}

TEST_CASE("istio: the Sidecar that selects a proxy goes before its namespace's, and that before the root's") {
  Documents documents;
  CHECK(sidecar_name(documents, "shop").empty());
  add_sidecar(documents, "root", "istio-system", 0);
  CHECK(sidecar_name(documents, "shop") == "root");
  add_sidecar(documents, "own", "shop", 1);
  CHECK(sidecar_name(documents, "shop") == "own");
  add_sidecar(documents, "selecting", "shop", 2, Labels{{"app", "a"}});
  CHECK(sidecar_name(documents, "shop", {{"app", "a"}, {"v", "1"}}) == "selecting");
  CHECK(sidecar_name(documents, "shop", {{"app", "b"}}) == "own");
  CHECK(sidecar_name(documents, "elsewhere", {{"app", "a"}}) == "root");
  CHECK(sidecar_name(documents, "istio-system") == "root");
}

TEST_CASE("istio: a Sidecar of the root namespace with a selector is for proxies there alone") {
  Documents documents;
  add_sidecar(documents, "selecting", "istio-system", 0, Labels{{"app", "a"}});
  CHECK(sidecar_name(documents, "shop", {{"app", "a"}}).empty());
  CHECK(sidecar_name(documents, "istio-system", {{"app", "a"}}) == "selecting");
}

TEST_CASE("istio: of several Sidecars of one kind the oldest counts") {
  for (const bool reversed : {false, true}) {
    Documents documents;
    const std::size_t first = reversed ? 5 : 4;
    add_sidecar(documents, "4-or-5", "shop", first);
    add_sidecar(documents, "the other", "shop", 9 - first);
    CHECK(sidecar_name(documents, "shop") == (reversed ? "the other" : "4-or-5"));
    Documents root;
    add_sidecar(root, "4-or-5", "istio-system", first);
    add_sidecar(root, "the other", "istio-system", 9 - first);
    CHECK(sidecar_name(root, "shop") == (reversed ? "the other" : "4-or-5"));
    Documents selecting;
    add_sidecar(selecting, "4-or-5", "shop", first, Labels{});
    add_sidecar(selecting, "the other", "shop", 9 - first, Labels{});
    CHECK(sidecar_name(selecting, "shop") == (reversed ? "the other" : "4-or-5"));
  }
}

TEST_CASE("istio: a Sidecar imports what its egress hosts name, and everything where it has none") {
  Sidecar sidecar;
  CHECK(is_imported(nullptr, "client", "shop", "web.shop"));
  CHECK(is_imported(&sidecar, "client", "shop", "web.shop"));
  sidecar.egress.emplace_back();
  CHECK_FALSE(is_imported(&sidecar, "client", "shop", "web.shop"));
  const auto imports = [&](const std::string& entry, const std::string& owner) {
    sidecar.egress = {{.hosts = {"nothing/*"}}, {.hosts = {entry}}};
    return is_imported(&sidecar, "client", owner, "web.shop");
  };
  CHECK(imports("*/*", "shop"));
  CHECK(imports("shop/*", "shop"));
  CHECK(imports("shop/web.shop", "shop"));
  CHECK(imports("*/*.shop", "shop"));
  CHECK_FALSE(imports("web.shop", "shop"));
  CHECK_FALSE(imports("shop/other.shop", "shop"));
  CHECK_FALSE(imports("other/*", "shop"));
  CHECK_FALSE(imports("./*", "shop"));
  CHECK(imports("./*", "client"));
  CHECK_FALSE(imports("shop/*", "client"));
}

TEST_CASE("istio: a namespace behind a tilde is excluded from what its listener imports, wherever it stands") {
  const auto imports = [](const std::vector<std::string>& hosts, const std::string& owner) {
    Sidecar sidecar;
    sidecar.egress = {{.hosts = hosts}};
    return is_imported(&sidecar, "client", owner, "web.shop");
  };
  CHECK_FALSE(imports({"~shop/*", "*/*"}, "shop"));
  CHECK_FALSE(imports({"*/*", "~shop/web.shop"}, "shop"));
  CHECK(imports({"~shop/*", "*/*"}, "other"));
  CHECK(imports({"~shop/other.shop", "*/*"}, "shop"));
  CHECK_FALSE(imports({"~./*", "*/*"}, "client"));
  CHECK(imports({"~./*", "*/*"}, "shop"));
  CHECK_FALSE(imports({"~/*.shop", "*/*"}, "shop"));
  CHECK_FALSE(imports({"~*/web.shop", "shop/*"}, "shop"));
  CHECK_FALSE(imports({"~other/*"}, "shop"));
  Sidecar sidecar;
  sidecar.egress = {{.hosts = {"~shop/*", "*/*"}}, {.hosts = {"shop/*"}}};
  CHECK(is_imported(&sidecar, "client", "shop", "web.shop"));
}

TEST_CASE("istio: of several services of one host the client's own goes before the first of the others") {
  Documents documents;
  Registry registry;
  for (const auto& [name_space, port] : {std::pair("first", 80U), std::pair("second", 81U), std::pair("own", 82U)}) {
    registry.by_host["web"].push_back(registry.services.size());
    registry.services.push_back(
        {.hostname = "web", .name_space = name_space, .ports = {{"http", port, Protocol::http}}});
  }
  const auto owner = [&](const std::string& client, std::uint32_t port = 0) {
    const Proxy proxy{.name_space = client};
    const Service* const found = port == 0 ? visible_service(documents, registry, proxy, "web")
                                           : visible_service(documents, registry, proxy, "web", port);
    return found == nullptr ? "" : found->name_space;
  };
  CHECK(owner("own") == "own");
  CHECK(owner("client") == "first");
  CHECK(owner("client", 81) == "second");
  CHECK(owner("own", 81) == "second");
  CHECK(owner("client", 99) == "first");
  registry.services[0].export_to = {"."};
  CHECK(owner("client") == "second");
  CHECK(owner("first") == "first");
  add_sidecar(documents, "narrow", "client", 0).egress = {{.hosts = {"own/*"}}};
  CHECK(owner("client") == "own");
  CHECK(owner("client", 81) == "own");
}

}  // namespace spillway::istio
