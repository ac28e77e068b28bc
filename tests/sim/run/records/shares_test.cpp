// Shares that stand once for all clients of a class, and rows that are made of them.
#include "sim/run/records/shares.hpp"

#include <catch2/catch.hpp>

#include "sim/run/run.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;

namespace {

// Two places, of which the second one's share is not exact.
run::ShareBlock one_block() {
  auto places = std::make_shared<run::SharePlaces>();
  places->places.resize(3);
  places->places[0].endpoint = "first";
  places->places[1].endpoint = "second";
  places->places[2].endpoint = "third";
  auto exact = std::make_shared<run::ExactRows>();
  exact->places = places;
  exact->add(0, 0.5, "");
  exact->add(2, 0.5, "why", 1, 2);
  run::ShareBlock block{.epoch = 4, .client = {}, .service = {}, .part = 0.5, .sent = 10};
  block.exact = exact;
  return block;
}

}  // namespace

TEST_CASE("rows of a block are those with a share and those that were counted, in order") {
  run::ShareBlock block = one_block();
  auto counted = std::make_shared<run::CountedRows>();
  counted->positions = {1, 2};
  counted->requests = {3, 7};
  counted->attempts = {3, 9};
  block.counted = counted;
  run::Shares shares;
  shares.add(block);
  shares.add({.epoch = 5, .client = {}, .service = {}, .exact = std::make_shared<run::ExactRows>()});
  REQUIRE(shares.size() == 3);
  CHECK(shares[0].endpoint == "first");
  CHECK(shares[0].exact == 0.25);
  CHECK(shares[0].requests == 0);
  CHECK(shares[1].endpoint == "second");
  CHECK(shares[1].exact == 0.0);
  CHECK(shares[1].simulated == 0.3);
  CHECK_FALSE(shares[2].exact);
  CHECK(shares[2].at_rest == 0.25);
  CHECK(shares[2].exact_basis == "why");
  CHECK(shares[2].attempts == 9);
  CHECK(shares.back().position == 2);
}

TEST_CASE("nothing is counted in an epoch in which no request was sent") {
  run::ShareBlock block = one_block();
  block.sent = 0;
  block.counted = std::make_shared<run::CountedRows>();
  run::Shares shares;
  shares.add(block);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].exact == 0.25);
  CHECK(shares[0].requests == 0);
  CHECK_FALSE(shares[0].simulated);
  CHECK_FALSE(shares[0].ci95);
}

TEST_CASE("clients that ask alike in one state share their exact shares") {
  scenario::Scenario scenario = support::one_service({2, 2});
  scenario.mode = scenario::Mode::exact;
  for (const double rate : {1.0, 7.0}) {
    scenario.clients.push_back(scenario.clients.front());
    scenario.clients.back().workload.rate = rate;
  }
  const run::Results results = run::run(scenario, {});
  REQUIRE(results.shares.blocks().size() == 3);
  CHECK(results.shares.blocks()[0].exact == results.shares.blocks()[2].exact);
  CHECK(results.epochs[0].health == results.epochs[2].health);
}
