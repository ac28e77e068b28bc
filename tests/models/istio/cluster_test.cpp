// Fields of a cluster that the protocol of its port decides. Expected: docs/behaviour/istio.md 5.2.
#include "models/istio/cluster.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::istio {
namespace {

using H2Upgrade = ConnectionPool::Http::H2Upgrade;

Cluster cluster_of(Protocol protocol, const ConnectionPool::Http& http, bool upgrades = false) {
  Documents documents;
  documents.mesh.h2Upgrade = upgrades;
  Service service{.hostname = "web.shop.svc.cluster.local", .name_space = "shop", .kind = "Service"};
  service.ports = {{"port", 80, protocol}};
  const Proxy proxy = known({}, documents);
  DestinationRule rule;
  rule.host = "web";
  rule.trafficPolicy.emplace().connectionPool.emplace().http = http;
  const std::vector<Cluster> clusters =
      clusters_of({.documents = &documents, .proxy = &proxy, .service = &service, .port = 80, .rule = &rule});
  REQUIRE(clusters.size() == 1);
  return clusters.front();
}

}  // namespace

TEST_CASE("istio: a cluster speaks HTTP/2 if its port does, or if its pool or the mesh upgrades it") {
  const ConnectionPool::Http streams{.maxConcurrentStreams = 7};
  for (const Protocol protocol : {Protocol::http2, Protocol::grpc, Protocol::grpc_web}) {
    CHECK(cluster_of(protocol, streams).upstream_protocol == UpstreamProtocol::http2);
    CHECK(cluster_of(protocol, streams).max_concurrent_streams == 7);
  }
  CHECK(cluster_of(Protocol::http, streams).upstream_protocol != UpstreamProtocol::http2);
  CHECK(cluster_of(Protocol::http, streams).max_concurrent_streams == 0);
  ConnectionPool::Http upgraded = streams;
  upgraded.h2UpgradePolicy = H2Upgrade::upgrade;
  CHECK(cluster_of(Protocol::http, upgraded).upstream_protocol == UpstreamProtocol::http2);
  CHECK(cluster_of(Protocol::http, upgraded).max_concurrent_streams == 7);
  CHECK(cluster_of(Protocol::http, streams, true).upstream_protocol == UpstreamProtocol::http2);
  CHECK(cluster_of(Protocol::tcp, streams, true).upstream_protocol != UpstreamProtocol::http2);
  ConnectionPool::Http kept = streams;
  kept.h2UpgradePolicy = H2Upgrade::do_not_upgrade;
  CHECK(cluster_of(Protocol::http, kept, true).upstream_protocol != UpstreamProtocol::http2);
}

TEST_CASE("istio: a cluster that follows its clients' protocol is not upgraded") {
  ConnectionPool::Http http{
      .h2UpgradePolicy = H2Upgrade::upgrade, .useClientProtocol = true, .maxConcurrentStreams = 7};
  CHECK(cluster_of(Protocol::http, http).upstream_protocol == UpstreamProtocol::as_downstream);
  CHECK(cluster_of(Protocol::http, http).max_concurrent_streams == 0);
  CHECK(cluster_of(Protocol::grpc, http).upstream_protocol == UpstreamProtocol::as_downstream);
  CHECK(cluster_of(Protocol::grpc, http).max_concurrent_streams == 7);
  CHECK(cluster_of(Protocol::unsupported, {}).upstream_protocol == UpstreamProtocol::as_downstream);
}

}  // namespace spillway::istio
