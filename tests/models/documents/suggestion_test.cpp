#include "models/documents/grammar/suggestion.hpp"

#include <catch2/catch.hpp>

using spillway::grammar::edit_distance;
using spillway::grammar::nearest;

TEST_CASE("The edit distance counts insertions, deletions, substitutions and swaps", "[suggestion]") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("A slip of the pen is recognised", "[suggestion]") {
  CHECK(nearest("enpoints", {"name", "endpoints", "clients"}) == "endpoints");
  CHECK(nearest("durration", {"duration", "description"}) == "duration");
  CHECK(nearest("serviceTime", {"service", "service_time"}) == "service_time");
  CHECK(nearest("no_healthy_upsteam", {"ok", "no_healthy_upstream"}) == "no_healthy_upstream");
  CHECK(nearest("zone1", {"zone-10", "zone-1"}) == "zone-1");
}

TEST_CASE("Of names equally far away the one with the nearest letters is meant", "[suggestion]") {
  CHECK(nearest("zone-4", {"zone-1", "zone-2", "zone-3"}) == "zone-3");
}

TEST_CASE("What is far from everything gets no suggestion", "[suggestion]") {
  CHECK(nearest("colour", {"zones", "links"}).empty());
  CHECK(nearest("x", {"duration"}).empty());
  CHECK(nearest("x", {}).empty());
  CHECK(nearest(std::string(100'000, 'a'), {std::string(100'000, 'a')}).empty());
}
