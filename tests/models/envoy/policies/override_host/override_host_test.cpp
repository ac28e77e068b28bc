#include "models/envoy/policies/override_host/override_host.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/load_balancer.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
namespace override_host = envoy::policies::override_host;

TEST_CASE("retries walk down the hosts that a request names, then the fallback policy picks") {
  envoy::Cluster cluster;
  override_host::Config config;
  config.override_host_sources = {{.header = "x-hosts"}};
  config.fallback_policy = envoy::policies::ChildPolicy({envoy::policies::round_robin::Config{}});
  cluster.lb_policy = config;
  const auto hosts = support::assignment({{.healthy = 2, .unhealthy = 1}});
  const auto state = envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {}), {});
  support::Script draw({0});
  envoy::LoadBalancer balancer(state, draw);
  envoy::routes::Request request;
  request.headers = {{"x-hosts", "2, nobody, 1"}};
  override_host::OverrideHosts named(config.override_host_sources, request);
  const auto exact = envoy::exact_shares(*state, {.override_hosts = &named});
  REQUIRE(exact.hosts.size() == 1);
  CHECK(exact.hosts.front().host.value == 2);
  envoy::RequestContext context;
  context.override_hosts = &named;
  CHECK(balancer.choose(draw, context)->host.value == 2);
  CHECK(balancer.choose(draw, context)->host.value == 1);
  CHECK(balancer.choose(draw, context)->host.value == 0);
}
