// What routes match and do, sessions, and the common settings of clusters: read into the models and written again by
// one description each. Keys and forms are those of Envoy's proto files.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/documents/node_json.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/api/stateful_session.hpp"

namespace spillway::messages {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
namespace routes = envoy::routes;

template <class T>
json written(const T& message) {
  return json_of<json>(write_message(message));
}

template <class T>
T read_again(const T& message) {
  const documents::Node node = write_message(message);
  T again{};
  Diagnostics problems;
  REQUIRE(Message<T>{}.read(node, again, "message", problems));
  REQUIRE(problems.empty());
  return again;
}

}  // namespace

TEST_CASE("every kind of header matcher is written in its form of today and read back as the same") {
  using Matched = routes::HeaderMatcher::Kind;
  const std::vector<std::pair<routes::HeaderMatcher, const char*>> forms = {
      {{.name = "h"}, R"({"name": "h", "present_match": true})"},
      {{.name = "h", .present_match = false}, R"({"name": "h", "present_match": false})"},
      {{.name = "h", .kind = Matched::exact, .value = ""}, R"({"name": "h", "string_match": {"exact": ""}})"},
      {{.name = "h", .kind = Matched::prefix, .value = "a"}, R"({"name": "h", "string_match": {"prefix": "a"}})"},
      {{.name = "h", .kind = Matched::suffix, .value = "a"}, R"({"name": "h", "string_match": {"suffix": "a"}})"},
      {{.name = "h", .kind = Matched::contains, .value = "a"}, R"({"name": "h", "string_match": {"contains": "a"}})"},
      {{.name = "h", .kind = Matched::regex, .value = "a+"},
       R"({"name": "h", "string_match": {"safe_regex": {"regex": "a+"}}})"},
      {{.name = "h", .kind = Matched::range, .range_start = -5, .range_end = 7, .invert_match = true},
       R"({"name": "h", "range_match": {"start": -5, "end": 7}, "invert_match": true})"},
      {{.name = "h", .kind = Matched::exact, .value = "v", .treat_missing_header_as_empty = true},
       R"({"name": "h", "string_match": {"exact": "v"}, "treat_missing_header_as_empty": true})"}};
  for (const auto& [matcher, form] : forms) {
    CAPTURE(form);
    CHECK(written(matcher) == json::parse(form));
    CHECK(read_again(matcher) == matcher);
  }
}

TEST_CASE("every kind of path is written under its own key and read back as the same") {
  using Matched = routes::RouteMatch::PathKind;
  const routes::RouteMatch prefix{.path = "/a", .case_sensitive = false, .headers = {{.name = "h"}}};
  CHECK(written(prefix) == json::parse(R"({"prefix": "/a", "case_sensitive": false,
                                           "headers": [{"name": "h", "present_match": true}]})"));
  CHECK(read_again(prefix) == prefix);
  const routes::RouteMatch path{.path_kind = Matched::path, .path = "/a/b"};
  CHECK(written(path) == json::parse(R"({"path": "/a/b"})"));
  CHECK(read_again(path) == path);
  const routes::RouteMatch regex{.path_kind = Matched::regex, .path = "/a.*"};
  CHECK(written(regex) == json::parse(R"({"safe_regex": {"regex": "/a.*"}})"));
  CHECK(read_again(regex) == regex);
}

TEST_CASE("a route's action is written with its clusters, rewrites and timeouts and read back as the same") {
  config::Struct canary;
  canary.set("stage", "canary");
  RouteAction action;
  action.clusters = {{"a", 30, canary, "shop.example"}, {"b", 70}};
  action.rewrite.prefix_rewrite = "/v2";
  action.rewrite.append_x_forwarded_host = true;
  action.timeout = 3s;
  action.stream_timeout = 1s;
  action.priority = config::RoutingPriority::high;
  CHECK(written(action) == json::parse(R"({"weighted_clusters": {"clusters": [
      {"name": "a", "weight": 30, "metadata_match": {"filter_metadata": {"envoy.lb": {"stage": "canary"}}},
       "host_rewrite_literal": "shop.example"},
      {"name": "b", "weight": 70}]},
    "timeout": "3s", "idle_timeout": "1s", "priority": "HIGH", "prefix_rewrite": "/v2",
    "append_x_forwarded_host": true})"));
  const RouteAction again = read_again(action);
  CHECK(static_cast<const routes::RouteAction&>(again) == action);
  CHECK(again.timeout == action.timeout);
  CHECK(again.stream_timeout == action.stream_timeout);
  CHECK(again.priority == action.priority);

  RouteAction single;
  single.clusters = {{"a"}};
  CHECK(written(single) == json::parse(R"({"cluster": "a", "timeout": "15s"})"));
  CHECK(static_cast<const routes::RouteAction&>(read_again(single)) == single);
}

