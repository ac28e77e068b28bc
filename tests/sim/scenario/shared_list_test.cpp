// Lists whose copies share elements until one of them changes.
#include "sim/scenario/shared_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

namespace spillway::scenario {

namespace {

struct Named {
  std::string name = {};
  int number = 0;
};

}  // namespace

TEST_CASE("a copy of a list has the very elements, and its own once it changes them") {
  SharedList<Named> list = {{"a", 1}, {"b", 2}};
  SharedList<Named> copy = list;
  CHECK(&std::as_const(copy)[0] == &std::as_const(list)[0]);
  copy[0].name = "changed";
  CHECK(std::as_const(list)[0].name == "a");
  CHECK(std::as_const(copy)[0].name == "changed");
  CHECK(&std::as_const(copy)[1] == &std::as_const(list)[1]);
}

TEST_CASE("an element that is shared with another list is neither's to change for both") {
  SharedList<Named> list = {{"a", 1}};
  SharedList<Named> other;
  other.add(list.share(0));
  other.push_back({"c", 3});
  other.put(1, list.share(0));
  list[0].number = 7;
  CHECK(std::as_const(other)[0].number == 1);
  CHECK(std::as_const(other)[1].number == 1);
  other[0].number = 8;
  CHECK(std::as_const(other)[1].number == 1);
}

TEST_CASE("a list that shares nothing is changed in place, and growing moves no element") {
  SharedList<Named> list;
  const Named* const first = &list.emplace_back("a", 1);
  for (int i = 0; i < 100; ++i) {
    list.push_back({"more", i});
  }
  list[0].name = "b";
  CHECK(first->name == "b");
  list.insert(list.begin(), {"before", 0});
  CHECK(std::as_const(list)[1].name == "b");
  list.resize(2);
  CHECK(list.size() == 2);
  const auto found = std::find_if(list.begin(), list.end(), [](const Named& one) { return one.name == "b"; });
  CHECK(found - list.begin() == 1);
}

}  // namespace spillway::scenario
