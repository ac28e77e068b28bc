// Format strings, as a real Envoy 1.40 takes or refuses them in headers and access logs.
#include "models/envoy/api/format_string.hpp"

#include <catch2/catch.hpp>

namespace spillway::api {

TEST_CASE("format strings that Envoy takes have no fault") {
  for (const char* const right : {"",
                                  "a",
                                  "%%",
                                  "%REQ(a?b)%",
                                  "%REQ(a):5%",
                                  "%START_TIME%",
                                  "%START_TIME(%s)%",
                                  "%DYNAMIC_METADATA(a:b)%",
                                  "%UPSTREAM_METADATA([\"a\",\"b\"])%",
                                  "%HOSTNAME%",
                                  "%FILTER_STATE(a:FIELD:b)%",
                                  "%FILTER_STATE(a)%",
                                  "a%PROTOCOL%b%%",
                                  "%CEL(x)%",
                                  "%GRPC_STATUS(SNAKE_STRING)%",
                                  "%GRPC_STATUS()%",
                                  "%REQUESTED_SERVER_NAME(SNI_FIRST:ORIG)%",
                                  "%PATH(:ORIG)%",
                                  "%PATH(NQ:ORIG:x)%",
                                  "%COMMON_DURATION(A:B:us)%",
                                  "%METADATA(ROUTE:a)%",
                                  "%REQ(:path?A_B)%",
                                  "%REQ(?a)%"}) {
    INFO(right);
    CHECK(fault_of_format(right).empty());
  }
}

TEST_CASE("format strings that Envoy refuses have its words") {
  CHECK(fault_of_format("%FOO%") == "Not supported field in StreamInfo: FOO");
  CHECK(fault_of_format("%REQ%") == "REQ requires parameters");
  CHECK(fault_of_format("%REQ()%") == "REQ requires parameters");
  CHECK(fault_of_format("%REQ(a?b?c)%") == "More than 1 alternative header specified in token: a?b?c");
  CHECK(fault_of_format("%PROTOCOL(x)%") == "PROTOCOL does not take any parameters or length");
  CHECK(fault_of_format("%PROTOCOL:4%") == "PROTOCOL does not take any parameters or length");
  CHECK(fault_of_format("%FILTER_STATE(a:FOO)%").starts_with("Invalid filter state serialize type"));
  CHECK(fault_of_format("%FILTER_STATE(a:FIELD)%").starts_with("Invalid filter state serialize type"));
  CHECK(fault_of_format("%UPSTREAM_FILTER_STATE(:PLAIN)%").starts_with("Invalid filter state configuration"));
  CHECK(fault_of_format("%QUERY_PARAMS(:ORIG)%").starts_with("Invalid QUERY_PARAMS option: ':ORIG'"));
  CHECK(fault_of_format("%PATH(:x)%").starts_with("Invalid PATH option: 'x'"));
  CHECK(fault_of_format("%COMMON_DURATION(A)%") == "Invalid common duration configuration: A.");
  CHECK(fault_of_format("%COMMON_DURATION(A:B:s)%") == "Invalid common duration precision: s.");
  CHECK(fault_of_format("%METADATA(FOO:a)%") == "FOO is not supported type of metadata");
  CHECK_FALSE(fault_of_format("%GRPC_STATUS(FOO)%").empty());
  CHECK_FALSE(fault_of_format("%REQUESTED_SERVER_NAME(FOO)%").empty());
  CHECK(fault_of_format("%REQ(a b)%") == "Invalid header configuration. Format string contains invalid characters.");
  for (const char* const wrong : {"%", "100%", "%foo%", "%PROTOCOL", "%REQ(a):x%"}) {
    INFO(wrong);
    CHECK(fault_of_format(wrong).starts_with("Incorrect configuration: "));
  }
}

TEST_CASE("commands of formatters are taken where formatters are given") {
  CHECK_FALSE(fault_of_format("%REQ_WITHOUT_QUERY(a)%").empty());
  CHECK(fault_of_format("%REQ_WITHOUT_QUERY(a)%", Formats::with_formatters).empty());
  CHECK(fault_of_format("%PER_REQUEST_STATE(x)%", Formats::of_headers).empty());
  CHECK_FALSE(fault_of_format("%PER_REQUEST_STATE(x)%").empty());
  CHECK_FALSE(fault_of_format("%FOO%", Formats::with_formatters).empty());
}

}  // namespace spillway::api
