// Every small world: exact shares against an oracle that knows only the documented behaviour and whole numbers.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "tests/support/hosts.hpp"
#include "tests/support/oracle/as_models.hpp"
#include "tests/support/oracle/sampled_world.hpp"
#include "tests/support/oracle/shares.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using oracle::HostPolicy;
using oracle::Locality;
using oracle::SmallWorld;
using oracle::Spread;

namespace {

constexpr std::int64_t factors[] = {100, 140, 200};
const std::vector<Locality> localities = oracle::all_localities();

Locality weighing(std::int64_t weight, Locality locality) {
  locality.weight = weight;
  return locality;
}

// Worlds one after the other, as the models see them.
class States {
 public:
  std::shared_ptr<const envoy::ClusterState> operator()(const SmallWorld& world) {
    // Nobody asks for names here.
    envoy::PrioritySetOptions options{.endpoints = names_};
    envoy::ProxyContext proxy;
    if (world.spread == Spread::zone_aware) {
      options.own_locality = support::zone(oracle::zone_name(world.own_locality));
      local_ = envoy::make_priority_set(oracle::assignment_of({world.local_cluster}), options);
      proxy.local_cluster = &local_;
    }
    oracle::assign(world.priorities, world.overprovisioning_factor, assignment_);
    return envoy::refresh(oracle::cluster_of(world), nullptr, envoy::make_priority_set(assignment_, options), proxy);
  }

 private:
  std::shared_ptr<const std::vector<config::LbEndpoint>> names_ =
      std::make_shared<const std::vector<config::LbEndpoint>>(9 * oracle::most_hosts);
  config::ClusterLoadAssignment assignment_;
  envoy::PrioritySet local_;
};

// Doubles against fractions: as far apart as a dozen roundings can bring them, and both zero or neither.
bool same(double share, const oracle::Fraction& expected) {
  constexpr double roundings = 12.0 * std::numeric_limits<double>::epsilon();
  return expected.is_zero() ? share == 0.0 : std::abs(share - expected.value()) <= roundings * expected.value();
}

envoy::Availability availability_of(oracle::List list) {
  switch (list) {
    case oracle::List::healthy:
      return envoy::Availability::healthy;
    case oracle::List::degraded:
      return envoy::Availability::degraded;
    default:
      return envoy::Availability::all;
  }
}

bool agree(const envoy::ExactShares& exact, const std::vector<oracle::HostShare>& expected) {
  auto row = exact.hosts.begin();
  for (std::uint32_t host = 0; host < expected.size(); ++host) {
    if (expected[host].share.is_zero()) {
      continue;
    }
    if (row == exact.hosts.end() || row->host != config::HostIndex{host} ||
        row->priority.value != expected[host].priority || row->availability != availability_of(expected[host].list) ||
        !same(row->share, expected[host].share)) {
      return false;
    }
    ++row;
  }
  return exact.closed_form() && row == exact.hosts.end();
}

// The first world of a family that is judged otherwise; empty if all agree.
class Judge {
 public:
  void operator()(const SmallWorld& world) {
    ++worlds_;
    if (support::under_sanitizers && worlds_ % 6 != 0) {
      return;
    }
    if (first_.empty() && !agree(envoy::exact_shares(*states_(world)), oracle::first_pick(world))) {
      first_ = oracle::text_of(world);
    }
  }
  [[nodiscard]] const std::string& first_disagreement() const { return first_; }
  [[nodiscard]] std::size_t worlds() const { return worlds_; }

 private:
  States states_;
  std::string first_;
  std::size_t worlds_ = 0;
};

}  // namespace

TEST_CASE("three priorities of one locality of up to four hosts: every world's exact shares are the oracle's") {
  for (const std::int64_t factor : factors) {
    Judge judge;
    for (const Locality& first : localities) {
      for (const Locality& second : localities) {
        for (const Locality& third : localities) {
          judge({.priorities = {{first}, {second}, {third}}, .overprovisioning_factor = factor});
        }
      }
    }
    INFO("factor " << factor);
    CHECK(judge.worlds() == 35 * 35 * 35);
    CHECK(judge.first_disagreement() == "");
  }
}

TEST_CASE(
    "one priority of three weighted localities of up to four hosts: every world's exact shares are the oracle's") {
  for (const std::int64_t factor : factors) {
    Judge judge;
    for (const Locality& first : localities) {
      for (std::size_t second = 0; second < localities.size(); ++second) {
        // Two of them weigh the same, so that it is all one which of them is in which state.
        for (std::size_t third = 0; third <= second; ++third) {
          judge({.priorities = {{weighing(1, first), weighing(2, localities[second]), weighing(2, localities[third])}},
                 .overprovisioning_factor = factor,
                 .spread = Spread::locality_weighted});
        }
      }
    }
    INFO("factor " << factor);
    CHECK(judge.worlds() == 35 * 35 * 36 / 2);
    CHECK(judge.first_disagreement() == "");
  }
}

TEST_CASE("three priorities of three localities, drawn with every option: exact shares are the oracle's") {
  support::Draws draws(20'240'607);
  Judge judge;
  for (int world = 0; world < 8'000; ++world) {
    judge(oracle::sampled_world(draws));
  }
  CHECK(judge.first_disagreement() == "");
}
