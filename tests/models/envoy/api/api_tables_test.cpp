// The tables of Envoy's API. Expected values are from the proto files of Envoy 1.40.
#include "models/envoy/api/api_tables.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace spillway::api {

TEST_CASE("a message of the tables has its fields under both names, with kinds, oneofs and rules") {
  Tables tables;
  const ApiMessage* const action = tables.message("envoy.config.route.v3.RouteAction");
  REQUIRE(action != nullptr);
  CHECK(action->required_oneofs == std::vector<std::string_view>{"cluster_specifier"});
  const ApiField* const cluster = action->field("cluster_header");
  REQUIRE(cluster != nullptr);
  CHECK(cluster == action->field("clusterHeader"));
  CHECK(cluster->kind == Kind::string);
  CHECK(cluster->oneof == "cluster_specifier");
  CHECK(cluster->rules.least == 1);
  CHECK(cluster->rules.format == TextFormat::http_header_name);
  CHECK_FALSE(cluster->rules.strict);
  CHECK(action->field("hash_policy")->shape == Shape::list);
  CHECK(action->field("hash_policy")->type == "envoy.config.route.v3.RouteAction.HashPolicy");
  CHECK(action->field("cors")->deprecated);
  CHECK(action->field("no_such_field") == nullptr);
  CHECK(tables.message("envoy.config.route.v3.NoSuchMessage") == nullptr);
}

TEST_CASE("bounds, escaped patterns and lists of words are read from the tables") {
  Tables tables;
  const ApiField& weight = *tables.message("envoy.config.endpoint.v3.LbEndpoint")->field("load_balancing_weight");
  CHECK(weight.rules.gte == 1.0);
  const ApiField& interval = *tables.message("envoy.config.core.v3.HealthCheck")->field("interval");
  CHECK(interval.rules.required);
  CHECK(interval.rules.gt == 0.0);
  const ApiField& prefix = *tables.message("envoy.config.route.v3.RouteMatch")->field("path_separated_prefix");
  CHECK(prefix.rules.pattern == "^[^?#]+[^?#/]$");
  const ApiField& type = *tables.message("envoy.extensions.filters.http.ratelimit.v3.RateLimit")->field("request_type");
  CHECK(type.rules.in == std::vector<std::string>{"internal", "external", "both", ""});
}

TEST_CASE("an extension is found in its categories, and everything in those whose extensions are found by name") {
  const std::string_view access_log = "envoy.extensions.access_loggers.file.v3.FileAccessLog";
  CHECK(find_extension("envoy.access_loggers", access_log).taken);
  CHECK(find_extension("envoy.clusters,envoy.access_loggers", access_log).taken);
  CHECK_FALSE(find_extension("envoy.clusters", access_log).taken);
  CHECK_FALSE(find_extension("no.such.category", access_log).taken);
  CHECK_FALSE(find_extension("envoy.access_loggers", "").taken);
  CHECK(find_extension("envoy.tls.cert_validator", "any.Message").taken);
  CHECK(find_extension("envoy.filters.http.route", "envoy.extensions.filters.http.lua.v3.Lua").read_as ==
        "envoy.extensions.filters.http.lua.v3.LuaPerRoute");
}

TEST_CASE("each type that a field of the tables names is in the tables or one of protobuf's own") {
  Tables tables;
  std::set<std::string> missing;
  for (const std::string_view name : message_names()) {
    for (const ApiField& field : tables.message(name)->fields) {
      const bool known = (field.kind == Kind::enumeration && tables.enumeration(field.type) != nullptr) ||
                         (field.kind == Kind::message && tables.message(field.type) != nullptr) ||
                         field.type.starts_with("google.");
      if (!known && (field.kind == Kind::message || field.kind == Kind::enumeration)) {
        missing.insert(std::string(name) + "." + std::string(field.name));
      }
    }
  }
  CHECK(missing.empty());
  CHECK(message_names().size() > 1000);
}

}  // namespace spillway::api
