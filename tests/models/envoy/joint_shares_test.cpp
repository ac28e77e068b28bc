// Which hosts have no exact share of their own, by what a balancer's picks depend on besides its state.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using envoy::Circumstances;
using envoy::Cluster;
using envoy::ClusterState;
using support::Group;
namespace lb = envoy::policies;

namespace {

std::shared_ptr<const ClusterState> joint_state(const std::vector<Group>& groups, lb::Config policy = {},
                                                const config::LocalityConfigSpecifier& localities = {}) {
  Cluster cluster;
  cluster.lb_policy = std::move(policy);
  cluster.common_lb_config.locality_config_specifier = localities;
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(support::assignment(groups), {}), {});
}

// By row: 0 for a share of its own, else 1, 2, ... in the order in which joint shares appear.
std::vector<int> numbers(const envoy::ExactShares& shares, std::uint32_t envoy::HostShare::* member) {
  std::map<std::uint32_t, int> known;
  std::vector<int> result;
  for (const envoy::HostShare& row : shares.hosts) {
    const auto next = static_cast<int>(known.size()) + 1;
    result.push_back(row.*member == 0 ? 0 : known.try_emplace(row.*member, next).first->second);
  }
  return result;
}

std::vector<int> joint(const ClusterState& state, const Circumstances& circumstances) {
  const auto shares = envoy::exact_shares(state, {.circumstances = circumstances});
  const auto numbered = numbers(shares, &envoy::HostShare::joint);
  CHECK(shares.closed_form() == std::all_of(numbered.begin(), numbered.end(), [](int number) { return number == 0; }));
  CHECK(shares.why_joint.empty() == shares.closed_form());
  return numbered;
}

std::vector<int> joint_if_carried(const ClusterState& state, const Circumstances& circumstances = {}) {
  return numbers(envoy::exact_shares(state, {.circumstances = circumstances}), &envoy::HostShare::joint_if_carried);
}

using Numbers = std::vector<int>;

const lb::least_request::Config two_choices{};
const config::SlowStartConfig minute{.slow_start_window = 60s};

}  // namespace

TEST_CASE("retries move the turn of round robin, so that its hosts have a share together") {
  const auto state = joint_state({{.healthy = 3}});
  CHECK(joint(*state, {}) == Numbers{0, 0, 0});
  CHECK(joint_if_carried(*state) == Numbers{1, 1, 1});
  CHECK(joint(*state, {.retries = true}) == Numbers{1, 1, 1});
  CHECK(joint_if_carried(*state, {.retries = true}) == Numbers{1, 1, 1});
  // One host is all of its list.
  CHECK(joint(*joint_state({{.healthy = 1}}), {.retries = true}) == Numbers{0});
  CHECK(joint_if_carried(*joint_state({{.healthy = 1}})) == Numbers{0});
  CHECK(joint(*joint_state({{.healthy = 2}}), {.retries = true}) == Numbers{1, 1});
}

TEST_CASE("each list has a joint share of its own") {
  const auto state = joint_state(
      {{.priority = 0, .healthy = 2, .degraded = 2, .unhealthy = 2}, {.priority = 1, .healthy = 2, .unhealthy = 6}});
  const auto shares = envoy::exact_shares(*state, {.circumstances = {.retries = true}});
  std::map<std::uint32_t, double> sums;
  for (const envoy::HostShare& row : shares.hosts) {
    sums[row.joint] += row.share;
  }
  // A third healthy, times 1.4: 46 %; a quarter of priority 1: 35 %; what is left of the whole goes to degraded hosts.
  CHECK(numbers(shares, &envoy::HostShare::joint) == Numbers{1, 1, 2, 2, 3, 3});
  REQUIRE(sums.size() == 3);
  CHECK(sums[shares.hosts[0].joint] == Approx(0.46));
  CHECK(sums[shares.hosts[2].joint] == Approx(0.19));
  CHECK(sums[shares.hosts[4].joint] == Approx(0.35));
}

TEST_CASE("two weighted localities take turns, and one does not") {
  const config::LocalityWeightedLbConfig weighted;
  const auto two = joint_state({{.zone = "a", .healthy = 1, .weight = 1}, {.zone = "b", .healthy = 1, .weight = 2}},
                               lb::random::Config{}, weighted);
  CHECK(joint(*two, {}) == Numbers{0, 0});
  CHECK(joint(*two, {.retries = true}) == Numbers{1, 1});
  CHECK(joint_if_carried(*two) == Numbers{1, 1});
  const auto one = joint_state({{.zone = "a", .healthy = 2, .weight = 3}}, lb::random::Config{}, weighted);
  CHECK(joint(*one, {.retries = true}) == Numbers{0, 0});
  CHECK(joint_if_carried(*one) == Numbers{0, 0});
}

