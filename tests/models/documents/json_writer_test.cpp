// JSON as RFC 8259 defines it; nlohmann/json is the second opinion on layout and escapes.
#include "models/documents/json_writer.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

using spillway::documents::JsonText;

TEST_CASE("members and elements are written in the order of the calls") {
  JsonText row = {{"service", "backend"}, {"count", 3U}, {"difference", -2}, {"ok", true}, {"zone", nullptr}};
  row.add("parts", JsonText::array({1, "two", JsonText::object()}));
  row.add_members_of({{"more", JsonText::array()}});
  row.add_members_of(JsonText::object());
  CHECK(row.text() ==
        R"({"service":"backend","count":3,"difference":-2,"ok":true,"zone":null,"parts":[1,"two",{}],"more":[]})");
}

TEST_CASE("a value that was not set becomes an object or an array by its first element") {
  JsonText object;
  CHECK(object.is_null());
  CHECK(object.empty());
  object.add("a", 1);
  CHECK(object.text() == R"({"a":1})");
  JsonText array;
  array.push_back("b");
  CHECK(array.text() == R"(["b"])");
}

TEST_CASE("lists are arrays, and what is missing is null") {
  CHECK(JsonText(std::vector<std::string>{"a", "b"}).text() == R"(["a","b"])");
  CHECK(JsonText(std::vector<double>{}).text() == "[]");
  CHECK(JsonText(std::optional<double>(0.5)).text() == "0.5");
  CHECK(JsonText(std::optional<std::string>()).text() == "null");
}

TEST_CASE("a double is written so that it reads back as the same double, and as a double") {
  CHECK(JsonText(1.0).text() == "1.0");
  CHECK(JsonText(0.1).text() == "0.1");
  CHECK(JsonText(-0.0).text() == "-0.0");
  CHECK(JsonText(1e21).text() == "1e+21");
  CHECK(JsonText(std::numeric_limits<double>::quiet_NaN()).text() == "null");
  CHECK(JsonText(-std::numeric_limits<double>::infinity()).text() == "null");
  for (double value = 1.0 / 3.0; value < 1e300; value *= -7919.7) {
    CHECK(std::stod(JsonText(value).text()) == value);
    if (std::abs(value) > 1e295) {
      break;
    }
  }
}

TEST_CASE("strings are escaped as RFC 8259 requires, and what is not UTF-8 is replaced") {
  CHECK(JsonText("a \"quoted\" \\ line\n\t\x01").text() == R"("a \"quoted\" \\ line\n\t\u0001")");
  CHECK(JsonText("caf\xC3\xA9").text() == "\"caf\xC3\xA9\"");
  CHECK(JsonText("cut \xC3").text() == "\"cut \xEF\xBF\xBD\"");
  CHECK(JsonText{{"a\"b", 1}}.text() == R"({"a\"b":1})");
}

TEST_CASE("the text without spaces, indented and in ASCII is that of nlohmann") {
  const char* const text = R"({
    "empty": {}, "none": [ ], "nested": [[1, 2.5], {"a, b: [c]": "\"}\u00e9\ud83d\ude00\u007f", "d": [true, null]}] })";
  const auto tree = nlohmann::ordered_json::parse(text);
  // The raw text has escapes that neither writes by itself.
  const JsonText json = JsonText::of_text(tree.dump(3));
  CHECK(json.text() == tree.dump());
  CHECK(indented(json, 2) == tree.dump(2));
  CHECK(indented(json, 1) == tree.dump(1));
  CHECK(ascii_text(json) == tree.dump(-1, ' ', true));
  CHECK(indented(JsonText::array(), 2) == "[]");
}
