// Which requests fail is drawn ahead: that must be the same as a draw for each, whenever it changes.
#include "sim/run/requests/truth.hpp"

#include <catch2/catch.hpp>

#include "sim/engine/entity.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

scenario::Fails fails(double fraction, std::uint32_t every = 0) {
  return {.service = config::ServiceIndex{0}, .hosts = {config::HostIndex{0}}, .fraction = fraction, .every = every};
}

}  // namespace

TEST_CASE("failures by chance are those of one draw a request, through every change of the chance") {
  const scenario::Scenario scenario = support::one_service({2});
  constexpr config::EndpointIndex endpoint{0};
  run::Truth truth(scenario, 7);
  engine::RandomStream expected({7, engine::Purpose::failures, engine::entity(scenario.endpoints[0].id)});
  CHECK(truth.fails(endpoint) == nullptr);
  std::uint64_t failed = 0;
  for (const double fraction : {0.01, 0.5, 0.0, 1e-5, 1.0, 0.2, 0.999}) {
    truth.set(fails(fraction), 0s);
    for (int request = 0; request < 10'001; ++request) {
      const bool drawn = fraction > 0.0 && fraction < 1.0;
      const bool fails_now = drawn ? engine::unit_interval(expected) <= fraction : fraction > 0.0;
      REQUIRE((truth.fails(endpoint) != nullptr) == fails_now);
      failed += fails_now ? 1 : 0;
    }
    // As far as requests have come, and no further.
    truth.for_each_stream([&](const engine::RandomStream& stream) {
      CHECK(stream.draws() == expected.draws());
      CHECK(stream.fingerprint() == expected.fingerprint());
    });
  }
  CHECK(failed > 20'000);
  CHECK(truth.fails(config::EndpointIndex{1}) == nullptr);
}

TEST_CASE("an endpoint that fails every third request fails the third, and then each third one") {
  const scenario::Scenario scenario = support::one_service({1});
  run::Truth truth(scenario, 7);
  truth.set(fails(1.0 / 3, 3), 0s);
  for (int request = 1; request <= 300; ++request) {
    CHECK((truth.fails(config::EndpointIndex{0}) != nullptr) == (request % 3 == 0));
  }
}
