#include "models/documents/quoted_line.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario {
namespace {

// The line as it is quoted by a message about that part of it.
std::string quoted_about(const std::string& line, const std::string& about, const std::string& above = "") {
  const std::size_t begin = line.find(about);
  return documents::QuotedLine(line, above).part(0, {{begin, begin + about.size()}}, 4096);
}

// 48 ways in which a document holds a secret: a key, and a value in which it stands.
const std::vector<std::pair<std::string, std::string>>& secret_members() {
  static const std::vector<std::pair<std::string, std::string>> members{
      {"uri", "https://admin:S3CRET@db"},
      {"url", "postgres://u:S3CRET@h/db"},
      {"address", "redis://:S3CRET@h"},
      {"jwt", "eyJhbGciOiJIUzI1NiJ9.S3CRET.c2ln"},
      {"id_token", "eyJhbGciOiJS3CRET"},
      {"aws", "AKIAS3CRETS3CRETS3CR"},
      {"github", "ghp_S3CRETS3CRETS3CRET"},
      {"gitlab", "glpat-S3CRETS3CRET"},
      {"slack", "xoxb-S3CRET-S3CRET"},
      {"stripe", "sk_live_S3CRETS3CRET"},
      {"google", "AIzaS3CRETS3CRETS3CRET"},
      {"blob", "https://blob/a?sv=1&sig=S3CRET"},
      {"download", "/a?token=S3CRET&b=1"},
      {"pass", "S3CRET"},
      {"pwd", "S3CRET"},
      {"passwd", "S3CRET"},
      {"password", "S3CRET"},
      {"DB_PASSWORD", "S3CRET"},
      {"passphrase", "S3CRET"},
      {"secret", "S3CRET"},
      {"clientSecret", "S3CRET"},
      {"client_secret", "S3CRET"},
      {"token", "S3CRET"},
      {"access_token", "S3CRET"},
      {"refreshToken", "S3CRET"},
      {"api_key", "S3CRET"},
      {"apiKey", "S3CRET"},
      {"x-api-key", "S3CRET"},
      {"tls.key", "S3CRET"},
      {"license_key", "S3CRET"},
      {"signing_key", "S3CRET"},
      {"signingKey", "S3CRET"},
      {"encryption_key", "S3CRET"},
      {"private_key", "S3CRET"},
      {"access_key", "S3CRET"},
      {"salt", "S3CRET"},
      {"psk", "S3CRET"},
      {"authorization", "S3CRET"},
      {"header", "Bearer S3CRET"},
      {"proxy", "Basic S3CRET"},
      {"cookie", "S3CRET"},
      {"set-cookie", "S3CRET"},
      {"credentials", "S3CRET"},
      {"inline_string", "S3CRET"},
      {"inlineBytes", "S3CRET"},
      {"hook", "https://hooks.slack.com/services/S3CRET"},
      {"alert", "https://chat/api/webhooks/1/S3CRET"},
      {"pem", "-----BEGIN PRIVATE KEY-----S3CRET-----END PRIVATE KEY-----"}};
  return members;
}

bool shows_secret(const std::string& text) {
  return text.find("S3CRET") != std::string::npos;
}

}  // namespace

TEST_CASE("A quoted line shows keys, structure and the value that the message is about") {
  CHECK(quoted_about("{ name: cart, zone: nowhere, hook: abc }", "nowhere") ==
        "{ name: cart, zone: nowhere, hook: *** }");
  CHECK(quoted_about(R"({"lb_policy": "WRONG", "port": 8080, "x": "ab\"c", "on": true})", "\"WRONG\"") ==
        R"({"lb_policy": "WRONG", "port": 8080, "x": "*****", "on": true})");
  CHECK(quoted_about("  - zones: [a, bad, c]  # d", "bad") == "  - zones: [*, bad, *]  #**");
  CHECK(quoted_about("lb_policy: NOPE and more", "NOPE and more") == "lb_policy: NOPE and more");
  // About a key is about what it says, but not about all of an object.
  CHECK(quoted_about("{ lb: NOPE, lbs: { a: b } }", "lb") == "{ lb: NOPE, lbs: { a: * } }");
  CHECK(quoted_about("{ lb: NOPE, lbs: { a: b } }", "lbs") == "{ lb: ****, lbs: { a: * } }");
  // A text of a command line, and the rest of a list that another line began.
  CHECK(quoted_about("clients[shop].workload.rate=100,fast", "fast") == "clients[shop].workload.rate=100,fast");
  CHECK(quoted_about("  abc, bad ], x: def }", "bad") == "  ***, bad ], x: *** }");
  CHECK(quoted_about("name: a]0;x and b", "a]0") == "name: a]0;x and b");
  // Numbers that are no secrets.
  CHECK(quoted_about("{ at: 10s, rate: 100rps, pin_code: 123456, x: \"5 ms\" }", "at") ==
        "{ at: 10s, rate: 100rps, pin_code: ******, x: \"5 ms\" }");
}

