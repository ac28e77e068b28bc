// docs/behaviour/envoy-host-pick.md 13.3: what a running Envoy 1.40 made of these requests.
#include "models/envoy/routes/header_to_metadata.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using spillway::config::Struct;
using spillway::config::Value;
using spillway::envoy::routes::filtered;
using spillway::envoy::routes::first_value;
using spillway::envoy::routes::HeaderToMetadata;
using spillway::envoy::routes::RegexRewrite;
using spillway::envoy::routes::Request;

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;
using Pair = HeaderToMetadata::KeyValuePair;

Pair pair(std::string value = "") {
  return {.metadata_namespace = "envoy.lb", .key = "v", .value = std::move(value)};
}

HeaderToMetadata of_header(Pair on_present) {
  return {{{.header = "x-v", .on_present = std::move(on_present)}}};
}

// The value of key `v`; null: there is none.
std::optional<Value> value_of(const HeaderToMetadata& filter, const Headers& headers) {
  const Request request = filtered(filter, {.headers = headers});
  const Value* const value = request.dynamic_metadata.find("v");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace

TEST_CASE("a header's value becomes metadata as a text, several of them joined by commas") {
  const HeaderToMetadata filter = of_header(pair());
  CHECK(value_of(filter, {{"x-v", "a"}}) == Value("a"));
  CHECK(value_of(filter, {{"X-V", "5"}}) == Value("5"));
  CHECK(value_of(filter, {{"x-v", "a"}, {"X-v", "b"}}) == Value("a,b"));
  CHECK(value_of(filter, {{"x-v", ""}}) == std::nullopt);
  CHECK(value_of(filter, {}) == std::nullopt);
  CHECK(value_of(filter, {{"x-v", std::string(8191, 'a')}}) == Value(std::string(8191, 'a')));
  CHECK(value_of(filter, {{"x-v", std::string(8192, 'a')}}) == std::nullopt);
}

TEST_CASE("a number is read as absl's SimpleAtod does") {
  Pair number = pair();
  number.type = Pair::Type::number;
  const HeaderToMetadata filter = of_header(number);
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"5", 5}, {"5.0", 5}, {" 5 ", 5}, {"1e3", 1000}, {"0x5", 5}, {".5", 0.5}, {"+5", 5}, {"-5e-1", -0.5}}) {
    INFO(text);
    CHECK(value_of(filter, {{"x-v", text}}) == Value(value));
  }
  for (const char* const text : {"x", "5x", "", "+-5", "0x", "5 6"}) {
    INFO(text);
    CHECK(value_of(filter, {{"x-v", text}}) == std::nullopt);
  }
}

TEST_CASE("base64 is decoded with padding or without, and protobuf values are read whole") {
  Pair base64 = pair();
  base64.base64 = true;
  CHECK(value_of(of_header(base64), {{"x-v", "YQ=="}}) == Value("a"));
  CHECK(value_of(of_header(base64), {{"x-v", "YQ"}}) == Value("a"));
  CHECK(value_of(of_header(base64), {{"x-v", "a"}}) == std::nullopt);
  CHECK(value_of(of_header(base64), {{"x-v", "!"}}) == std::nullopt);
  Pair any = base64;
  any.type = Pair::Type::protobuf_value;
  CHECK(value_of(of_header(any), {{"x-v", "IAE="}}) == Value(true));
  CHECK(value_of(of_header(any), {{"x-v", "GgFh"}}) == Value("a"));
  CHECK(value_of(of_header(any), {{"x-v", "EQAAAAAAABRA"}}) == Value(5));
  CHECK(value_of(of_header(any), {{"x-v", "zz"}}) == std::nullopt);
  // {6: {1: {3: "a"}, 1: {4: 1}}} and {5: {1: {1: "k", 2: {3: "a"}}}}, by hand.
  CHECK(value_of(of_header(any), {{"x-v", "MgkKAxoBYQoCIAE="}}) == Value(Value::List{"a", true}));
  Struct object;
  object.set("k", "a");
  CHECK(value_of(of_header(any), {{"x-v", "KgoKCAoBaxIDGgFh"}}) == Value(object));
}

