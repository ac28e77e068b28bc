#include "sim/sweep/values.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

using namespace spillway::sweep;

namespace {

std::vector<std::string> texts(const std::string& text) {
  std::vector<std::string> all;
  const auto read = parse_values(text);
  for (const Value& value : std::get<Values>(read).listed) {
    all.push_back(value.text);
  }
  return all;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("sweep: values are lists and ranges by ones, by steps, by number and by even factors") {
  CHECK(texts("10,50,100") == List{"10", "50", "100"});
  CHECK(texts("50..53") == List{"50", "51", "52", "53"});
  CHECK(texts("50..90+20") == List{"50", "70", "90"});
  CHECK(texts("50..89+20") == List{"50", "70"});
  CHECK(texts("100..2000/20").size() == 20);
  CHECK(texts("100..2000/20")[1] == "200");
  CHECK(texts("100rps..300rps/3") == List{"100rps", "200rps", "300rps"});
  CHECK(texts("50..90%/3") == List{"50%", "70%", "90%"});
  CHECK(texts("0..1/3") == List{"0", "0.5", "1"});
  CHECK(texts("1ms..1000ms/4log") == List{"1ms", "10ms", "100ms", "1000ms"});
  CHECK(texts("true,false") == List{"true", "false"});
  CHECK(texts("1,5..7") == List{"1", "5", "6", "7"});
}

TEST_CASE("sweep: a comma in brackets or quotes divides nothing") {
  CHECK(texts(R"({"a": 1, "b": 2},"x, y")") == List{R"({"a": 1, "b": 2})", R"("x, y")"});
  const auto node = node_of(R"({"a": 1, "b": [2]})", {});
  CHECK(node.members.size() == 2);
  CHECK(node_of(R"("50")", {}).kind == spillway::documents::Kind::string);
  CHECK(node_of("50", {}).kind == spillway::documents::Kind::integer);
  CHECK(node_of("0.5", {}).kind == spillway::documents::Kind::number);
  CHECK(node_of("false", {}).kind == spillway::documents::Kind::boolean);
  CHECK(node_of("least_request", {}).kind == spillway::documents::Kind::string);
}

TEST_CASE("sweep: values that make no sense are refused with their place") {
  const auto problem = [](const std::string& text) { return std::get<ValueProblem>(parse_values(text)); };
  CHECK(problem("10,,50").begin == 3);
  CHECK(problem("90..50").message == "the range ends before it begins");
  CHECK(problem("1..9/1").message == "a range is divided into a whole number of values, at least 2");
  CHECK(problem("1..9+0").message == "the step of the range is not a number above 0");
  CHECK(problem("1ms..9s").message == "the ends of the range have different units");
  CHECK(problem("0..9/3log").message == "even factors need a range above 0");
  CHECK(problem("1..2000000").message == "the range has more than 1000000 values");
  CHECK(problem("1..").message == "the range has no end");
  CHECK(problem("").message == "a value is missing");
}

TEST_CASE("sweep: a range that is drawn from is rounded where both of its ends are whole") {
  const auto range = *std::get<Values>(parse_values("100..200")).range;
  CHECK(range.at(0.0) == "100");
  CHECK(range.at(0.333) == "133");
  CHECK(range.at(1.0) == "200");
  CHECK(std::get<Values>(parse_values("0.0..1.0")).range->at(0.25) == "0.25");
  CHECK(std::get<Values>(parse_values("1..100/3log")).range->at(0.5) == "10");
}
