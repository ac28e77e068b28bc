// google.protobuf.Value from its bytes: google/protobuf/struct.proto and protobuf's encoding guide. Fields of a Value:
// 1 null, 2 number, 3 string, 4 bool, 5 Struct, 6 ListValue; fields of other types and numbers are passed over.
#include "models/config/protobuf_value.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

namespace spillway::config {

namespace {

constexpr char varint = 0;
constexpr char fixed64 = 1;
constexpr char bytes = 2;
constexpr char fixed32 = 5;

std::string tag_of(int field, char type) {
  return {static_cast<char>(field << 3 | type)};
}

// Shorter than 128 bytes, unless the length is spelt out.
std::string with_length(int field, const std::string& content) {
  std::string length;
  for (std::size_t rest = content.size(); length.empty() || rest > 0; rest >>= 7) {
    length += static_cast<char>(rest >= 128 ? (rest & 127) | 128 : rest);
  }
  return tag_of(field, bytes) + length + content;
}

std::string number_of(int field, char number) {
  return tag_of(field, varint) + number;
}

std::string entry_of(const std::string& name, const std::string& value) {
  return with_length(1, with_length(1, name) + with_length(2, value));
}

// 1.5 in IEEE 754, the lowest byte first.
const std::string one_and_a_half = tag_of(2, fixed64) + std::string("\0\0\0\0\0\0\xf8\x3f", 8);
const std::string text_a = with_length(3, "a");

std::string parsed(const std::string& message) {
  const std::optional<Value> value = parse_protobuf_value(message);
  return value ? text(*value) : "malformed";
}

}  // namespace

TEST_CASE("protobuf value: each kind has its field") {
  CHECK(parsed("") == "null");
  CHECK(parsed(number_of(1, 0)) == "null");
  CHECK(parsed(one_and_a_half) == "1.5");
  CHECK(parsed(text_a) == "a");
  CHECK(parsed(number_of(4, 0)) == "false");
  CHECK(parsed(number_of(4, 1)) == "true");
  CHECK(parsed(number_of(4, 2)) == "true");
  CHECK(parsed(with_length(5, "")) == "{}");
  CHECK(parsed(with_length(6, "")) == "[]");
  CHECK(parsed(with_length(5, entry_of("one", text_a) + entry_of("half", one_and_a_half))) == "{half: 1.5, one: a}");
  CHECK(parsed(with_length(6, with_length(1, text_a) + with_length(1, number_of(4, 1)))) == "[a, true]");
}

TEST_CASE("protobuf value: the last field of the message counts") {
  CHECK(parsed(text_a + number_of(4, 1)) == "true");
  CHECK(parsed(number_of(4, 1) + number_of(1, 0)) == "null");
  CHECK(parsed(one_and_a_half + with_length(6, "")) == "[]");
  CHECK(parsed(with_length(6, "") + text_a) == "a");
}

TEST_CASE("protobuf value: fields of another type or number are passed over") {
  for (int field = 1; field <= 8; ++field) {
    INFO("field " << field);
    if (field != 1 && field != 4) {
      CHECK(parsed(text_a + number_of(field, 1)) == "a");
    }
    if (field != 2) {
      CHECK(parsed(text_a + tag_of(field, fixed64) + std::string(8, 'x')) == "a");
    }
    if (field < 3 || field == 4 || field > 6) {
      CHECK(parsed(text_a + with_length(field, "\xff")) == "a");
    }
    CHECK(parsed(text_a + tag_of(field, fixed32) + "four") == "a");
  }
}

TEST_CASE("protobuf value: fields of structs and lists of another type or number are passed over") {
  const std::string passed[] = {number_of(1, 7), number_of(2, 7), number_of(3, 7), with_length(3, "\xff"),
                                tag_of(1, fixed64) + std::string(8, 'x')};
  for (const std::string& other : passed) {
    // In a map's entry, before and behind what it has.
    CHECK(parsed(with_length(5, with_length(1, other + with_length(1, "k") + with_length(2, text_a)))) == "{k: a}");
    CHECK(parsed(with_length(5, with_length(1, with_length(1, "k") + with_length(2, text_a) + other))) == "{k: a}");
  }
  for (const std::string& other : {number_of(1, 7), with_length(2, "\xff"), tag_of(1, fixed32) + "four"}) {
    CHECK(parsed(with_length(5, other + entry_of("k", text_a))) == "{k: a}");
    CHECK(parsed(with_length(6, with_length(1, text_a) + other)) == "[a]");
  }
}

TEST_CASE("protobuf value: an entry without a name has the empty one and one without a value null") {
  CHECK(parsed(with_length(5, with_length(1, with_length(2, text_a)))) == "{: a}");
  CHECK(parsed(with_length(5, with_length(1, with_length(1, "k")))) == "{k: null}");
  CHECK(parsed(with_length(5, with_length(1, ""))) == "{: null}");
}

TEST_CASE("protobuf value: what ends too early or is no UTF-8 is malformed") {
  const std::string wrong[] = {
      tag_of(3, bytes),                // no length
      tag_of(3, bytes) + "\2a",        // shorter than its length
      tag_of(3, bytes) + "\1\xff",     // no UTF-8
      tag_of(2, fixed64) + "seven..",  // seven bytes of eight
      tag_of(4, varint),               // no number
      tag_of(4, varint) + "\x80",      // a number without its end
      tag_of(1, varint),
      tag_of(0, varint) + "\1",  // no field is number 0
      std::string("\x80"),       // a tag without its end
      tag_of(7, varint),         // unknown ones must be whole too
      tag_of(7, 6) + "x",        // no such type
      tag_of(5, bytes) + "\2a",
      tag_of(6, bytes) + "\2a",
  };
  for (const std::string& message : wrong) {
    INFO("first byte " << static_cast<int>(message[0]) << " of " << message.size());
    CHECK(parsed(message) == "malformed");
    // As it is within a struct and a list, and before what is well formed.
    CHECK(parsed(with_length(5, entry_of("k", message))) == "malformed");
    CHECK(parsed(with_length(6, with_length(1, message))) == "malformed");
    CHECK(parsed(with_length(6, with_length(1, message) + with_length(1, text_a))) == "malformed");
  }
  CHECK(parsed(with_length(5, entry_of("\xff", text_a))) == "malformed");
  CHECK(parsed(with_length(5, tag_of(1, bytes) + "\5a")) == "malformed");
  CHECK(parsed(with_length(5, with_length(1, tag_of(1, bytes) + "\5a"))) == "malformed");
  CHECK(parsed(with_length(5, with_length(1, tag_of(2, bytes) + "\5a"))) == "malformed");
  CHECK(parsed(with_length(6, tag_of(1, bytes) + "\5a")) == "malformed");
}

TEST_CASE("protobuf value: 100 values deep and no deeper") {
  const auto nested = [](int values, int field) {
    std::string message;
    for (int level = 1; level < values; ++level) {
      message = with_length(field, field == 6 ? with_length(1, message) : entry_of("k", message));
    }
    return parsed(message);
  };
  CHECK(nested(100, 6) == std::string(98, '[') + "[null]" + std::string(98, ']'));
  CHECK(nested(101, 6) == "malformed");
  CHECK(nested(100, 5) != "malformed");
  CHECK(nested(101, 5) == "malformed");
}

}  // namespace spillway::config