TEST_CASE("least request compares requests in flight, which hosts that are alike have alike") {
  const auto state = joint_state({{.healthy = 3}}, two_choices);
  const std::vector<std::uint32_t> same = {4, 4, 4};
  const std::vector<std::uint32_t> other = {4, 4, 5};
  CHECK(joint(*state, {}) == Numbers{0, 0, 0});
  CHECK(joint(*state, {.loaded = true}) == Numbers{1, 1, 1});
  CHECK(joint(*state, {.loaded = true, .alike = same}) == Numbers{0, 0, 0});
  CHECK(joint(*state, {.loaded = true, .alike = other}) == Numbers{1, 1, 1});
  // Weights make turns of a schedule, in which nobody is like another.
  const auto weighted = joint_state({{.healthy = 3, .host_weights = {1, 2, 2}}}, two_choices);
  CHECK(joint(*weighted, {.loaded = true, .alike = same}) == Numbers{1, 1, 1});
  // Who draws one host compares nothing.
  lb::least_request::Config one_choice;
  one_choice.choice_count = 1;
  CHECK(joint(*joint_state({{.healthy = 3}}, one_choice), {.loaded = true}) == Numbers{0, 0, 0});
  CHECK(joint(*joint_state({{.healthy = 3}}, lb::random::Config{}), {.loaded = true, .retries = true}) ==
        Numbers{0, 0, 0});
}

TEST_CASE("hosts in slow start have shares of their own only where it is known how far they are") {
  const auto state = joint_state({{.healthy = 2}}, lb::round_robin::Config{minute});
  const std::vector<double> factors = {1.0, 0.25};
  CHECK(joint(*state, {}) == Numbers{0, 0});
  CHECK(joint(*state, {.slow_start = true}) == Numbers{1, 1});
  CHECK(joint(*state, {.slow_start = true, .slow_start_factors = factors}) == Numbers{0, 0});
  CHECK(joint(*joint_state({{.healthy = 2}}), {.slow_start = true}) == Numbers{0, 0});
  const auto known = envoy::exact_shares(*state, {.circumstances = {.slow_start_factors = factors}});
  CHECK(known.basis == "schedules follow slow start");
  CHECK(known.hosts[0].share == Approx(0.8));
  CHECK(known.hosts[1].share == Approx(0.2));
}

TEST_CASE("what hosts report of their load joins them where weights follow it") {
  const auto state = joint_state({{.healthy = 2}}, lb::client_side_weighted_round_robin::Config{});
  CHECK(joint(*state, {}) == Numbers{0, 0});
  CHECK(joint(*state, {.load_reports = true}) == Numbers{1, 1});
  CHECK(joint(*joint_state({{.healthy = 2}}), {.load_reports = true}) == Numbers{0, 0});
}

TEST_CASE("bounded loads join the hosts of a table of two or more while requests are in flight") {
  lb::maglev::Config config{.table_size = 101};
  const std::vector<envoy::WeightedHash> keys = {{1, 1.0}, {2, 1.0}, {3, 1.0}, {4, 1.0}, {5, 1.0}, {6, 1.0}};
  const auto with_keys = [&](const ClusterState& state, bool loaded) {
    return numbers(envoy::exact_shares(state, {.hashes = keys, .circumstances = {.loaded = loaded}}),
                   &envoy::HostShare::joint);
  };
  CHECK(joint(*joint_state({{.healthy = 3}}, config), {.loaded = true}) == Numbers{0, 0, 0});
  config.consistent_hashing_lb_config.hash_balance_factor = 150;
  CHECK(joint(*joint_state({{.healthy = 3}}, config), {.loaded = true}) == Numbers{1, 1, 1});
  CHECK(joint(*joint_state({{.healthy = 3}}, config), {}) == Numbers{0, 0, 0});
  CHECK(joint(*joint_state({{.healthy = 2}}, config), {.loaded = true}) == Numbers{1, 1});
  CHECK(joint(*joint_state({{.healthy = 1}}, config), {.loaded = true}) == Numbers{0});
  CHECK(with_keys(*joint_state({{.healthy = 3}}, config), true) == Numbers{1, 1, 1});
  CHECK(with_keys(*joint_state({{.healthy = 1}}, config), true) == Numbers{0});
}