TEST_CASE("a value of the rule's own goes before the header's, and a rewrite changes that") {
  CHECK(value_of(of_header(pair("b")), {{"x-v", "q"}}) == Value("b"));
  CHECK(value_of(of_header(pair("b")), {{"x-v", ""}}) == Value("b"));
  CHECK(value_of(of_header(pair("b")), {}) == std::nullopt);
  Pair rewritten = pair();
  rewritten.regex_value_rewrite = RegexRewrite("^v-(\\w+)$", "\\1");
  CHECK(value_of(of_header(rewritten), {{"x-v", "v-a"}}) == Value("a"));
  CHECK(value_of(of_header(rewritten), {{"x-v", "a"}}) == Value("a"));
}

TEST_CASE("what is missing has a rule of its own; an empty header is there, and an empty cookie is missing") {
  const HeaderToMetadata header{{{.header = "x-v", .on_present = pair(), .on_missing = pair("b")}}};
  CHECK(value_of(header, {{"x-v", "a"}}) == Value("a"));
  CHECK(value_of(header, {}) == Value("b"));
  CHECK(value_of(header, {{"x-v", ""}}) == std::nullopt);
  const HeaderToMetadata cookie{{{.cookie = "vv", .on_present = pair(), .on_missing = pair("a")}}};
  CHECK(value_of(cookie, {{"cookie", "u=1; vv=b"}}) == Value("b"));
  CHECK(value_of(cookie, {{"cookie", "vv=\"b\""}}) == Value("b"));
  CHECK(value_of(cookie, {{"cookie", "vv="}}) == Value("a"));
  CHECK(value_of(cookie, {}) == Value("a"));
}

TEST_CASE("rules act one after the other: the last value counts, and a removed header is missing") {
  const HeaderToMetadata two{{{.header = "x-v", .on_present = pair()}, {.header = "x-w", .on_present = pair()}}};
  CHECK(value_of(two, {{"x-v", "a"}, {"x-w", "b"}}) == Value("b"));
  const HeaderToMetadata removed{
      {{.header = "x-v", .on_present = pair(), .remove = true}, {.header = "x-v", .on_missing = pair("b")}}};
  CHECK(value_of(removed, {{"x-v", "a"}}) == Value("b"));
  CHECK(first_value(filtered(removed, {.headers = {{"x-v", "a"}}}), "x-v") == nullptr);
}

TEST_CASE("another namespace than envoy.lb says nothing to subsets") {
  CHECK(value_of(of_header({.metadata_namespace = "", .key = "v"}), {{"x-v", "a"}}) == std::nullopt);
}

TEST_CASE("Envoy's refusals of header_to_metadata are in its words") {
  const auto reason = [](HeaderToMetadata::Rule rule) { return refusal(HeaderToMetadata{{std::move(rule)}}); };
  CHECK_FALSE(refusal(HeaderToMetadata{}).has_value());  // only the settings of a route need rules
  CHECK(reason({}) == "One of Cookie or Header option needs to be specified");
  CHECK(reason({.header = "x", .cookie = "y", .on_present = pair()}) ==
        "Cannot specify both header and cookie in the same rule");
  CHECK(reason({.header = "x"}) ==
        "header to metadata filter: rule for header 'x' has neither `on_header_present` nor `on_header_missing` set");
  CHECK(reason({.header = "x", .on_missing = pair()}) == "Cannot specify on_header_missing rule with an empty value");
  CHECK(reason({.cookie = "x", .on_present = pair(), .remove = true}) == "Cannot specify remove for cookie");
  Pair both = pair("a");
  both.regex_value_rewrite = RegexRewrite("a", "b");
  CHECK(reason({.header = "x", .on_present = both}) == "Cannot specify both value and regex_value_rewrite");
  CHECK_FALSE(reason({.header = "x", .on_missing = both}).has_value());
}