TEST_CASE("A message about a value under the name of a secret does not show it") {
  CHECK(quoted_about("{ name: cart, tls.key: abc }", "abc") == "{ name: cart, tls.key: *** }");
  CHECK(quoted_about("auth_keys: [abc, def]", "abc") == "auth_keys: [***, ***]");
  CHECK(quoted_about("  - abc", "abc", "auth_keys:\n") == "  - ***");
  CHECK(quoted_about("  value: abc", "abc", "headers:\n- key: authorization\n") == "  value: ***");
  CHECK(quoted_about("  value: abc", "abc", "headers:\n- key: x-user\n") == "  value: abc");
  CHECK(quoted_about("  user: YWJj", "YWJj", "kind: Secret\ndata:\n  a: eA==\n") == "  user: ****");
  CHECK(quoted_about(R"({"kind": "Secret", "stringData": {"user": "abc"}})", "abc") ==
        R"({"kind": "Secret", "stringData": {"user": "***"}})");
}

TEST_CASE("Forty-eight kinds of secrets beside a fault are not quoted, in JSON, YAML, Kuma's documents and logs") {
  REQUIRE(secret_members().size() == 48);
  for (const auto& [key, value] : secret_members()) {
    INFO(key << ": " << value);
    const std::string json = R"({"metadata": {")" + key + R"(": ")" + value + R"("}, "lb_policy": "NOPE"})";
    CHECK_FALSE(shows_secret(quoted_about(json, "\"NOPE\"")));
    CHECK_FALSE(shows_secret(quoted_about("{ " + key + ": '" + value + "', lb_policy: NOPE }", "NOPE")));
    CHECK_FALSE(shows_secret(quoted_about("{ lb_policy: NOPE, tags: [" + key + ", \"" + value + "\"] }", "NOPE")));
    const std::string kuma =
        R"({ type: MeshRetry, name: a, labels: { ")" + key + R"(": ")" + value + R"(" }, spec: {} })";
    CHECK_FALSE(shows_secret(quoted_about(kuma, "spec")));
    CHECK_FALSE(shows_secret(quoted_about(R"([2026-11-27] "GET )" + value + R"( HTTP/1.1" 200x)", "200x")));
    // Even if the message is about this value.
    const std::string alone = "  " + key + ": \"" + value + '"';
    CHECK_FALSE(shows_secret(quoted_about(alone, '"' + value + '"')));
  }
}

TEST_CASE("Messages have no secret in their words that can be known by its look") {
  for (const auto& [key, value] : secret_members()) {
    if (value == "S3CRET") {
      continue;  // a word like others
    }
    INFO(value);
    const Diagnostic problem =
        error("SP025", {}, "unknown `{0}`", "{0}", {value}).note("{}", {value}).help("{}", {value});
    CHECK_FALSE(shows_secret(problem.message + problem.label + problem.notes[0] + problem.helps[0]));
  }
  CHECK(documents::without_secrets(
            "there is no file /home/user/projects/platform/meshes/production/europe/policies/routes/orders") ==
        "there is no file /home/user/projects/platform/meshes/production/europe/policies/routes/orders");
}

TEST_CASE("A message about an unknown key does not show its value") {
  const Reading reading = read_scenario_text(
      "a.yaml",
      "name: a\nduration: 1s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ zone: z, mine: abc }] }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 1rps } }]\n");
  const std::string shown = documents::render_diagnostics(reading.diagnostics, reading.sources);
  INFO(shown);
  CHECK(shown.find("error[SP020]: unknown key `mine`") != std::string::npos);
  CHECK(shown.find("zone: z, mine: *** }") != std::string::npos);
}

TEST_CASE("A scenario with a fault is quoted with the value at the caret") {
  const Reading reading = read_scenario_text(
      "a.yaml",
      "name: a\nduration: 1s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ zone: zz, count: 2 }] }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 1rps } }]\n");
  const std::string shown = documents::render_diagnostics(reading.diagnostics, reading.sources);
  INFO(shown);
  CHECK(shown.find("services: [{ name: s, endpoints: [{ zone: zz, count: 2 }] }]") != std::string::npos);
}

TEST_CASE("A line between the two ends of a key is hidden, even if the document breaks off the key there") {
  const std::string above = "- tls: -----BEGIN PRIVATE KEY-----\n";
  CHECK(quoted_about("S3CRET", "S3CRET", above) == "******");
  CHECK(quoted_about("S3CRET", "S3CRET", above + "abc\n") == "******");
  CHECK(quoted_about("NOPE", "NOPE", above + "abc\n-----END PRIVATE KEY-----\n") == "NOPE");
}

}  // namespace spillway::scenario

TEST_CASE("Labels and words of a fixed set are shown, and secrets among them are not") {
  CHECK(quoted_about("{ labels: { version: v1, tier: web }, loadBalancer: { simple: RANDOM }, x: abc }",
                     "loadBalancer") ==
        "{ labels: { version: v1, tier: web }, loadBalancer: { simple: RANDOM }, x: *** }");
  CHECK(quoted_about("  labels: { api-token: abc, app: web }", "labels") == "  labels: { api-token: ***, app: web }");
  CHECK(quoted_about("    kuma.io/display-name: web-1", "none") == "    kuma.io/display-name: web-1");
  CHECK(quoted_about("    track: canary", "none", "  matchLabels:\n    app: web\n") == "    track: canary");
  CHECK(quoted_about("    track: canary", "none", "  other:\n    app: web\n") == "    track: ******");
}
