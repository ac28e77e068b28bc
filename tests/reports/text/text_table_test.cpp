#include "reports/text/text_table.hpp"

#include <catch2/catch.hpp>

using namespace spillway::reports;

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string text_of(TextTable table, const Rows& rows) {
  for (const auto& row : rows) {
    table.measure(row);
  }
  std::string text = table.title();
  for (const auto& row : rows) {
    text += table.line(row);
  }
  return text;
}

}  // namespace

TEST_CASE("columns align, and lines carry no spaces at their end") {
  TextTable table({{"name", Align::left}, {"share", Align::right}});
  CHECK(text_of(table, {{"a", "5 %"}, {"longer", ""}}) == " name     share\n a          5 %\n longer\n");
  table.measure({"longer", ""});
  CHECK(table.width_of_title() == 15);
  CHECK(table.width_of({"a", "5 %"}) == 15);
}

TEST_CASE("a title runs over the untitled columns to its right") {
  const TextTable table({{"zone-1 P0", Align::right, 3, true}, {"", Align::right, 2}});
  CHECK(text_of(table, {{"5 %", "5.01"}}) == " zone-1 P0\n 5 %  5.01\n");
}

TEST_CASE("width counts cells of the terminal, not bytes") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("z\xC3\xBCrich") == 6);             // u with diaeresis
  CHECK(display_width("e\xCC\x81") == 1);                 // e and a combining accent
  CHECK(display_width("\xE6\x9D\xB1\xE4\xBA\xAC") == 4);  // two CJK characters
  CHECK(display_width("\xF0\x9F\x9A\x80") == 2);          // an emoji
  CHECK(padded("\xE6\x9D\xB1", 4, Align::left) == "\xE6\x9D\xB1  ");
  CHECK(padded("x", 3, Align::right) == "  x");
}

TEST_CASE("what could drive a terminal is spelled out") {
  CHECK(printable("a\nb\x1b[31m\x7f") == "a\\x0ab\\x1b[31m\\x7f");
  CHECK(printable("\xE2\x80\xAE!") == "\\u{202e}!");  // right-to-left override
  CHECK(printable("\xC2\x9B") == "\\x9b");            // the one-character escape of 8-bit terminals
  CHECK(printable("\xFFok") == "\\xffok");            // not UTF-8
  CHECK(printable("z\xC3\xBCrich") == "z\xC3\xBCrich");
}
