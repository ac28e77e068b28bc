// Format strings, as a real Envoy 1.40 takes or refuses them in `request_headers_to_add`.
#include "models/envoy/api/format_string.hpp"

#include <catch2/catch.hpp>

namespace spillway::api {

TEST_CASE("format strings that Envoy takes have no fault") {
  for (const char* const right : {"", "a", "%%", "%REQ(a?b)%", "%REQ(a):5%", "%START_TIME%", "%START_TIME(%s)%",
                                  "%DYNAMIC_METADATA(a:b)%", "%UPSTREAM_METADATA([\"a\",\"b\"])%", "%HOSTNAME%",
                                  "%PER_REQUEST_STATE(x)%", "%FILTER_STATE(a)%", "a%PROTOCOL%b%%", "%CEL(x)%"}) {
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
  for (const char* const wrong : {"%", "100%", "%foo%", "%PROTOCOL", "%REQ(a):x%"}) {
    INFO(wrong);
    CHECK(fault_of_format(wrong).starts_with("Incorrect configuration: "));
  }
}

}  // namespace spillway::api
