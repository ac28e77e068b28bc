#include "models/config/metadata.hpp"

#include <catch2/catch.hpp>

using spillway::config::Struct;
using spillway::config::text;
using spillway::config::Value;

TEST_CASE("a value is written as a person would") {
  Struct object;
  object.set("stage", "prod");
  object.set("version", 1.5);
  CHECK(text(Value()) == "null");
  CHECK(text(Value(true)) == "true");
  CHECK(text(Value(false)) == "false");
  CHECK(text(Value("prod")) == "prod");
  CHECK(text(Value(Value::List{})) == "[]");
  CHECK(text(Value(Value::List{Value("a"), Value("b"), Value(1)})) == "[a, b, 1]");
  CHECK(text(Value(Struct())) == "{}");
  CHECK(text(Value(object)) == "{stage: prod, version: 1.5}");
}

TEST_CASE("both zeros are one value, and no other number is") {
  CHECK(Value(0.0) == Value(-0.0));
  CHECK(Value(0.0).hash() == Value(-0.0).hash());
  CHECK_FALSE(Value(0.0) == Value(1.0));
  CHECK(Value(0.0).hash() != Value(1.0).hash());
}
