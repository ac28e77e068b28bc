#include "models/config/metadata.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

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

TEST_CASE("a struct has each name once and in byte order") {
  Struct object;
  object.set("b", 1);
  object.set("c", 2);
  object.set("a", 3);
  object.set("b", 4);
  CHECK(text(Value(object)) == "{a: 3, b: 4, c: 2}");
  CHECK(object.size() == 3);
  REQUIRE(object.find("b") != nullptr);
  CHECK(*object.find("b") == Value(4));
  CHECK(object.find("") == nullptr);
  CHECK(object.find("aa") == nullptr);
  CHECK(object.find("d") == nullptr);
  object.remove("aa");
  object.remove("d");
  CHECK(object.size() == 3);
  object.remove("a");
  CHECK(text(Value(object)) == "{b: 4, c: 2}");
}

TEST_CASE("merging sets every field of the other struct and keeps the rest") {
  Struct object;
  object.set("mine", 1);
  object.set("both", 1);
  Struct other;
  other.set("both", 2);
  other.set("theirs", 2);
  object.merge(other);
  CHECK(text(Value(object)) == "{both: 2, mine: 1, theirs: 2}");
}

TEST_CASE("values are equal if they are of one kind and the same throughout") {
  Struct object;
  object.set("k", "v");
  Struct other;
  other.set("k", "w");
  Struct renamed;
  renamed.set("l", "v");
  const std::vector<Value> different = {Value(),
                                        Value(true),
                                        Value(false),
                                        Value(0),
                                        Value(1),
                                        Value("1"),
                                        Value(""),
                                        Value(Value::List{}),
                                        Value(Value::List{Value(1)}),
                                        Value(Value::List{Value(2)}),
                                        Value(Value::List{Value(1), Value(2)}),
                                        Value(Value::List{Value(2), Value(1)}),
                                        Value(Struct()),
                                        Value(object),
                                        Value(other),
                                        Value(renamed)};
  for (std::size_t left = 0; left < different.size(); ++left) {
    for (std::size_t right = 0; right < different.size(); ++right) {
      INFO(text(different[left]) << " and " << text(different[right]));
      CHECK((different[left] == different[right]) == (left == right));
      // Equal values have equal hashes; that no two of these share one is no promise, but they would hardly by chance.
      CHECK((different[left].hash() == different[right].hash()) == (left == right));
    }
  }
}
