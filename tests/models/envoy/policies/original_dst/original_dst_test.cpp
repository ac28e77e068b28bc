#include "models/envoy/policies/original_dst/original_dst.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using namespace spillway::envoy::policies::original_dst;

TEST_CASE("a host that nobody used between two sweeps is gone at the second") {
  OnDemandHosts hosts;
  CHECK(hosts.pick("10.0.0.1:80").created);
  CHECK(hosts.sweep().empty());
  CHECK_FALSE(hosts.pick("10.0.0.1:80").created);
  CHECK(hosts.sweep().empty());
  CHECK(hosts.sweep() == std::vector<std::string>{"10.0.0.1:80"});
  CHECK(hosts.pick("10.0.0.1:80").host == 1);
}

TEST_CASE("what is no address is counted and passed over") {
  envoy::routes::Request request;
  request.headers = {{"x-envoy-original-dst-host", "10.0.0.1"}};
  Sources sources;
  sources.request = &request;
  sources.restored_local_address = "10.0.0.9:443";
  const auto found = destination({.use_http_header = true}, sources);
  CHECK(found.address == "10.0.0.9:443");
  CHECK(found.original_dst_host_invalid == 1);
}
