// Both syntaxes give the same tree, and each its places.
#include <catch2/catch.hpp>

#include "models/documents/parse.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using documents::Kind;
using TreeNode = documents::Node;

namespace {

struct Parsed {
  std::optional<TreeNode> root;
  Diagnostics problems;
};

Parsed parse(const std::string& name, const std::string& text) {
  Parsed parsed;
  Sources sources = {{name, text}};
  parsed.root = documents::parse(sources, 0, parsed.problems);
  return parsed;
}

TreeNode parsed(const std::string& name, const std::string& text) {
  Parsed result = parse(name, text);
  INFO(text);
  REQUIRE(result.root.has_value());
  REQUIRE(result.problems.empty());
  return *result.root;
}

void check_place(const Span& span, std::uint32_t line, std::uint32_t column, std::uint32_t length) {
  CHECK(span.line == line);
  CHECK(span.column == column);
  CHECK(span.length == length);
}

void check_refusal(const std::string& name, const std::string& marked, const std::string& code) {
  const test::Marked input = test::unmark(marked);
  const Parsed result = parse(name, input.text);
  INFO(input.text);
  REQUIRE(result.problems.size() == 1);
  INFO(result.problems[0].message << ": " << result.problems[0].label);
  CHECK(result.problems[0].code == code);
  check_place(result.problems[0].where, input.place.line, input.place.column, input.place.length);
}

}  // namespace

TEST_CASE("JSON with comments keeps the place of every value and key", "[document]") {
  const TreeNode root =
      parsed("x.json", "// comment\n{ \"a\" : [1, -2.50, true, null],\n  /* é */ \"é\\\"\": \"x\\\\\" }\n");
  check_place(root.span, 2, 1, 1);
  const documents::Member& list = root.members[0];
  CHECK(list.key == "a");
  check_place(list.key_span, 2, 3, 3);
  check_place(list.value.span, 2, 9, 1);
  check_place(list.value.items[0].span, 2, 10, 1);
  check_place(list.value.items[1].span, 2, 13, 5);
  check_place(list.value.items[2].span, 2, 20, 4);
  check_place(list.value.items[3].span, 2, 26, 4);
  CHECK(list.value.items[1].text == "-2.50");
  const documents::Member& text = root.members[1];
  CHECK(text.key == "é\"");
  check_place(text.key_span, 3, 11, 5);
  check_place(text.value.span, 3, 18, 5);
  CHECK(text.value.text == "x\\");
}

TEST_CASE("YAML keeps the place of every value and key", "[document]") {
  const TreeNode root = parsed("x.yaml",
                               "é:\n  - { name: zone-1, x: \"a\\\"b\", y: 'it''s' }   # comment\n"
                               "  - &anchor two words\n  - *anchor\n  - |\n    block\n  -\n");
  check_place(root.members[0].key_span, 1, 1, 1);
  const TreeNode& list = root.members[0].value;
  check_place(list.span, 2, 3, 1);
  const TreeNode& object = list.items[0];
  check_place(object.span, 2, 5, 1);
  check_place(object.members[0].value.span, 2, 13, 6);
  check_place(object.members[1].value.span, 2, 24, 6);
  CHECK(object.members[1].value.text == "a\"b");
  check_place(object.members[2].value.span, 2, 35, 7);
  CHECK(object.members[2].value.text == "it's");
  check_place(list.items[1].span, 3, 13, 9);
  check_place(list.items[2].span, 4, 5, 7);
  CHECK(list.items[2].text == "two words");
  check_place(list.items[3].span, 5, 5, 1);
  CHECK(list.items[3].text == "block\n");
  CHECK(list.items[4].kind == Kind::null);
}

TEST_CASE("Columns count characters after a byte order mark, accents and line ends of Windows", "[document]") {
  const TreeNode yaml = parsed("x.yaml",
                               "\xEF\xBB\xBF"
                               "a: 1\r\n\"ż\": zwei\r\n");
  check_place(yaml.members[0].key_span, 1, 1, 1);
  check_place(yaml.members[1].value.span, 2, 6, 4);
  const TreeNode json = parsed("x.json", "\xEF\xBB\xBF{\"a\": 1,\r\n \"ż\": true}\r\n");
  check_place(json.span, 1, 1, 1);
  check_place(json.members[1].value.span, 2, 7, 4);
}

