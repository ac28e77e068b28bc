#include "models/documents/left_out.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/node_edit.hpp"
#include "models/documents/parse.hpp"

using namespace spillway;
using documents::is_ellipsis;
using documents::leave_out_of_json;
using documents::WhyLeftOut;

namespace {

std::optional<documents::Node> parsed(const std::string& text) {
  Sources sources = {{"a.json", text}};
  Diagnostics problems;
  return documents::parse(sources, 0, problems);
}

}  // namespace

TEST_CASE("Dots, and words for them in brackets, are ellipses") {
  for (const std::string& line : std::vector<std::string>{
           "...",      "  ...",         "…",      "[...]",  "[…]",    "(...)",    "{...}",       "<...>",
           "- ...",    "# ...",         "// ...", "<snip>", "[snip]", "--snip--", "[truncated]", "<output omitted>",
           "--More--", "--More--(42%)", "... ,",  "....."}) {
    CAPTURE(line);
    CHECK(is_ellipsis(line));
  }
  for (const std::string& line : std::vector<std::string>{"", "---", "- a", "a: ...", "more", "snip", "# a comment",
                                                          "[]", "{}", ".", "to be continued...", "-- more"}) {
    CAPTURE(line);
    CHECK_FALSE(is_ellipsis(line));
  }
}

TEST_CASE("JSON with ellipses is read as without them, wherever they stand") {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"{\"a\": 1, ...}", "{\"a\": 1}"},
      {"{...}", "{}"},
      {"{..., \"a\": 1}", "{\"a\": 1}"},
      {"{\"a\": {...}, \"b\": [...]}", "{\"a\": {}, \"b\": []}"},
      {"{\"a\": ..., \"b\": 2}", "{\"b\": 2}"},
      {"{\"b\": 2, \"a\": ...}", "{\"b\": 2}"},
      {"{\"a\": 1\n ...\n \"b\": 2}", "{\"a\": 1, \"b\": 2}"},
      {"{\"a\": 1,\n <snip>\n \"b\": 2}", "{\"a\": 1, \"b\": 2}"},
      {"[1, {...}, [...], 2, …]", "[1, 2]"},
      {"[\n  1,\n  ...\n]\n...\n", "[1]"},
      {"NAME: reviews\n{\"a\": 1}", "{\"a\": 1}"},
      {"We see this, and\n\n{\n\"a\": 1\n}\n\nWhy is it so?\n", "{\"a\": 1}"},
  };
  for (const auto& [text, meant] : texts) {
    CAPTURE(text);
    std::string changed = text;
    CHECK_FALSE(leave_out_of_json(changed).empty());
    CAPTURE(changed);
    CHECK(changed.size() == text.size());
    CHECK(std::count(changed.begin(), changed.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    const auto read = parsed(changed);
    REQUIRE(read);
    CHECK(documents::same_json(*read, *parsed(meant)));
  }
}

TEST_CASE("Texts in strings, comments, other documents and JSON that ends too early stay as they are") {
  for (const std::string& text : std::vector<std::string>{
           "{\"a\": \"...\", \"b\": \"x, ... }\"}", "{\"a\": 1 // and so on ...\n}", "{\"a\": /* ... */ 1}",
           "a: 1\n...\nb: 2\n", "{\"a\": 1}\n{\"b\": 2}\n", "apiVersion: v1\nspec:\n{\"a\": 1}", "{\"a\": 1,", "",
           "web::10.0.0.1:80::weight::1\n{\"a\": 1}", "{\"a\": 1}\n---\n{\"b\": 1}\n"}) {
    std::string changed = text;
    CAPTURE(text);
    CHECK(leave_out_of_json(changed).empty());
    CHECK(changed == text);
  }
}

TEST_CASE("What is left out is named by its lines") {
  std::string text = "It\nis\n{\"a\": 1,\n...\n}\nWhy?\n";
  const std::vector<std::string> words = documents::in_words(leave_out_of_json(text));
  REQUIRE(words.size() == 2);
  CHECK(words[0] == "lines 1-2 and 6 are left out: text around the documents");
  CHECK(words[1] == "`...` in line 4: what stood there is not known");
  CHECK(documents::in_words({{13, WhyLeftOut::ending, "baseEjec"}}) ==
        std::vector<std::string>{"line 13 `baseEjec` is left out: the text breaks off there"});
}
