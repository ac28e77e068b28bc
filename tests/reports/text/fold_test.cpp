#include "reports/text/fold.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "reports/text/text_table.hpp"

using namespace spillway::reports;

TEST_CASE("lines that are too wide go on below, further in") {
  CHECK(folded(" lost     zone-1   verdict\n", 20) == " lost     zone-1\n     verdict\n");
  CHECK(folded("short\n", 20) == "short\n");
  CHECK(folded("no line end", 20) == "no line end");
  CHECK(folded("", 20).empty());
}

TEST_CASE("a word that is wider than a line is broken, and nothing is lost") {
  const std::string word(100, 'x');
  std::string text = folded(word + " end\n", 20);
  std::istringstream lines(text);
  std::string joined;
  for (std::string line; std::getline(lines, line);) {
    CHECK(display_width(line) <= 20);
    for (const char letter : line) {
      joined += letter == ' ' ? "" : std::string(1, letter);
    }
  }
  CHECK(joined == word + "end");
}

TEST_CASE("colors take no columns, and wide characters two") {
  const std::string colored = "\x1b[32mok\x1b[0m 12345678901234567";
  CHECK(folded(colored, 20) == colored);
  CHECK(folded("東京東京東京東京東京 a\n", 20) == "東京東京東京東京東京\n    a\n");
}

TEST_CASE("boxes are drawn without Unicode where a terminal has none") {
  CHECK(in_ascii("└─ a\n│  ├─ zürich") == "+- a\n|  +- zürich");
}
