// Consistent hashing with bounded loads: docs/behaviour/envoy-host-pick.md 7, thread_aware_lb_impl.cc
// (BoundedLoadHashingLoadBalancer): a host that is at its bound takes a request, one that is over it does not.
#include "models/envoy/policies/bounded_load.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "models/envoy/active_requests.hpp"

using namespace spillway;
using envoy::policies::BoundedLoad;

TEST_CASE("what a host over its bound loses goes to one at its bound and one below it alike") {
  // 7 requests in flight and the next make 8 slots at a factor of 100 %, ceil(8 / 3) = 3 for each of three equal hosts:
  // with 4 in flight the first is over its bound, with 3 the second at it.
  const double third = 1.0 / 3.0;
  const BoundedLoad bound({{config::HostIndex{0}, third}, {config::HostIndex{1}, third}, {config::HostIndex{2}, third}},
                          100);
  const std::vector<std::uint32_t> in_flight = {4, 3, 0};
  std::vector<double> shares = {0.5, 0.25, 0.25};
  bound.redistribute(shares, in_flight);
  CHECK(shares == std::vector<double>{0.0, 0.5, 0.5});
}
