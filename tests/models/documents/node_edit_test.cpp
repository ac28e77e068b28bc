#include "models/documents/node_edit.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

#include "models/documents/json_writer.hpp"

using namespace spillway::documents;

namespace {

std::string text_of_edited(const Node& node) {
  return JsonText::of(node).text();
}

}  // namespace

TEST_CASE("documents are built from values and edited by key") {
  Node group = make_object({{"zone", make_node("zone-1")}, {"count", make_node(std::uint64_t{2})}});
  member(group, "count") = make_node(std::uint64_t{3});
  member(member(group, "metadata"), "version") = make_node("v1");
  push_back(member(group, "hosts"), make_node("a"));
  push_back(member(group, "hosts"), make_node("b"));
  CHECK(text_of_edited(group) == R"({"zone":"zone-1","count":3,"metadata":{"version":"v1"},"hosts":["a","b"]})");
  update(group, make_object({{"zone", make_node("zone-2")}, {"weight", make_node(std::uint64_t{5})}}));
  erase(group, "hosts");
  erase(group, "nothing of this name");
  CHECK(text_of_edited(group) == R"({"zone":"zone-2","count":3,"metadata":{"version":"v1"},"weight":5})");
}

TEST_CASE("merge keys add what an object does not have; of several the first counts") {
  Node one = make_object({{"a", make_node("1")}, {"b", make_node("1")}});
  Node two = make_object({{"b", make_node("2")}, {"c", make_node("2")}});
  Node object = make_object({{"<<", make_array({one, two})}, {"a", make_node("0")}});
  Node list = make_array({object, make_object({{"<<", make_node("text")}}), make_object({{"<<", make_array()}})});
  apply_merge_keys(list);
  CHECK(text_of_edited(list) == R"([{"a":"0","b":"1","c":"2"},{"<<":"text"},{"<<":[]}])");
  Node nested = make_object({{"<<", make_object({{"<<", one}, {"a", make_node("9")}})}});
  apply_merge_keys(nested);
  CHECK(text_of_edited(nested) == R"({"a":"9","b":"1"})");
}

TEST_CASE("documents are compared by what they say, not by where") {
  Node read = make_node("a");
  read.span.line = 7;
  CHECK(same_json(read, make_node("a")));
  CHECK_FALSE(same_json(read, make_array({make_node("a")})));
  CHECK(is_empty(Node()));
  CHECK(is_empty(make_array()));
  CHECK(is_empty(make_object()));
  CHECK_FALSE(is_empty(make_node("")));
}
