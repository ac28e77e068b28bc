#include "sim/engine/service_draws.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using spillway::engine::RandomStream;
using spillway::engine::ServiceDraws;
using spillway::engine::ServiceTime;
using spillway::scenario::ServiceDistribution;

TEST_CASE("service times made several at a time are those made one by one, and so is the stream") {
  for (const ServiceDistribution distribution :
       {ServiceDistribution::exponential, ServiceDistribution::lognormal, ServiceDistribution::gamma,
        ServiceDistribution::hyperexponential, ServiceDistribution::empirical}) {
    const ServiceTime time(
        10ms, {.distribution = distribution, .coefficient_of_variation = 1.5, .measured = {{1ms, 1.0}, {30ms, 2.0}}});
    RandomStream stream({.seed = 6});
    ServiceDraws draws(stream, time);
    for (int request = 0; request < 1'000; ++request) {
      REQUIRE(draws.stream().fingerprint() == stream.fingerprint());
      REQUIRE(draws.stream().draws() == stream.draws());
      REQUIRE(draws() == time(stream));
    }
  }
}
