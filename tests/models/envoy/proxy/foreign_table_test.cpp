// Every row of the table of other programs' documents is met by a document, and no row hides another.
#include "models/envoy/proxy/foreign_table.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "models/documents/parse.hpp"
#include "models/envoy/proxy/foreign.hpp"

using namespace spillway;
using namespace spillway::proxy;

namespace {

struct Example {
  std::string text;
  std::string what;
};

std::string object_of(const std::string& group) {
  return "apiVersion: " + group + "/v1\nkind: Route\n";
}

Example example_of(const ForeignDocument& row) {
  const std::string mark(row.marks[0]);
  const std::string what(row.what);
  switch (row.by) {
    case ForeignMark::api_group:
    case ForeignMark::whole_api_group:
      return {object_of(mark), "a Route of " + what};
    case ForeignMark::end_of_api_group:
      return {object_of("storage" + mark), "a Route of " + what};
    case ForeignMark::any_api_group:
      return {object_of("example.com"), "a Route of example.com"};
    case ForeignMark::type:
      return {"type: " + mark + "\n", (mark.front() == 'E' ? "an " : "a ") + mark + " of " + what};
    case ForeignMark::begin_of_type:
      return {"type: " + mark + "Thing\n", "a " + mark + "Thing of " + what};
    case ForeignMark::list:
      return {mark + ": [{ type: Dataplane }]\n", what};
    case ForeignMark::keys:
      return {mark + ": 1\n" + (row.marks[1].empty() ? "" : std::string(row.marks[1]) + ": 1\n"), what};
    case ForeignMark::texts:
      return {"# " + mark + std::string(row.marks[1]), what};
    case ForeignMark::containers:
      return {mark + ": { web: { image: nginx } }\n", what};
    case ForeignMark::json_schema:
      return {"$schema: http://json-schema.org/draft-07/schema\nproperties: {}\n", what};
  }
  return {};
}

std::optional<Foreign> recognised(const std::string& text) {
  Diagnostics problems;
  Sources sources = {{"other.yaml", text}};
  const auto root = documents::parse(sources, 0, problems);
  REQUIRE(root);
  return recognise_foreign(*root);
}

}  // namespace

TEST_CASE("Every row of the table of other programs' documents is met") {
  for (const ForeignDocument& row : foreign_documents()) {
    const Example example = example_of(row);
    INFO(example.text);
    const auto foreign = row.by == ForeignMark::texts ? recognise_foreign_text(example.text) : recognised(example.text);
    REQUIRE(foreign);
    CHECK(foreign->what == example.what);
    CHECK(foreign->help == row.help);
    CHECK_FALSE(row.help.empty());
  }
}

TEST_CASE("A group below one of the table is recognised as that one, and not one that ends in its letters") {
  CHECK(recognised(object_of("networking.istio.io"))->what == "a Route of Istio");
  CHECK(recognised(object_of("unistio.io"))->what == "a Route of unistio.io");
  CHECK(recognised(object_of("my.apps"))->what == "a Route of my.apps");
}

TEST_CASE("No two rows of the table of other programs' documents have the same marks") {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const ForeignDocument& row : foreign_documents()) {
    INFO(row.marks[0] << ' ' << row.marks[1]);
    CHECK(known.emplace(row.marks[0], row.marks[1]).second);
  }
}