TEST_CASE("Plain scalars of YAML are typed by the core schema of 1.2", "[document]") {
  const auto kind_of = [](const std::string& scalar) { return parsed("x.yaml", "a: " + scalar).members[0].value.kind; };
  for (const char* text : {"yes",        "no",    "on",  "off",   "y",   "n",     "99%",   "1.2.3", "12s", "0b1",
                           "1_000",      "10:30", "-",   "+",     ".",   "1e",    "0x",    "0o8",   "'1'", "\"true\"",
                           "2001-01-01", "e5",    "-.e", "nullx", "--1", "--1e3", "+-1e3", "-+.5"}) {
    INFO(text);
    CHECK((std::string(text) == "-" ? Kind::string : kind_of(text)) == Kind::string);
  }
  for (const char* integer :
       {"0", "12", "-7", "+3", "007", "0x1F", "0o17", "1e3", "2.0", "18446744073709551615", "-9223372036854775808"}) {
    INFO(integer);
    CHECK(kind_of(integer) == Kind::integer);
  }
  for (const char* number : {"0.5", ".5", "-1.25e-3", "1.25E+1"}) {
    INFO(number);
    CHECK(kind_of(number) == Kind::number);
  }
  for (const char* boolean : {"true", "True", "TRUE", "false", "False", "FALSE"}) {
    CHECK(kind_of(boolean) == Kind::boolean);
  }
  for (const char* null : {"", "~", "null", "Null", "NULL"}) {
    CHECK(kind_of(null) == Kind::null);
  }
  CHECK(parsed("x.yaml", "a: 0x1F").members[0].value.magnitude == 31);
  CHECK(parsed("x.yaml", "a: 0o17").members[0].value.magnitude == 15);
  CHECK(parsed("x.yaml", "a: 007").members[0].value.magnitude == 7);
}

TEST_CASE("Anchors and aliases of YAML repeat values, of keys too", "[document]") {
  const TreeNode root = parsed("x.yaml", "a: &list [1, {b: 2}]\nc: *list\n&key d: 3\ne: {*key : 4}\n");
  CHECK(root.find("c")->value.items[1].find("b")->value.magnitude == 2);
  CHECK(root.find("e")->value.find("d")->value.magnitude == 4);
}

TEST_CASE("What is not JSON is refused where reading stops", "[document]") {
  check_refusal("x.json", "{\"a\"«:»", "SP006");
  check_refusal("x.json", "{\"a\": «1»", "SP006");
  check_refusal("x.json", "{\"a\" «1»}", "SP006");
  check_refusal("x.json", "{\"a\": tr«e»}", "SP006");
  check_refusal("x.json", "[1,«]»", "SP006");
  check_refusal("x.json", "{«a»: 1}", "SP006");
  check_refusal("x.json", "{\"a\" «\"b\"»}", "SP006");
  check_refusal("x.json", "{\"a\": -12\n «3»}", "SP006");
  check_refusal("x.json", "{}«}»", "SP006");
  check_refusal("x.json", "[\"\\«q»\"]", "SP006");
  check_refusal("x.json", "[«1e999»]", "SP012");
  check_refusal("x.json", "[«99999999999999999999»]", "SP012");
  check_refusal("x.json", "[«-9223372036854775809»]", "SP012");
  check_refusal("x.json", "{\"a\": 1, «\"a\"»: 2}", "SP010");
  check_refusal("x.json", "{\"b\": \"\\u0061\", \"a\": 1, «\"\\u0061\"»: 2}", "SP010");
  check_refusal("x.json", "[«N»aN]", "SP006");
}

