#include "models/envoy/stateful_session/stateful_session.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using namespace spillway::envoy::stateful_session;

TEST_CASE("a session cookie reads back until its last second") {
  const std::string cookie = cookie_value("10.0.0.1:80", 5, 1000);
  CHECK(parse_cookie(cookie, 1005) == "10.0.0.1:80");
  CHECK_FALSE(parse_cookie(cookie, 1006));
  CHECK(parse_cookie(cookie_value("10.0.0.1:80", 0, 1000), 999999) == "10.0.0.1:80");
}

TEST_CASE("a plain address is taken as it is, unless it happens to be a message") {
  CHECK(parse_cookie(encode_base64("10.0.0.10:80"), 0) == "10.0.0.10:80");
  CHECK_FALSE(parse_cookie(encode_base64("127.1.52.5:10080"), 0));
}

TEST_CASE("base64 refuses what it would not have written") {
  CHECK(decode_base64(encode_base64("any bytes")) == "any bytes");
  CHECK_FALSE(decode_base64("abc"));
  CHECK_FALSE(decode_base64("ab!="));
  CHECK_FALSE(decode_base64("QQ=A"));
}

TEST_CASE("a named host is taken by its detailed status") {
  using config::HealthStatus;
  const auto accepted = default_override_host_status();
  CHECK(select_host(HealthStatus::degraded, false, accepted) == SessionChoice::override_host);
  CHECK(select_host(HealthStatus::draining, false, accepted) == SessionChoice::load_balancer);
  CHECK(select_host(std::nullopt, true, accepted) == SessionChoice::no_host);
}