TEST_CASE("a session is written with how it is told and read back as the same") {
  const StatefulSessionPerRoute cookie{envoy::StatefulSession{
      .state = envoy::SessionState::cookie, .name = "s", .path = "/p", .ttl = 60s, .strict = true}};
  CHECK(written(cookie) == json::parse(R"({"stateful_session": {"strict": true, "session_state": {
    "name": "envoy.http.stateful_session.cookie", "typed_config": {
      "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
      "cookie": {"name": "s", "ttl": "60s", "path": "/p"}}}}})"));
  const auto again = read_again(cookie).stateful_session;
  REQUIRE(again.has_value());
  CHECK(again->state == envoy::SessionState::cookie);
  CHECK(again->name == "s");
  CHECK(again->path == "/p");
  CHECK(again->ttl == 60s);
  CHECK(again->strict);

  const StatefulSessionPerRoute header{envoy::StatefulSession{.state = envoy::SessionState::header, .name = "x-host"}};
  CHECK(read_again(header).stateful_session->state == envoy::SessionState::header);
  CHECK(read_again(header).stateful_session->name == "x-host");
}

TEST_CASE("what a load assignment drops is written in the denominator that it has") {
  const LoadAssignmentPolicy policy{
      .overprovisioning_factor = 120, .weighted_priority_health = true, .drop_overloads = {{"busy", 5, 10'000}}};
  CHECK(written(policy) == json::parse(R"({"overprovisioning_factor": 120, "weighted_priority_health": true,
    "drop_overloads": [{"category": "busy", "drop_percentage": {"numerator": 5, "denominator": "TEN_THOUSAND"}}]})"));
  CHECK(read_again(policy).drop_overloads.front().denominator == 10'000);
  CHECK(read_again(policy).drop_overloads.front().numerator == 5);
}

TEST_CASE("statuses that sessions come back to are written where they are not Envoy's default ones") {
  CHECK_FALSE(written(CommonLbConfig{}).contains("override_host_status"));
  CommonLbConfig draining;
  draining.override_host_status = {config::HealthStatus::draining};
  CHECK(written(draining).at("override_host_status") == json::parse(R"({"statuses": ["DRAINING"]})"));
  CHECK(read_again(draining).override_host_status.has(config::HealthStatus::draining));
  CHECK_FALSE(read_again(draining).override_host_status.has(config::HealthStatus::healthy));
  CommonLbConfig none;
  none.override_host_status = {};
  CHECK(written(none).at("override_host_status") == json::object());
}

TEST_CASE("a cluster is written with what it says and without what it does not") {
  const auto text_of = [](const envoy::Cluster& cluster) { return json_of<json>(write_cluster(cluster)); };
  const json usual = text_of(envoy::Cluster{});
  for (const char* const absent : {"ignore_health_on_host_removal", "circuit_breakers", "health_checks",
                                   "typed_extension_protocol_options", "outlier_detection"}) {
    CHECK_FALSE(usual.contains(absent));
  }
  envoy::Cluster cluster;
  cluster.ignore_health_on_host_removal = true;
  cluster.outlier_detection = config::OutlierDetection{.base_ejection_time = 400s};
  CHECK(text_of(cluster).at("ignore_health_on_host_removal") == true);
  // Envoy's longest time is never below the shortest one.
  CHECK(text_of(cluster).at("outlier_detection").at("max_ejection_time") == "400s");
}

}  // namespace spillway::messages
