#include "models/envoy/policies/override_host/override_host.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
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

TEST_CASE("names stand between commas, blanks around them do not count, and metadata names hosts as headers do") {
  const auto hosts = support::assignment({{.healthy = 3}});
  const envoy::HostMap map(envoy::make_priority_set(hosts, {}));
  const auto order = [&map](const std::vector<override_host::OverrideHostSource>& sources,
                            const envoy::routes::Request& request) {
    override_host::OverrideHosts named(sources, request);
    std::string found;
    while (const auto host = named.next(map)) {
      found += std::to_string(host->value);
    }
    return found;
  };
  const auto of_header = [&](const std::string& value) {
    return order({{.header = "x-hosts"}}, {.headers = {{"x-hosts", value}}});
  };
  CHECK(of_header("2,0,1") == "201");
  CHECK(of_header(" 2\t, ,0 ,") == "20");
  CHECK(of_header(",1") == "1");
  CHECK(of_header("1") == "1");
  CHECK(of_header("").empty());
  CHECK(of_header("12").empty());
  envoy::routes::Request request{.headers = {{"x-hosts", "1"}, {"x-others", "0"}}};
  request.dynamic_metadata.set("hosts", "2,1");
  request.dynamic_metadata.set("count", 2);
  CHECK(order({{.header = "x-others"}, {.metadata = "hosts"}, {.header = "x-hosts"}}, request) == "0211");
  CHECK(order({{.metadata = "count"}, {.metadata = "nothing"}, {.header = "x-hosts"}}, request) == "1");
}

TEST_CASE("Envoy refuses override hosts without a source, without a fallback, or with a source of two kinds or none") {
  const envoy::policies::FoundChild known{.written = true, .readable = true, .known = true};
  const auto reason = [&](std::vector<override_host::OverrideHostSource> sources) {
    return refusal(override_host::Config{.override_host_sources = std::move(sources)}, known);
  };
  CHECK(reason({}) == "OverrideHostSources: value must contain at least 1 item(s)");
  CHECK_FALSE(reason({{.header = "x"}}).has_value());
  CHECK_FALSE(reason({{.metadata = "m"}}).has_value());
  CHECK(reason({{.header = "x"}, {.header = "x", .metadata = "m"}}) == "Only one override source must be set");
  CHECK(reason({{.header = "x"}, {}}) == "Empty override source");
  const override_host::Config config{.override_host_sources = {{.header = "x"}}};
  CHECK(refusal(config, {.written = false}) == "FallbackPolicy: value is required");
  const envoy::Refusal nobody = refusal(config, {.written = true, .readable = true, .names = {"a", "b"}});
  REQUIRE(nobody.has_value());
  CHECK(nobody->text.starts_with("dynamic forwarding LB: didn't find a registered fallback load balancer factory"));
}
