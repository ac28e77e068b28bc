// Places and edits of documents.
#include "sim/diff/places.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"

using namespace spillway;

namespace {

documents::Node tree_of(const std::string& text) {
  Sources sources = {{"tree.yaml", text}};
  Diagnostics problems;
  return *documents::parse(sources, 0, problems);
}

std::vector<std::string> places_of_edits(const std::string& before, const std::string& after) {
  std::vector<std::string> places;
  for (const diff::Edit& edit : diff::edits_of(tree_of(before), tree_of(after), 100)) {
    places.push_back(edit.place);
  }
  return places;
}

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("a place goes by names where the items of a list have them") {
  const auto tree = tree_of("zones:\n  - name: a\n    nodes: [{ count: 1 }, { count: 2 }]\n  - name: b\n");
  CHECK(diff::place_of(tree, {0, 2, 11, 1}) == "zones[a].name");
  CHECK(diff::place_of(tree, {0, 3, 34, 1}) == "zones[a].nodes[1].count");
  CHECK(diff::place_of(tree, {0, 4, 11, 1}) == "zones[b].name");
  CHECK(diff::place_of(tree, {0, 1, 1, 1}) == "zones");
  CHECK(diff::place_of(tree, {1, 4, 11, 1}).empty());  // of another file
}

TEST_CASE("values, keys and items that come, go or change are edits; comments and order are none") {
  CHECK(places_of_edits("a: 1\nb: [1, 2]\n", "# words\nb: [1, 2]\na: 1\n").empty());
  CHECK(places_of_edits("a: 1\n", "a: 1.0\n").empty());
  CHECK(places_of_edits("a: 1\n", "a: -1\n") == Places{"a"});
  CHECK(places_of_edits("a: 1\n", "a: '1'\n") == Places{"a"});
  CHECK(places_of_edits("a: [1, 2]\n", "a: [1, 3, 4]\n") == Places{"a[1]", "a[2]"});
  CHECK(places_of_edits("a: { b: 1, c: 2 }\n", "a: { b: 1, d: 2 }\n") == Places{"a.d", "a.c"});
  CHECK(places_of_edits("l: [{ name: x, v: 1 }, { name: y, v: 2 }]\n", "l: [{ name: y, v: 3 }, { name: z, v: 1 }]\n") ==
        Places{"l[y].v", "l[z]", "l[x]"});
  CHECK(places_of_edits("a: 1\n", "[1]\n") == Places{""});
  CHECK(diff::edits_of(tree_of("[1, 2, 3]"), tree_of("[4, 5, 6]"), 2).size() == 2);
}

TEST_CASE("pasted files are compared by their documents, whatever they are called") {
  const auto remember = [](const std::string& name, const std::string& document) {
    scenario::pasted::remember({.name = name, .documents = {tree_of(document)}});
  };
  remember("old.yaml#pasted", "{ kind: Mesh, name: default, spec: { a: 1 } }");
  remember("same.yaml#pasted", "{ kind: Mesh, name: default, spec: { a: 1 } }");
  remember("new.yaml#pasted", "{ kind: Mesh, name: default, spec: { a: 2 } }");
  const std::string before = "resources: ['old.yaml#pasted']\n";
  CHECK(places_of_edits(before, "resources: ['same.yaml#pasted']\n").empty());
  CHECK(places_of_edits(before, "resources: ['new.yaml#pasted']\n") == Places{"resources[default].spec.a"});
  CHECK(places_of_edits(before, "resources: ['elsewhere.yaml']\n") == Places{"resources[0]"});
  // Documents stay the same beside others that are added or written in the scenario itself.
  const std::string own = "{ kind: Node, metadata: { name: n }, spec: { a: 1 } }";
  CHECK(
      places_of_edits("resources: ['old.yaml#pasted', " + own + "]\n", "resources: [" + own + ", 'same.yaml#pasted']\n")
          .empty());
}

TEST_CASE("documents of one name are told apart by their kinds") {
  const std::string service = "{ kind: Service, metadata: { name: cart, namespace: shop }, spec: { a: 1 } }";
  const std::string rule = "{ kind: DestinationRule, metadata: { name: cart, namespace: shop }, spec: { a: 1 } }";
  const std::string other = "{ kind: DestinationRule, metadata: { name: cart, namespace: shop }, spec: { a: 2 } }";
  CHECK(places_of_edits("[" + service + ", " + rule + "]", "[" + other + ", " + service + "]") ==
        Places{"[DestinationRule shop/cart].spec.a"});
}
