// What a proxy sees. Expected: docs/behaviour/istio.md 3; istiod's pilot/pkg/model/sidecar.go.
#include "models/istio/visibility.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
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

// Of a VirtualService of that namespace with this host.
bool imports_host(const Sidecar* sidecar, const std::string& owner, const std::string& host, std::uint32_t port = 0) {
  VirtualService routes;
  routes.meta.name_space = owner;
  routes.hosts = {host};
  return is_imported(sidecar, "client", routes, port);
}

// A client beside the service web of another namespace, with ports 80 and 81.
struct Visit {
  Visit() {
    registry.by_host[host] = {0};
    registry.services.push_back({.hostname = host,
                                 .name_space = "shop",
                                 .kind = "Service",
                                 .ports = {{"http", 80, Protocol::http}, {"admin", 81, Protocol::http}}});
    Sidecar sidecar;
    sidecar.meta.name_space = "client";
    documents.sidecars = {sidecar};
  }

  void listen(std::vector<Sidecar::Listener> egress) { documents.sidecars[0].egress = std::move(egress); }

  VirtualService& lead(const std::string& own_host, std::optional<std::uint32_t> port = {}) {
    VirtualService& routes = documents.virtual_services.emplace_back();
    routes.meta.name_space = "client";
    routes.hosts = {own_host};
    routes.http.resize(1);
    routes.http[0].route = {{.destination = {.host = host, .port = port}}};
    return routes;
  }

  [[nodiscard]] bool has_cluster(std::uint32_t port) const {
    return visible_service(documents, registry, proxy, host, port) != nullptr;
  }
  [[nodiscard]] bool takes_requests(std::uint32_t port) const {
    return requested_service(documents, registry, proxy, host, port) != nullptr;
  }

  std::string host = "web.shop.svc.cluster.local";
  Documents documents;
  Registry registry;
  Proxy proxy{.name_space = "client"};
};

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
  CHECK(imports_host(nullptr, "shop", "web.shop"));
  CHECK(imports_host(&sidecar, "shop", "web.shop"));
  sidecar.egress.emplace_back();
  CHECK_FALSE(imports_host(&sidecar, "shop", "web.shop"));
  const auto imports = [&](const std::string& entry, const std::string& owner) {
    sidecar.egress = {{.hosts = {"nothing/*"}}, {.hosts = {entry}}};
    return imports_host(&sidecar, owner, "web.shop");
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
    return imports_host(&sidecar, owner, "web.shop");
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
  CHECK(imports_host(&sidecar, "shop", "web.shop"));
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
  // The namespace is chosen before ports are looked at (selectServices of istiod's sidecar.go), so that a port that
  // only another namespace's service has is not seen.
  CHECK(owner("client", 81) == "first");
  CHECK(owner("own", 81) == "own");
  CHECK(owner("client", 99) == "first");
  registry.services[0].export_to = {"."};
  CHECK(owner("client") == "second");
  CHECK(owner("first") == "first");
  add_sidecar(documents, "narrow", "client", 0).egress = {{.hosts = {"own/*"}}};
  CHECK(owner("client") == "own");
  CHECK(owner("client", 81) == "own");
}

TEST_CASE("istio: a listener with a port imports services for this port alone") {
  Visit visit;
  visit.listen({{.port = Sidecar::Port{.number = 81, .protocol = "HTTP"}, .hosts = {"*/*"}}});
  CHECK(visit.has_cluster(81));
  CHECK(visit.takes_requests(81));
  CHECK_FALSE(visit.has_cluster(80));
  CHECK_FALSE(visit.takes_requests(80));
  visit.listen({{.port = Sidecar::Port{.number = 82, .protocol = "HTTP"}, .hosts = {"*/*"}}});
  CHECK_FALSE(visit.has_cluster(80));
  CHECK(visible_service(visit.documents, visit.registry, visit.proxy, visit.host) == nullptr);
}

