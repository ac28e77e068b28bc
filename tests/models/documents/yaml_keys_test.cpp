// Keys of YAML without their colon, which yaml-cpp takes for keys without a value at the end of a document.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"

using namespace spillway;

TEST_CASE("A line that is no key and value is refused wherever it stands, with what was meant") {
  for (const std::string& text :
       std::vector<std::string>{"a: 1\nmaxRetries 3", "a: 1\nmaxRetries 3\n", "b:\n  a: 1\n  maxRetries 3\n",
                                "a: 1\nmaxRetries 3\n---\nc: 2\n", "maxRetries 3\na: 1\n", "a: 1\nmaxRetries 3\nb: 2\n",
                                "{ a: 1, maxRetries 3 }", "a: { maxRetries 3 }"}) {
    CAPTURE(text);
    Sources sources = {{"a.yaml", text}};
    Diagnostics problems;
    CHECK_FALSE(documents::parse_documents(sources, 0, problems));
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().code == "SP007");
    REQUIRE(problems.front().helps.size() == 1);
    CHECK(problems.front().helps.front() == "a key ends in a colon and a space: `maxRetries: 3`");
  }
}

TEST_CASE("Keys of YAML with a colon, in quotes, behind `?`, or alone within braces are keys") {
  for (const std::string& text :
       std::vector<std::string>{"a: 1\nb:", "a: 1\nb :", "\"a b\": 1\n'c d':\n", "? a b\n: 1\n", "? a b\n",
                                "{ enabled, b: 1 }", "a b: 1\n", "x: &k a\n*k : 1\n", "- a b: 1\n- c: d\n  e:\n"}) {
    CAPTURE(text);
    Sources sources = {{"a.yaml", text}};
    Diagnostics problems;
    CHECK(documents::parse_documents(sources, 0, problems));
    CHECK(problems.empty());
  }
}
