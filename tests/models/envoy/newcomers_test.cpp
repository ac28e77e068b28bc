#include "models/envoy/newcomers.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using envoy::Cluster;
using envoy::ClusterState;
using States = std::vector<std::shared_ptr<const ClusterState>>;
namespace lb = envoy::policies;

namespace {

std::shared_ptr<const ClusterState> newcomers_state(const std::vector<support::Group>& groups, lb::Config policy = {}) {
  Cluster cluster;
  cluster.lb_policy = std::move(policy);
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(support::assignment(groups), {}), {});
}

std::shared_ptr<const ClusterState> over(const States& children) {
  Cluster cluster;
  for (std::size_t child = 0; child < children.size(); ++child) {
    cluster.aggregate_clusters.push_back("child-" + std::to_string(child));
  }
  return envoy::refresh_aggregate(cluster, children, {});
}

lb::Config round_robin(std::chrono::nanoseconds window) {
  return lb::round_robin::Config{{.slow_start_window = window}};
}

}  // namespace

TEST_CASE("a host begins slow start when it is healthy and was not so before") {
  const auto none = newcomers_state({{.unhealthy = 2}});
  const auto one = newcomers_state({{.healthy = 1, .unhealthy = 1}});
  const auto two = newcomers_state({{.healthy = 2}});
  CHECK(gains_healthy_host(*none, *one));
  CHECK(gains_healthy_host(*one, *two));
  CHECK_FALSE(gains_healthy_host(*one, *one));
  CHECK_FALSE(gains_healthy_host(*two, *one));
  CHECK_FALSE(gains_healthy_host(*none, *none));
  CHECK_FALSE(gains_healthy_host(*one, *newcomers_state({{.degraded = 1, .unhealthy = 1}})));
  // Of a later priority as well.
  CHECK(gains_healthy_host(*newcomers_state({{.priority = 0, .healthy = 1}, {.priority = 1, .unhealthy = 1}}),
                           *newcomers_state({{.priority = 0, .healthy = 1}, {.priority = 1, .healthy = 1}})));
}

TEST_CASE("an aggregate gains a host where any of the children that are known does") {
  const auto one = newcomers_state({{.healthy = 1, .unhealthy = 1}});
  const auto two = newcomers_state({{.healthy = 2}});
  CHECK(gains_healthy_host(*over({one, one}), *over({one, two})));
  CHECK(gains_healthy_host(*over({one, two}), *over({two, one})));
  CHECK_FALSE(gains_healthy_host(*over({one, two}), *over({one, two})));
  CHECK_FALSE(gains_healthy_host(*over({two, two}), *over({one, one})));
  CHECK_FALSE(gains_healthy_host(*over({nullptr, one}), *over({two, one})));
  CHECK_FALSE(gains_healthy_host(*over({one, two}), *over({one, nullptr})));
  CHECK(gains_healthy_host(*over({nullptr, one}), *over({nullptr, two})));
}

TEST_CASE("the window of slow start is that of the policy that picks, and of an aggregate its longest") {
  CHECK(envoy::slow_start_window(*newcomers_state({{.healthy = 1}})) == 0s);
  CHECK(envoy::slow_start_window(*newcomers_state({{.healthy = 1}}, lb::random::Config{})) == 0s);
  const auto short_one = newcomers_state({{.healthy = 1}}, round_robin(10s));
  const auto long_one = newcomers_state({{.healthy = 1}}, round_robin(30s));
  CHECK(envoy::slow_start_window(*short_one) == 10s);
  CHECK(envoy::slow_start_window(*over({short_one, long_one, nullptr})) == 30s);
  CHECK(envoy::slow_start_window(*over({nullptr, long_one, short_one})) == 30s);
  CHECK(envoy::slow_start_window(*over({nullptr})) == 0s);
  lb::override_host::Config outer;
  outer.override_host_sources = {{.header = "x"}};
  outer.fallback_policy = lb::ChildPolicy({round_robin(20s)});
  CHECK(envoy::slow_start_window(lb::Config(outer)) == 20s);
}
