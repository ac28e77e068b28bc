// Expected values are those of Kuma 2.14.3, core/metadata/protocol.go and plugins/policies/core/xds/meshroute.
#include "models/kuma/protocol.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using kuma::common_protocol;
using kuma::SplitKind;
using kuma::takes_split;

TEST_CASE("two protocols have in common what both are made of") {
  CHECK(common_protocol("http", "http") == "http");
  CHECK(common_protocol("HTTP", "http") == "http");
  CHECK(common_protocol("http", "tcp") == "tcp");
  CHECK(common_protocol("tcp", "http") == "tcp");
  CHECK(common_protocol("grpc", "http2") == "http2");
  CHECK(common_protocol("http", "http2") == "tcp");
  CHECK(common_protocol("http", "grpc") == "tcp");
  CHECK(common_protocol("kafka", "tls") == "tcp");
}

TEST_CASE("an endpoint without a known protocol makes that of its service unknown") {
  CHECK(common_protocol("http", "") == "unknown");
  CHECK(common_protocol("", "") == "unknown");
  CHECK(common_protocol("udp", "tcp") == "unknown");
  CHECK(common_protocol("mysql", "mysql") == "mysql");
  CHECK(common_protocol("mysql", "tcp") == "unknown");
}

TEST_CASE("an http split has backends of http, http2 and grpc, a tcp split those of tcp, kafka and none too") {
  for (const char* const protocol : {"http", "http2", "grpc"}) {
    CHECK(takes_split(protocol, SplitKind::http));
    CHECK(takes_split(protocol, SplitKind::tcp));
  }
  for (const char* const protocol : {"tcp", "kafka", "unknown"}) {
    CHECK_FALSE(takes_split(protocol, SplitKind::http));
    CHECK(takes_split(protocol, SplitKind::tcp));
  }
  for (const char* const protocol : {"tls", "mysql"}) {
    CHECK_FALSE(takes_split(protocol, SplitKind::http));
    CHECK_FALSE(takes_split(protocol, SplitKind::tcp));
  }
}