TEST_CASE("hosts of equal keys share what each of them may own, and no others do") {
  auto hosts = support::assignment({{.healthy = 4}});
  auto& endpoints = hosts.endpoints.front().lb_endpoints;
  endpoints[2].address = endpoints[1].address;
  Cluster cluster;
  cluster.lb_policy = lb::maglev::Config{.table_size = 101};
  const auto state = envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {}), {});
  CHECK(joint(*state, {}) == Numbers{0, 1, 1, 0});
  // Of one key alone: that of a host which is like no other, or one of the two.
  for (std::uint64_t hash = 0; hash < 101; ++hash) {
    const std::vector<envoy::WeightedHash> key = {{hash, 1.0}};
    const auto rows = envoy::exact_shares(*state, {.hashes = key}).hosts;
    const bool twin = rows.front().host.value == 1 || rows.front().host.value == 2;
    CHECK(rows.size() == (twin ? 2 : 1));
    CHECK((rows.front().joint != 0) == twin);
    CHECK(rows.front().joint == rows.back().joint);
  }
}

TEST_CASE("joint shares of one child of an aggregate are not those of another") {
  Cluster cluster;
  cluster.aggregate_clusters = {"primary", "secondary"};
  const std::vector<std::shared_ptr<const ClusterState>> children = {joint_state({{.healthy = 2, .unhealthy = 2}}),
                                                                     joint_state({{.healthy = 2}})};
  const auto state = envoy::refresh_aggregate(cluster, children, {});
  CHECK(joint(*state, {.retries = true}) == Numbers{1, 1, 2, 2});
  CHECK(joint_if_carried(*state) == Numbers{1, 1, 2, 2});
}

TEST_CASE("each child of an aggregate reads what is known of its own hosts") {
  Cluster cluster;
  cluster.aggregate_clusters = {"primary", "secondary"};
  // Half of the first child's hosts are healthy: 70 % stay there.
  const auto half = [](lb::Config policy) { return joint_state({{.healthy = 2, .unhealthy = 2}}, policy); };
  const auto whole = [](lb::Config policy) { return joint_state({{.healthy = 2}}, policy); };
  const auto shares_of = [&](lb::Config policy, const envoy::RequestClass& requests) {
    const std::vector<std::shared_ptr<const ClusterState>> children = {half(policy), whole(policy)};
    return envoy::exact_shares(*envoy::refresh_aggregate(cluster, children, {}), requests);
  };
  // By host: the four of the first child, then the two of the second.
  const std::vector<double> factors = {1.0, 1.0, 1.0, 1.0, 0.25, 0.75};
  const auto slow =
      shares_of(lb::round_robin::Config{minute}, {.circumstances = {.slow_start_factors = factors}}).hosts;
  REQUIRE(slow.size() == 4);
  CHECK(slow[0].share == Approx(0.35));
  CHECK(slow[1].share == Approx(0.35));
  CHECK(slow[2].share == Approx(0.075));
  CHECK(slow[3].share == Approx(0.225));
  // Two draws with replacement, of which the host with less in flight wins: three quarters.
  const std::vector<std::uint32_t> active = {0, 0, 9, 9, 5, 1};
  const auto loaded = shares_of(two_choices, {.active_requests = active}).hosts;
  REQUIRE(loaded.size() == 4);
  CHECK(loaded[0].share == Approx(0.35));
  CHECK(loaded[2].share == Approx(0.3 * 0.25));
  CHECK(loaded[3].share == Approx(0.3 * 0.75));
  // Alike are the hosts of the first child, and those of the second are not.
  const std::vector<std::uint32_t> alike = {1, 1, 2, 3, 4, 5};
  const auto compared = shares_of(two_choices, {.circumstances = {.loaded = true, .alike = alike}});
  CHECK(numbers(compared, &envoy::HostShare::joint) == Numbers{0, 0, 1, 1});
}

TEST_CASE("shares of a part of the requests keep their proportions, and joined by hand nothing is exact") {
  auto shares = envoy::exact_shares(*joint_state({{.healthy = 2}}));
  shares.keep(0.25);
  CHECK(shares.hosts[1].share == Approx(0.125));
  shares.join_all("because");
  CHECK_FALSE(shares.closed_form());
  CHECK_FALSE(shares.sums_are_exact);
  CHECK(shares.hosts[0].joint == shares.hosts[1].joint);
  CHECK(shares.hosts[0].joint_if_carried == shares.hosts[1].joint_if_carried);
  CHECK(shares.hosts[0].joint_if_carried != 0);
  CHECK(shares.why_joint == "because");
  envoy::ExactShares none;
  none.join_all("because");
  CHECK(none.sums_are_exact);
}
