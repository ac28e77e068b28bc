#include "models/documents/secrets.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"

namespace spillway::scenario {

TEST_CASE("Names of keys, tokens and passwords mean secrets") {
  for (const char* const name : {"Authorization", "x-api-key", "set-cookie", "access_token", "clientSecret",
                                 "private_key", "inlineString", "DB_PASSWORD"}) {
    INFO(name);
    CHECK(documents::may_be_secret(name));
  }
  for (const char* const name : {"x-user", "path", "max_tokens", "token_bucket", "name", "lb_policy"}) {
    INFO(name);
    CHECK_FALSE(documents::may_be_secret(name));
  }
}

TEST_CASE("Values under names of secrets are stars, as many as they have characters") {
  CHECK(documents::masked(R"({"token": "abc", "name": "web"})") == R"({"token": "***", "name": "web"})");
  CHECK(documents::masked("password: häl!") == "password: ****");
  CHECK(documents::masked(R"({"private_key": {"inline_string": "a\"b"}, "x": 1})") ==
        R"({"private_key": {"inline_string": "****"}, "x": 1})");
  CHECK(documents::masked("lb_policy: ROUND_ROBIN  # usual") == "lb_policy: ROUND_ROBIN  # usual");
  // The colon is what is missing.
  CHECK(documents::masked("a: 1\n  - password abc d\nb: 2") == "a: 1\n  - password *****\nb: 2");
  CHECK(documents::masked("token = abc") == "token = ***");
  CHECK(documents::masked("token_bucket abc") == "token_bucket abc");
  CHECK(documents::masked("password ") == "password ");
}

TEST_CASE("Headers and parameters with such names, and credentials, are hidden where they stand") {
  CHECK(documents::masked(R"({"header": {"key": "authorization", "value": "abc"}}, {"key": "x-user", "value": "u"})") ==
        R"({"header": {"key": "authorization", "value": "***"}}, {"key": "x-user", "value": "u"})");
  CHECK(documents::masked("{ name: cookie, string_match: { contains: s1 } }") ==
        "{ name: cookie, string_match: { contains: ** } }");
  CHECK(documents::masked(R"("value": "Bearer abc.d")") == R"("value": "Bearer *****")");
  CHECK(documents::masked("path: /a?user=7&token=abc&b=1") == "path: /a?user=7&token=***&b=1");
  CHECK(documents::masked("path: /a?user=7&bearer=abc") == "path: /a?user=7&bearer=***");
  CHECK(documents::masked("x: " + std::string(70, 'A') + ".b") == "x: " + std::string(70, '*') + ".b");
}

TEST_CASE("Keys and certificates are hidden under whatever name they stand") {
  CHECK(documents::masked("name: '-----BEGIN PRIVATE KEY-----abc-----END PRIVATE KEY-----'") ==
        "name: '-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----'");
  CHECK(documents::masked(R"("@type": "-----BEGIN CERTIFICATE-----\nabc")") ==
        R"("@type": "-----BEGIN CERTIFICATE-----******)");
  CHECK(documents::masked("-----BEGIN EC PRIVATE") == "-----BEGIN **********");
}

TEST_CASE("A path loses its query where a parameter may be secret") {
  CHECK(documents::without_secret_query("/healthz?token=abc") == "/healthz");
  CHECK(documents::without_secret_query("/healthz?full=1") == "/healthz?full=1");
}

// A dump without line ends: what stands around a mistake is part of the excerpt.
TEST_CASE("An excerpt of a long line has no secret that stands near") {
  const std::string before =
      R"({"padding": ")" + std::string(6'000, ' ') + R"(", "token": ")" + std::string(50, 's') + R"(", )";
  const std::string text = before + R"("lb_policy": "WRONG", "password": "hidden"})";
  const auto column = static_cast<std::uint32_t>(before.size() + 1);
  const std::string shown = documents::render_diagnostics({error("SP025", Span{0, 1, column, 11}, "a mistake", "here")},
                                                          Sources{{"dump.json", text}});
  INFO(shown);
  CHECK(shown.find("sss") == std::string::npos);
  CHECK(shown.find("hidden") == std::string::npos);
  CHECK(shown.find(R"("lb_policy": "WRONG", "password": "******")") != std::string::npos);
}

}  // namespace spillway::scenario