TEST_CASE("istio: a listener that is a proxy of HTTP imports services for all their ports") {
  Visit visit;
  visit.listen({{.port = Sidecar::Port{.number = 8888, .protocol = "http_proxy"}, .hosts = {"*/*"}}});
  CHECK(visit.has_cluster(80));
  CHECK(visit.has_cluster(81));
  CHECK_FALSE(visit.takes_requests(80));
}

TEST_CASE("istio: requests on a port are those of its listener, clusters those of all") {
  Visit visit;
  visit.listen(
      {{.port = Sidecar::Port{.number = 80, .protocol = "HTTP"}, .hosts = {"other/*"}}, {.hosts = {"shop/*"}}});
  CHECK(visit.has_cluster(80));
  CHECK_FALSE(visit.takes_requests(80));
  CHECK(visit.takes_requests(81));
}

TEST_CASE("istio: where routes that are imported lead has a cluster, but takes no requests of its own") {
  Visit visit;
  visit.listen({{.hosts = {"./*"}}});
  CHECK_FALSE(visit.has_cluster(80));
  visit.lead("foo.client.svc.cluster.local");
  CHECK(visit.has_cluster(80));
  CHECK(visit.has_cluster(81));
  CHECK_FALSE(visit.takes_requests(80));
  visit.listen({{.hosts = {"./bar.client.svc.cluster.local"}}});
  CHECK_FALSE(visit.has_cluster(80));
  visit.listen({{.hosts = {"./*"}}});
  visit.registry.services[0].export_to = {"."};
  CHECK_FALSE(visit.has_cluster(80));
}

TEST_CASE("istio: routes bring the ports that they name, and those of clients elsewhere none") {
  Visit visit;
  visit.listen({{.hosts = {"./*"}}});
  VirtualService& routes = visit.lead("foo.client.svc.cluster.local", 81);
  CHECK(visit.has_cluster(81));
  CHECK_FALSE(visit.has_cluster(80));
  visit.listen({{.port = Sidecar::Port{.number = 80, .protocol = "HTTP"}, .hosts = {"./*"}}});
  CHECK(visit.has_cluster(80));
  CHECK_FALSE(visit.has_cluster(81));
  visit.listen({{.hosts = {"./*"}}});
  routes.http[0].match = {{.sourceNamespace = "elsewhere"}};
  CHECK_FALSE(visit.has_cluster(81));
  routes.http[0].match.push_back({.sourceNamespace = "client"});
  CHECK(visit.has_cluster(81));
  routes.gateways = {"client/gateway"};
  CHECK_FALSE(visit.has_cluster(81));
}

TEST_CASE("istio: copies and routes of TCP bring their destinations too") {
  Visit visit;
  visit.listen({{.hosts = {"./*"}}});
  VirtualService& routes = visit.lead("foo.client.svc.cluster.local");
  const Destination destination = routes.http[0].route[0].destination;
  routes.http[0].route[0].destination.host = "foo";
  CHECK_FALSE(visit.has_cluster(80));
  routes.http[0].mirrors = {{.destination = destination}};
  CHECK(visit.has_cluster(80));
  routes.http.clear();
  CHECK_FALSE(visit.has_cluster(80));
  routes.tcp.resize(1);
  routes.tcp[0].route = {{.destination = destination}};
  CHECK(visit.has_cluster(80));
}

TEST_CASE("istio: a VirtualService is imported by the listener of the port that is requested") {
  Sidecar sidecar;
  sidecar.egress = {{.port = Sidecar::Port{.number = 80, .protocol = "HTTP"}, .hosts = {"shop/*"}},
                    {.hosts = {"other/a.example"}}};
  CHECK(imports_host(&sidecar, "shop", "web.shop", 80));
  CHECK_FALSE(imports_host(&sidecar, "shop", "web.shop", 81));
  CHECK(imports_host(&sidecar, "shop", "web.shop"));
  CHECK(imports_host(&sidecar, "other", "*.example", 81));
  CHECK_FALSE(imports_host(&sidecar, "other", "b.example", 81));
  VirtualService of_two;
  of_two.meta.name_space = "other";
  of_two.hosts = {"b.example", "a.example"};
  CHECK(is_imported(&sidecar, "client", of_two, 81));
}

}  // namespace spillway::istio
