#include "models/documents/diagnostic.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/problem.hpp"

using namespace spillway;

TEST_CASE("Arguments of a diagnostic go from its message to its label, and each may be named by its position") {
  Diagnostics problems;
  problems.error("SP101", Span{}, "{} of {}", "not {}", {std::string("a"), "b", std::uint64_t{3}});
  CHECK(problems.back().message == "a of b");
  CHECK(problems.back().label == "not 3");
  problems.warning("SP201", Span{}, "{1} and {0}", "{1}", {"a", "b"});
  CHECK(problems.back().severity == Severity::warning);
  CHECK(problems.back().message == "b and a");
  CHECK(problems.back().label == "b");
  CHECK(problems.size() == 2);
}

TEST_CASE("Braces that are no placeholder stay, and all of them without arguments") {
  const Diagnostic problem =
      error("SP101", Span{}, "write `a: {}`", "`b: { c: {d} }`").note("{} {}").help("`{ name: {} }`, {9}, {", {"{}"});
  CHECK(problem.message == "write `a: {}`");
  CHECK(problem.label == "`b: { c: {d} }`");
  CHECK(problem.notes == std::vector<std::string>{"{} {}"});
  CHECK(problem.helps == std::vector<std::string>{"`{ name: {} }`, {9}, {"});
}

TEST_CASE("An argument in backticks is cut as names are, and others are not") {
  const std::string name(100, 'n');
  const Diagnostic problem = error("SP101", Span{}, "zone `{0}`", "{0} `{0}: 1`", {name});
  CHECK(problem.message == "zone " + in_ticks(name));
  CHECK(problem.label == name + " `" + name + ": 1`");
}

TEST_CASE("Secrets in arguments are masked in all texts of a diagnostic") {
  const std::string secret = "Bearer abcdefghijkl";
  Diagnostics problems;
  problems.error("SP101", Span{}, "{0}", "{0}", {secret}).note("{}", {secret}).help("{}", {secret});
  for (const std::string& text :
       {problems[0].message, problems[0].label, problems[0].notes.front(), problems[0].helps.front()}) {
    CHECK(text == "Bearer ************");
  }
}
