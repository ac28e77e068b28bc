#include "sim/sweep/block.hpp"

#include <catch2/catch.hpp>

#include "models/documents/parse.hpp"
#include "sim/sweep/sweep.hpp"

using namespace spillway;
using sweep::offset_of;
using sweep::text_of_value;

namespace {

documents::Node parsed(const std::string& text) {
  Sources sources{{"values.yaml", text}};
  Diagnostics problems;
  return *documents::parse(sources, 0, problems);
}

}  // namespace

TEST_CASE("a value of a scenario's own sweep is read back as it was written") {
  const auto list = parsed(R"([1, 2.5, 5ms, true, "10", "true", {"a": [1, "x"]}, "{odd"])");
  const std::vector<std::string> texts{"1", "2.5", "5ms", "true", "\"10\"", "\"true\"", R"({"a":[1,"x"]})", "\"{odd\""};
  REQUIRE(list.items.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK(text_of_value(list.items[i]) == texts[i]);
    const auto back = sweep::node_of(texts[i], Span{});
    CHECK(back.kind == list.items[i].kind);
    CHECK(text_of_value(back) == texts[i]);
  }
}

TEST_CASE("lines and columns, which count characters, are places in bytes") {
  const std::string text = "one\nzw\xC3\xB6lf: 5\n";
  CHECK(offset_of(text, {0, 1, 1, 1}) == 0);
  CHECK(offset_of(text, {0, 2, 1, 1}) == 4);
  CHECK(offset_of(text, {0, 2, 4, 1}) == 8);
  CHECK(offset_of(text, {0, 2, 8, 1}) == 12);
  CHECK(offset_of(text, {0, 9, 9, 1}) <= text.size());
}

TEST_CASE("a scenario without a sweep of its own has no block") {
  CHECK_FALSE(sweep::read_block(parsed("name: a\nduration: 1s\n")));
  const auto block = sweep::read_block(parsed("sweep: { over: [{ key: seed, values: 1..3 }], replications: 4 }"));
  REQUIRE(block);
  CHECK(block->keys.front().path == "seed");
  CHECK(block->keys.front().values.text == "1..3");
  CHECK(block->replications == 4U);
  CHECK_FALSE(block->samples);
}