TEST_CASE("What is not YAML is refused where reading stops", "[document]") {
  check_refusal("x.yaml", "a: \"ope«n»", "SP007");
  check_refusal("x.yaml", "a: «\"»open\nb: 1\n", "SP007");
  check_refusal("x.yaml", "a: «'»open ''still\n", "SP007");
  check_refusal("x.yaml", "a: [«1»", "SP007");
  check_refusal("x.yaml", "«{»a: 1", "SP007");
  check_refusal("x.yaml", "a: b«:» c", "SP007");
  check_refusal("x.yaml", "a:\n\t«-» b", "SP007");
  check_refusal("x.yaml", "a: «*»b", "SP007");
  check_refusal("x.yaml", "a: \"\\q«\"»", "SP007");
  check_refusal("x.yaml", "«%»YAML 3.0\n---\na", "SP007");
  check_refusal("x.yaml", "a: !tag «1»", "SP013");
  check_refusal("x.yaml", "a: !!str «1»", "SP013");
  check_refusal("x.yaml", "a: !!map «{»}", "SP013");
  check_refusal("x.yaml", "a: 1\n«-»--\nb: 1", "SP013");
  check_refusal("x.yaml", "? «[»a]\n: 1", "SP013");
  check_refusal("x.yaml", "«:» 1", "SP013");
  check_refusal("x.yaml", "&a [«*a»]", "SP013");
  check_refusal("x.yaml", "a: «.inf»", "SP011");
  check_refusal("x.yaml", "a: «-.INF»", "SP011");
  check_refusal("x.yaml", "a: «.NaN»", "SP011");
  check_refusal("x.yaml", "a: «99999999999999999999»", "SP012");
  check_refusal("x.yaml", "a: «1e999»", "SP012");
  check_refusal("x.yaml", "a: «0xFFFFFFFFFFFFFFFFF»", "SP012");
  check_refusal("x.yaml", "a: 1\nb: 2\n«a»: 3", "SP010");
}

TEST_CASE("A duplicate key names both places", "[document]") {
  const Parsed result = parse("x.yaml", "a: 1\nb: 2\na: 3\n");
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].notes == std::vector<std::string>{"first written in line 1, column 1"});
}

TEST_CASE("Texts without anything in them are refused", "[document]") {
  for (const char* name : {"x.yaml", "x.json", "x"}) {
    for (const char* text : {"", " \n\t\r\n", "\xEF\xBB\xBF"}) {
      const Parsed result = parse(name, text);
      REQUIRE(result.problems.size() == 1);
      CHECK(result.problems[0].code == "SP003");
    }
  }
  CHECK(parse("x.yaml", "# only a comment\n").problems.at(0).code == "SP003");
}

TEST_CASE("Bytes that are no characters are refused with their place", "[document]") {
  for (const char* name : {"x.yaml", "x.json"}) {
    for (const char* bad : {"\xFF", "\xC3(", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80", "\x80"}) {
      const Parsed result = parse(name, std::string("\"é\n a") + bad + "\"");
      REQUIRE(result.problems.size() == 1);
      CHECK(result.problems[0].code == "SP004");
      check_place(result.problems[0].where, 2, 3, 1);
    }
    for (const char bad : {'\0', '\x04', '\x1b', '\b'}) {
      const Parsed result = parse(name, std::string("\"é\n a") + bad + "\"");
      REQUIRE(result.problems.size() == 1);
      CHECK(result.problems[0].code == "SP005");
      check_place(result.problems[0].where, 2, 3, 1);
    }
  }
}

TEST_CASE("The syntax is told by the ending, else by the look", "[document]") {
  using documents::Syntax;
  CHECK(documents::syntax_of({"a.json", "a: 1"}) == Syntax::json);
  CHECK(documents::syntax_of({"a.jsonc", "a: 1"}) == Syntax::json);
  CHECK(documents::syntax_of({"a.yaml", "{}"}) == Syntax::yaml);
  CHECK(documents::syntax_of({"a.yml", "{}"}) == Syntax::yaml);
  CHECK(documents::syntax_of({"<stdin>", "\n {}"}) == Syntax::json);
  CHECK(documents::syntax_of({"<stdin>", "// x\n{}"}) == Syntax::json);
  CHECK(documents::syntax_of({"<stdin>", "a: 1"}) == Syntax::yaml);
}
