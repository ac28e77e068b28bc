#include "sim/observed/access_log.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/observed/recorded.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

std::optional<observed::AccessLog> log_of(const std::string& text, Diagnostics& problems) {
  Sources sources = {{"access.log", text}};
  return observed::read_access_log(sources, 0, problems);
}

}  // namespace

TEST_CASE("an access log of a real Envoy tells each request's host, in its default format and as JSON") {
  Diagnostics problems;
  const auto text = log_of(test_observed::recorded("access.log"), problems);
  const auto json = log_of(test_observed::recorded("access.json.log"), problems);
  REQUIRE(problems.empty());
  REQUIRE(text.has_value());
  REQUIRE(json.has_value());
  REQUIRE(text->requests.size() == 24);
  REQUIRE(json->requests.size() == 24);
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(text->requests[i].upstream_host == json->requests[i].upstream_host);
    CHECK(text->requests[i].start == json->requests[i].start);
  }
  CHECK(text->requests[0].upstream_host == "127.1.0.1:21003");
  CHECK(text->requests[0].upstream_cluster.empty());
  CHECK(json->requests[0].upstream_cluster == "backend");
  CHECK(json->requests[9].attempts == 2);
}

TEST_CASE("Istio's default format names the cluster too") {
  Diagnostics problems;
  // The example of istio.io, "Getting Envoy's Access Logs".
  const auto log = log_of(
      "[2020-11-25T21:26:18.409Z] \"GET /status/418 HTTP/1.1\" 418 - via_upstream - \"-\" 0 135 3 1 \"-\" "
      "\"curl/7.73.0-DEV\" \"84961386-6d84-929d-98bd-c5aee93b5c88\" \"httpbin:8000\" \"127.0.0.1:80\" "
      "inbound|8000|| 127.0.0.1:41854 10.44.1.27:80 10.44.1.23:37652 "
      "outbound_.8000_._.httpbin.foo.svc.cluster.local default\n",
      problems);
  REQUIRE(log.has_value());
  CHECK(problems.empty());
  CHECK(log->requests.front().upstream_host == "127.0.0.1:80");
  CHECK(log->requests.front().upstream_cluster == "inbound|8000||");
}

TEST_CASE("`kubectl logs --prefix` puts the pod before each line, which is read as without") {
  Diagnostics problems;
  const std::string line =
      "[2020-11-25T21:26:18.409Z] \"GET / HTTP/1.1\" 200 - 0 6 2 1 \"-\" \"curl\" \"1\" \"a\" \"10.0.0.1:80\"\n";
  const auto log = log_of("[pod/web-1/istio-proxy] " + line + "[pod/web-2/istio-proxy] " + line, problems);
  REQUIRE(log.has_value());
  CHECK(problems.empty());
  REQUIRE(log->requests.size() == 2);
  CHECK(log->requests.back().upstream_host == "10.0.0.1:80");
}

TEST_CASE("lines of other formats are counted, and a log without any other is refused") {
  Diagnostics problems;
  const auto log = log_of("starting\n{\"upstream_host\":\"1.2.3.4:80\"}\n", problems);
  REQUIRE(log.has_value());
  CHECK(log->requests.size() == 1);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().severity == Severity::warning);
  CHECK(problems.front().label == "1 of 2 lines are ignored");
  problems.clear();
  CHECK_FALSE(log_of("127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 2326\n", problems).has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().code == "SP793");
}

TEST_CASE("a start time counts from 1970") {
  CHECK(observed::read_start_time("1970-01-02T00:00:01.5Z") == 24h + 1s + 500ms);
  CHECK(observed::read_start_time("2026-11-23T06:27:19.904Z") == 1795415239s + 904ms);
  CHECK_FALSE(observed::read_start_time("2026-13-23T06:27:19.904Z").has_value());
  CHECK_FALSE(observed::read_start_time("yesterday").has_value());
}

TEST_CASE("a time that nanoseconds since 1970 do not reach is none") {
  CHECK(observed::read_start_time("1678-01-01T00:00:00Z"));
  CHECK(observed::read_start_time("2261-12-31T23:59:59Z"));
  CHECK_FALSE(observed::read_start_time("1013-11-23T06:27:19Z"));
  CHECK_FALSE(observed::read_start_time("2262-06-01T00:00:00Z"));
}
